import { cannedTurn } from '@parley/shared/demo-voice';
import {
  ServiceError,
  type Difficulty,
  type DraftTalk,
  type DraftTalkRequest,
  type ScenarioContent,
} from '@parley/shared/contracts';
import {
  buildPrompt,
  classifyInput,
  compileScenario,
  EARLIER_LINES,
  judgeLine,
  parseReply,
  pickDemoLine,
  type DemoMoment,
  resolveTurn,
  summarisedUpTo,
  summaryUpTo,
  type BuiltPrompt,
  type CompiledScenario,
  type EngineState,
  type PromptTurn,
  type StoredEventLike,
} from '@parley/shared/engine';
import { beginAt, unknownInStart } from '../authoring/begin-at';

/** Asks the model that plays. @returns its whole output */
export type AskModel = (prompt: BuiltPrompt, schema: Record<string, unknown>) => Promise<string>;

type Turn = DraftTalk['turns'][number];

interface Answered {
  /** The whole output. */
  readonly text: string;
  /** Place of the line in the scenario's `demo`; undefined where no demo voice answered. */
  readonly demoLine?: number | null;
  readonly because: string | null;
}

const FENCE = 'workbench';

/** @throws ServiceError VALIDATION_ERROR for a start that names what the scenario does not have. */
function checkStart(content: ScenarioContent, { start }: DraftTalkRequest): void {
  const { variables, flags } = unknownInStart(content, start);
  const issues = [
    ...variables.map((name) => ({ path: `start.state_vars.${name}`, message: `There is no variable ${name}.` })),
    ...flags.map((flag) => ({ path: 'start.flags', message: `There is no move, flag or event ${flag}.` })),
  ];
  if (issues.length > 0)
    throw new ServiceError('VALIDATION_ERROR', `The talk cannot begin there: ${issues[0]?.message ?? ''}`, {
      details: { issues },
    });
}

/** A talk with the character of a draft: the rules of a session, without a session. It is played anew each time. */
class Talk {
  private readonly spoken: PromptTurn[] = [];
  private readonly events: StoredEventLike[] = [];
  private readonly scenario: CompiledScenario;
  private readonly schema: Record<string, unknown>;
  private readonly turns: Turn[] = [];
  private readonly opening: string;
  private readonly begun: Readonly<Record<string, number>>;
  private state: EngineState;
  private lastNpcLine: string;
  private ending: string | null = null;
  private prompt: BuiltPrompt | null = null;

  constructor(
    private readonly content: ScenarioContent,
    private readonly difficulty: Difficulty,
    private readonly request: DraftTalkRequest,
  ) {
    const { utterance, state, events } = beginAt(content, difficulty, request.start);
    this.scenario = compileScenario(content);
    this.schema = this.scenario.outputSchema(difficulty);
    this.opening = utterance;
    this.lastNpcLine = utterance;
    this.state = state;
    this.begun = state.state_vars;
    this.events.push(...events);
    this.spoken.push({ index: 1, role: 'npc', text: utterance });
  }

  async play(ask: AskModel): Promise<DraftTalk> {
    for (const { player_input: said, npc } of this.request.turns) {
      if (this.ending !== null) break;
      await this.takeTurn(said, npc, ask);
    }
    const { npc, difficulty } = { npc: this.content.npc.display_name, difficulty: this.difficulty };
    return {
      npc_name: npc,
      difficulty,
      opening: this.opening,
      state_vars: { ...this.begun },
      turns: this.turns,
      ending: this.ending,
      prompt: this.prompt?.messages ?? [],
      prompt_tokens: this.prompt?.estimated_tokens ?? 0,
    };
  }

  private promptFor(said: string): BuiltPrompt {
    const { scenario, content, difficulty, state, spoken: turns, events } = this;
    const { language } = content;
    return buildPrompt({
      scenario,
      difficulty,
      language,
      focus_dimension: null,
      fence: FENCE,
      state,
      turns,
      recap: null,
      summary: summaryUpTo({ content, language }, summarisedUpTo(state.turn_index), { events, turns }),
      player_text: said,
      context_length: null,
    });
  }

  private async takeTurn(said: string, given: string | null, ask: AskModel): Promise<void> {
    const { content, difficulty, state, lastNpcLine } = this;
    const { language } = content;
    const index = state.turn_index + 1;
    const line = state.player_turns + 1;
    const earlierLines = this.turns.slice(-EARLIER_LINES).map(({ player_input: earlier }) => earlier);
    const context = { content, language, line, turn: index, lastNpcLine, earlierLines };
    const judgement = judgeLine(context, said);
    const precheck = classifyInput(said, content.policy, language);
    const prompt = this.promptFor(said);
    this.prompt = prompt;
    const answer = await this.answerTo(prompt, { ...context, difficulty, state, text: said, judgement }, given, ask);
    const outcome = resolveTurn({
      content,
      difficulty,
      language,
      state,
      judgement,
      precheck,
      player_turn_index: index,
      reply: precheck.action === 'ok' ? parseReply(answer.text, null, this.scenario) : null,
      ...(answer.demoLine === undefined ? {} : { demo: { line: answer.demoLine } }),
    });
    this.turns.push({
      player_input: said,
      npc: answer.text,
      npc_says: outcome.utterance,
      emotion: outcome.emotion,
      showed: [...judgement.moves, ...judgement.flags].map(({ id, spans: [span] }) => ({
        id,
        words: span === undefined ? '' : said.slice(span.start, span.end),
      })),
      raised: [...outcome.event_flags],
      fired: outcome.fired.map(({ id }) => id),
      state_vars: outcome.state.state_vars,
      because: precheck.action === 'ok' ? answer.because : 'the safety policy answered',
    });
    this.spoken.push({ index, role: 'player', text: said }, { index: index + 1, role: 'npc', text: outcome.utterance });
    this.events.push(...outcome.events);
    this.state = outcome.state;
    this.lastNpcLine = outcome.utterance;
    if (outcome.ending !== null) this.ending = outcome.ending.id ?? outcome.ending.type;
  }

  private async answerTo(
    prompt: BuiltPrompt,
    moment: DemoMoment,
    given: string | null,
    ask: AskModel,
  ): Promise<Answered> {
    const { schema } = this;
    if (this.request.voice === 'model') return { text: given ?? (await ask(prompt, schema)), because: null };
    // The demo voice says the same to the same talk: what it said before needs not be taken over.
    const cue = pickDemoLine(moment);
    const turn = cannedTurn(prompt.messages, schema, cue === null ? null : { text: cue.text, emotion: cue.emotion });
    const because = cue === null ? 'canned: no line of demo was left that fits' : `demo[${cue.index}]`;
    return { text: JSON.stringify(turn), demoLine: cue?.index ?? null, because };
  }
}

/**
 * Plays a talk with a scenario of a draft, and answers the lines that have no answer yet.
 * @throws ServiceError SCENARIO_NOT_FOUND; VALIDATION_ERROR; what `ask` throws
 */
export function playDraftTalk(
  contents: readonly ScenarioContent[],
  request: DraftTalkRequest,
  ask: AskModel,
): Promise<DraftTalk> {
  const content = contents.find((one) => one.scenario_id === request.scenario_id);
  if (content === undefined)
    throw new ServiceError('SCENARIO_NOT_FOUND', 'The draft has no such scenario. Load it again to see what it has.');
  checkStart(content, request);
  return new Talk(content, request.difficulty ?? content.difficulty.default, request).play(ask);
}
