import type { CoachAnswer } from '@parley/shared/contracts';
import { marksIn } from '../debrief/evidence-marks';
import { MarkedWords } from '../debrief/marked-words';
import { useMessages } from '../messages/use-messages';

interface CoachedLineProps {
  readonly line: string;
  readonly answer: CoachAnswer;
}

/** What a line that is not said yet would meet, by which words, and what it would lack. */
export function CoachedLine({ line, answer: { met, nudges } }: CoachedLineProps) {
  const { coaching: words } = useMessages();
  const found = met.flatMap(({ check, text, evidence }) =>
    evidence === null ? [] : [{ ...evidence, proof: { key: check, text, isFault: false } }],
  );
  return (
    <section className="coached" aria-label={words.title} tabIndex={0}>
      {found.length > 0 && (
        <p className="reading" dir="auto">
          <MarkedWords text={line} marks={marksIn(line, found, (start) => `coached-${start}`)} />
        </p>
      )}
      {met.length + nudges.length === 0 ? (
        <p>{words.nothing}</p>
      ) : (
        <ul>
          {met.map(({ check, text }) => (
            <li key={check}>
              <span className="label">{words.meets}</span> <span dir="auto">{text}</span>
            </li>
          ))}
          {nudges.map(({ check, text }) => (
            <li key={check}>
              <span className="label">{words.lacks}</span> <span dir="auto">{text}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
