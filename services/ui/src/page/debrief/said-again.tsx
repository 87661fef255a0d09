import { useQuery } from '@tanstack/react-query';
import type { Debrief, Turn } from '@parley/shared/contracts';
import { callApi } from '../client/call-api';
import { useTranscript } from '../client/queries';
import { useMessages } from '../messages/use-messages';
import { allVerdicts, evidenceMarks } from './evidence-marks';
import { MarkedWords } from './marked-words';
import './said-again.css';

interface SaidAgainProps {
  /** The talk that the retry left. */
  readonly parentId: string;
  /** Index of the player's turn that was said again. */
  readonly turn: number;
  readonly debrief: Debrief;
  readonly turns: readonly Turn[];
}

/** The line that a retry was for: as it was said first and as it was said now, with what each did. */
export function SaidAgain({ parentId, turn, debrief, turns }: SaidAgainProps) {
  const { judging } = useMessages();
  const before = useTranscript(parentId);
  const first = useQuery({
    queryKey: ['first-debrief', parentId],
    queryFn: () => callApi('getDebrief', { params: { id: parentId } }),
    retry: false,
  });
  const oldLine = before.data?.turns.find(({ index }) => index === turn);
  const newLine = turns.find(({ index }) => index === turn);
  if (oldLine?.text == null || newLine?.text == null) return null;
  const judged = first.data !== undefined && 'overall_score' in first.data ? first.data : null;
  return (
    <div className="said-again">
      <LineWithChecks title={judging.saidFirst(turn / 2)} line={oldLine} debrief={judged} prefix="first-" />
      <LineWithChecks title={judging.saidNow(turn / 2)} line={newLine} debrief={debrief} prefix="again-" />
    </div>
  );
}

interface LineWithChecksProps {
  readonly title: string;
  readonly line: Turn;
  /** null when there is none. */
  readonly debrief: Debrief | null;
  /** Tells the marks from those of the transcript. */
  readonly prefix: string;
}

function LineWithChecks({ title, line, debrief, prefix }: LineWithChecksProps) {
  const { judging } = useMessages();
  const text = line.text ?? '';
  const done =
    debrief === null
      ? []
      : allVerdicts(debrief).filter(({ verdict }) => verdict.turn === line.index && verdict.verdict === 'met');
  const marks = debrief === null ? [] : (evidenceMarks(debrief, [line]).ofTurn.get(line.index) ?? []);
  return (
    <div className="said-line">
      <h3 className="label">{title}</h3>
      <p className="reading" dir="auto">
        <MarkedWords text={text} marks={marks.map((mark) => ({ ...mark, id: prefix + mark.id }))} />
      </p>
      {done.length > 0 ? (
        <ul className="checks">
          {done.map(({ key, verdict, isFault }) => (
            <li key={key} data-verdict={isFault ? 'fault' : 'met'}>
              <p className="label">{isFault ? judging.fault : judging.verdict.met}</p>
              <p dir="auto">{verdict.text}</p>
            </li>
          ))}
        </ul>
      ) : (
        debrief?.judged !== undefined && <p className="small muted">{judging.nothingMet}</p>
      )}
    </div>
  );
}
