import { cannedTurn } from '@parley/shared/demo-voice';
import type { Difficulty, ScenarioContent } from '@parley/shared/contracts';
import {
  buildPrompt,
  classifyInput,
  compileScenario,
  EARLIER_LINES,
  judgeLine,
  openSession,
  parseReply,
  pickDemoLine,
  resolveTurn,
  summarisedUpTo,
  summaryUpTo,
  type PromptTurn,
  type StoredEventLike,
} from '@parley/shared/engine';

/** The context of the demo voice's model, in tokens. */
const CONTEXT_TOKENS = 4096;

/** One line of the player with what the demo voice made of it. */
interface DemoTurn {
  /** Counts the player's lines from 1. */
  readonly line: number;
  readonly player: string;
  /** Moves and flags that the line showed, with the words that did it. */
  readonly showed: readonly { readonly id: string; readonly words: string }[];
  /** Events of the turn before, which this answer may take up. */
  readonly after_events: readonly string[];
  readonly npc: string;
  readonly emotion: string;
  /** Place of the answer in `demo`; null for a canned line, or when the policy answered. */
  readonly demo_line: number | null;
  /** Why that line: what it answers, or that it fills in. */
  readonly because: string;
  readonly delta: Readonly<Record<string, number>>;
  /** Events that fired after the answer, with what the player reads then. */
  readonly fired: readonly { readonly id: string; readonly narration: string | null }[];
}

export interface DemoTalk {
  readonly scenario_id: string;
  readonly difficulty: Difficulty;
  readonly npc_name: string;
  readonly opening: { readonly text: string; readonly emotion: string };
  readonly turns: readonly DemoTurn[];
  /** Id or type of the ending; null when the lines were used up before. */
  readonly ending: string | null;
  /** Lines of the player that came after the ending. */
  readonly unused: number;
}

function because(content: ScenarioContent, index: number | null): string {
  const line = index === null ? undefined : content.demo[index];
  if (line === undefined) return 'canned: no line of demo was left that fits';
  const parts = [
    ...(line.otherwise ? ['otherwise'] : []),
    ...(line.after === null ? [] : [`after ${line.after}`]),
    ...(line.signs.length === 0 ? [] : ['its signs are in the line']),
    ...(line.when.length === 0 ? [] : ['when its conditions hold']),
  ];
  return `demo[${index}]${parts.length === 0 ? ', fits always' : `, ${parts.join(', ')}`}`;
}

/** Plays a talk as a session with the demo voice does, with these lines of the player, until it ends. */
export function playDemo(content: ScenarioContent, difficulty: Difficulty, lines: readonly string[]): DemoTalk {
  const { language } = content;
  const scenario = compileScenario(content);
  const opening = openSession(content, difficulty);
  const schema = scenario.outputSchema(difficulty);
  const spoken: PromptTurn[] = [{ index: 1, role: 'npc', text: opening.utterance }];
  const events: StoredEventLike[] = [...opening.events];
  const turns: DemoTurn[] = [];
  let { state } = opening;
  let lastNpcLine = opening.utterance;
  let ending: string | null = null;
  for (const [place, player] of lines.entries()) {
    if (ending !== null) break;
    const index = state.turn_index + 1;
    const earlierLines = lines.slice(Math.max(0, place - EARLIER_LINES), place);
    const context = { content, language, line: place + 1, turn: index, lastNpcLine, earlierLines };
    const judgement = judgeLine(context, player);
    const cue = pickDemoLine({ ...context, difficulty, state, text: player, judgement });
    const safety = classifyInput(player, content.policy, language);
    const { messages } = buildPrompt({
      scenario,
      difficulty,
      language,
      focus_dimension: null,
      fence: 'demo',
      state,
      turns: spoken,
      recap: null,
      summary: summaryUpTo({ content, language }, summarisedUpTo(state.turn_index), { events, turns: spoken }),
      player_text: player,
      context_length: CONTEXT_TOKENS,
    });
    const answer = cannedTurn(messages, schema, cue === null ? null : { text: cue.text, emotion: cue.emotion });
    const answered = safety.action === 'ok';
    const demoLine = answered ? (cue?.index ?? null) : null;
    const outcome = resolveTurn({
      content,
      difficulty,
      language,
      state,
      judgement,
      player_turn_index: index,
      precheck: safety,
      reply: answered ? parseReply(JSON.stringify(answer), answer, scenario) : null,
      demo: { line: demoLine },
    });
    turns.push({
      line: place + 1,
      player,
      showed: [...judgement.moves, ...judgement.flags].map(({ id, spans: [span] }) => ({
        id,
        words: span === undefined ? '' : player.slice(span.start, span.end),
      })),
      after_events: state.pending_instructions,
      npc: outcome.utterance,
      emotion: outcome.emotion,
      demo_line: demoLine,
      because: answered ? because(content, demoLine) : 'the safety policy answered',
      delta: outcome.delta,
      fired: outcome.fired,
    });
    spoken.push({ index, role: 'player', text: player }, { index: index + 1, role: 'npc', text: outcome.utterance });
    events.push(...outcome.events);
    state = outcome.state;
    lastNpcLine = outcome.utterance;
    if (outcome.ending !== null) ending = outcome.ending.id ?? outcome.ending.type;
  }
  const { utterance: text, emotion } = opening;
  const unused = lines.length - turns.length;
  return {
    scenario_id: content.scenario_id,
    difficulty,
    npc_name: content.npc.display_name,
    opening: { text, emotion },
    turns,
    ending,
    unused,
  };
}

const signed = (value: number): string => (value > 0 ? `+${value}` : String(value));

/** The talk for a person: what was said, what each line showed, which line of `demo` answered and why. */
export function formatDemoTalk(talk: DemoTalk): string {
  const name = talk.npc_name;
  const turns = talk.turns.flatMap((turn) => {
    const showed = turn.showed.map(({ id, words }) => `${id} ("${words}")`);
    const delta = Object.entries(turn.delta).map(([variable, change]) => `${variable} ${signed(change)}`);
    return [
      `${turn.line}. You: ${turn.player}`,
      `     shows: ${showed.length === 0 ? 'nothing' : showed.join('; ')}`,
      ...(turn.after_events.length === 0 ? [] : [`     after: ${turn.after_events.join(', ')}`]),
      `   ${name} [${turn.emotion}]: ${turn.npc}`,
      `     ${turn.because}`,
      ...(delta.length === 0 ? [] : [`     ${delta.join(', ')}`]),
      ...turn.fired.map(({ id, narration }) => `     * ${id}${narration === null ? '' : `: ${narration}`}`),
      '',
    ];
  });
  return [
    `   ${name} [${talk.opening.emotion}]: ${talk.opening.text}`,
    '',
    ...turns,
    talk.ending === null ? 'The lines are used up and the talk goes on.' : `The talk ends: ${talk.ending}.`,
    ...(talk.unused === 0 ? [] : [`${talk.unused} of the lines came after the end.`]),
    '',
  ].join('\n');
}
