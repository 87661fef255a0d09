import type {
  DebriefDimension,
  Difficulty,
  EndingType,
  LineJudgement,
  ScenarioContent,
} from '@parley/shared/contracts';
import {
  compileScenario,
  EARLIER_LINES,
  judgeLine,
  openSession,
  parseReply,
  resolveTurn,
  scoreChecks,
  writeLetter,
  type Letter,
  type StoredEventLike,
} from '@parley/shared/engine';
import type { Actor } from './actors';
import type { Play } from './plays';

/** What came of a play with an actor. */
export interface PlayResult {
  readonly score: number;
  readonly judged: boolean;
  readonly ending: EndingType;
  readonly lines: number;
  readonly dimensions: readonly DebriefDimension[];
  readonly judgements: readonly LineJudgement[];
  readonly texts: readonly string[];
  readonly missed: readonly string[];
  readonly letter: Letter;
}

/** Plays a script with the engine itself; the player leaves when the script is over and the talk is not. */
export function runPlay(content: ScenarioContent, difficulty: Difficulty, play: Play, actor: Actor): PlayResult {
  const scenario = compileScenario(content);
  const opening = openSession(content, difficulty);
  const events: StoredEventLike[] = [...opening.events];
  const turns = [{ index: 1, role: 'npc' as 'npc' | 'player', text: opening.utterance }];
  const judgements: LineJudgement[] = [];
  const texts: string[] = [];
  let { state } = opening;
  let lastNpcLine: string = opening.utterance;
  let ending: EndingType | null = null;
  let endingId: string | null = null;
  for (const { say, reply } of play.lines) {
    const turn = state.turn_index + 1;
    const earlierLines = texts.slice(-EARLIER_LINES);
    const line = judgeLine(
      { content, language: content.language, line: state.player_turns + 1, turn, lastNpcLine, earlierLines },
      say,
    );
    const { state_delta, event_flags } = actor(content, difficulty, line);
    const answer = JSON.stringify({
      npc_utterance: reply,
      npc_emotion: content.npc.emotions[0],
      state_delta,
      event_flags,
      rubric_observations: [],
      safety: { action: 'ok', reason: null },
      session_control: { end_session: false, reason: null },
    });
    const outcome = resolveTurn({
      content,
      difficulty,
      state,
      reply: parseReply(answer, null, scenario),
      player_turn_index: turn,
      judgement: line,
    });
    texts.push(say);
    judgements.push(outcome.judgement ?? line);
    turns.push({ index: turn, role: 'player', text: say }, { index: turn + 1, role: 'npc', text: outcome.utterance });
    events.push(...outcome.events);
    state = outcome.state;
    lastNpcLine = outcome.utterance;
    if (outcome.ending !== null) {
      ending = outcome.ending.type;
      endingId = outcome.ending.id;
      break;
    }
  }
  const talk = {
    content,
    language: content.language,
    judgements,
    ending_type: ending ?? ('player_exit' as const),
    player_lines: texts.length,
    opinions: null,
  };
  const scores = scoreChecks(talk, [], null);
  const letter = writeLetter({
    content,
    turns,
    events,
    dimensions: scores.dimensions,
    judged: scores.judged,
    not_judged_reason: scores.not_judged_reason,
    judgements,
    ending: { type: talk.ending_type, id: endingId },
    focus_dimension: null,
  });
  return {
    score: scores.overall_score,
    judged: scores.judged,
    ending: talk.ending_type,
    lines: texts.length,
    dimensions: scores.dimensions,
    judgements,
    texts,
    missed: scores.dimensions.flatMap(({ id, checks = [] }) =>
      checks.filter(({ verdict }) => verdict === 'missed').map((check) => `${id}.${check.id}`),
    ),
    letter,
  };
}
