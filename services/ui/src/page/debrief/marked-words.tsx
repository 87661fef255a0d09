import { useMessages } from '../messages/use-messages';
import type { EvidenceMark } from './evidence-marks';

interface MarkedWordsProps {
  readonly text: string;
  /** In the order of the text; none overlap. */
  readonly marks: readonly EvidenceMark[];
}

/** A line with the words marked that proved something; each mark can be reached by keyboard and says what it proves. */
export function MarkedWords({ text, marks }: MarkedWordsProps) {
  const { judging: words } = useMessages();
  return (
    <>
      {marks.map(({ id, start, end, proves }, at) => (
        <span key={id}>
          {text.slice(marks[at - 1]?.end ?? 0, start)}
          {/* A group may have a name, which a mark by itself may not. */}
          <mark
            id={id}
            role="group"
            tabIndex={0}
            data-fault={proves.some(({ isFault }) => isFault) || undefined}
            aria-label={proves
              .map(({ text: check, isFault }) => (isFault ? words.markFault(check) : words.markMet(check)))
              .join('; ')}
          >
            {text.slice(start, end)}
          </mark>
        </span>
      ))}
      {text.slice(marks.at(-1)?.end ?? 0)}
    </>
  );
}
