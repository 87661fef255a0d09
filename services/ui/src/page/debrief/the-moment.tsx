import type { Debrief, Turn } from '@parley/shared/contracts';
import { useMessages } from '../messages/use-messages';
import { allVerdicts } from './evidence-marks';
import { Quoted } from './quoted';
import { ToMoment } from './to-moment';

interface TheMomentProps {
  readonly debrief: Debrief;
  readonly turns: readonly Turn[];
  readonly npcName: string;
}

/** The player's line that decided most, the answer that it got, and the author's word on the ending. */
export function TheMoment({ debrief, turns, npcName }: TheMomentProps) {
  const { judging: words } = useMessages();
  const { moment } = debrief;
  if (moment == null) return null;
  const textOf = (index: number): string | null => turns.find((turn) => turn.index === index)?.text ?? null;
  const answer = textOf(moment.turn + 1);
  const decided = allVerdicts(debrief).find(({ verdict }) => verdict.id === moment.check)?.verdict;
  return (
    <section>
      <h2>{words.moment[moment.kind]}</h2>
      <Quoted title={words.yourLine(moment.line)} text={textOf(moment.turn) ?? words.wordsGone} />
      {answer !== null && <Quoted title={words.answer(npcName)} text={answer} />}
      {decided !== undefined && <Quoted title={words.momentCheck} text={decided.text} />}
      {moment.author_note !== null && <Quoted title={words.authorNote} text={moment.author_note} />}
      <div className="actions">
        <ToMoment sessionId={debrief.session_id} turn={moment.turn} />
      </div>
    </section>
  );
}
