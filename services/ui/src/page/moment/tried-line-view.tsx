import type { ReactNode } from 'react';
import { MarkedWords } from '../debrief/marked-words';
import { marksIn } from '../debrief/evidence-marks';
import { useMessages } from '../messages/use-messages';
import { emotionWord } from '../messages/name-of';
import type { TriedLine } from './tried-lines';

interface TriedLineViewProps {
  readonly tried: TriedLine;
  readonly npcName: string;
  /** The answer while it is heard; null while there is none. */
  readonly heard: string | null;
  readonly children: ReactNode;
}

/** A line that was tried: its words with marks where they meet a check, what is missing, and how it is answered. */
export function TriedLineView({ tried, npcName, heard, children }: TriedLineViewProps) {
  const messages = useMessages();
  const { moment: words, judging, stage } = messages;
  const { number, text, checks, next, reply } = tried;
  const isMissing = checks.some(({ verdict }) => verdict === 'missed');
  const found = checks.flatMap(({ id, text: check, evidence }) =>
    evidence === null ? [] : [{ ...evidence, proof: { key: id, text: check, isFault: false } }],
  );
  return (
    <li className="try">
      <h3 className="label">{words.tryNumber(number)}</h3>
      {text === null ? (
        <p className="reading muted">{words.wordsGone}</p>
      ) : (
        <p className="reading try-words" dir="auto">
          <MarkedWords text={text} marks={marksIn(text, found, (start) => `try-${number}-${start}`)} />
        </p>
      )}
      {checks.length > 0 && (
        <ul className="checks" aria-label={words.checks(number)}>
          {checks.map((check) => (
            <li key={check.id} data-verdict={check.verdict}>
              <p className="label">{judging.verdict[check.verdict]}</p>
              <p dir="auto">{check.text}</p>
            </li>
          ))}
        </ul>
      )}
      {next !== null && (
        <p className="try-next">
          {isMissing && <span className="label">{words.tryNext}</span>} <span dir="auto">{next}</span>
        </p>
      )}
      {(reply !== null || heard !== null) && (
        <div className="line line-npc" aria-hidden={reply === null || undefined}>
          <p className="line-who" dir="auto">
            {npcName}
            {reply?.emotion != null && <span className="line-how"> {emotionWord(messages, reply.emotion)}</span>}
          </p>
          <p className="line-words" dir="auto">
            {reply?.text ?? heard}
            {reply === null && <span className="caret" />}
          </p>
        </div>
      )}
      {reply === null && heard !== null && <p className="small muted">{stage.replying(npcName)}</p>}
      {children}
    </li>
  );
}
