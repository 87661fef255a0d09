import type { Debrief } from '@parley/shared/contracts';
import { scenarioFixture } from '../testing/scenario-fixture';
import { slowTexts } from '../testing/linear-time';
import { compileScenario } from './compiled-scenario';
import { checkNarrative } from './debrief/check-narrative';
import { turnCitations } from './debrief/cited-turns';
import { composeDebrief } from './debrief/compose-debrief';
import { buildDebriefPrompt } from './debrief/debrief-prompt';
import { fallbackNarrative } from './debrief/fallback-narrative';
import { ending, events, points, scores, turns } from '../testing/engine/finished-talk';
import { createGuard } from './debrief/guardrails';
import { parseNarrative } from './debrief/parse-narrative';
import { hasOpenQuotation, quotationsIn } from './debrief/quotations';
import { relationshipRecap } from './debrief/relationship-recap';
import { scoreSession } from './debrief/scoring';
import { joinedSentences, sentencesOf } from './debrief/text-parts';
import { openSession } from './open-session';
import { buildPrompt } from './prompt/build-prompt';
import { fenced, withoutFence } from './prompt/fence';
import { neutralise, neutraliseLine, plainName } from './prompt/neutralise';
import { estimateTokens } from './prompt/token-estimate';
import { cleanUtterance } from './reply/clean-utterance';
import { embeddedObjects, repairedObject, strictObjectIn } from './reply/find-object';
import { saidLines, withoutCopies } from './reply/copies';
import { withoutLeaks } from './reply/leaks';
import { parseReply } from './reply/parse-reply';
import { beginsAsSpeech, isPlainSpeech, withoutPreface } from './reply/plain-speech';
import { ownCue, playersCue } from './reply/speaker-cues';
import { createSpeechGate } from './reply/speech-gate';
import { withoutStageDirections } from './reply/stage-directions';
import { createUtteranceStream } from './reply/utterance-stream';
import { writesOtherScript } from './reply/writing-system';
import { classifyInput, isKnownLookalike } from './safety/classify-input';
import { normalForm } from './safety/normal-form';
import { GLOBAL_RULES, POLICY_RULES } from './safety/rules';
import { NO_SUMMARY } from './prompt/memory-summary';
import { rememberedIn } from './prompt/remembered';

const content = scenarioFixture();
const scenario = compileScenario(content);
const talk = { content, turns };

function streamed(text: string, size: number): void {
  const stream = createUtteranceStream();
  for (let at = 0; at < text.length; at += size) stream.push(text.slice(at, at + size));
  stream.end();
}

function prompted(playerText: string, said = 'Two weeks?'): unknown {
  const { state } = openSession(content, 'standard');
  return buildPrompt({
    scenario,
    difficulty: 'standard',
    language: 'en',
    focus_dimension: null,
    fence: 'k7q2x',
    state,
    turns: [{ index: 1, role: 'npc', text: said }],
    summary: NO_SUMMARY,
    recap: null,
    player_text: playerText,
    context_length: null,
  });
}

const debriefPrompted = (text: string): unknown =>
  buildDebriefPrompt({
    content,
    difficulty: 'standard',
    fence: 'k7q2x',
    language: 'en',
    turns: [
      { index: 1, role: 'npc', text },
      { index: 2, role: 'player', text },
    ],
    events: [],
    scores,
    turning_points: points,
    ending,
    focus_dimension: null,
    context_length: null,
  });

const noted = (note: string): unknown =>
  fallbackNarrative({
    content,
    turns,
    events,
    scores: scoreSession(content, [{ turn: 2, dimension: 'clarity', delta: 8, note }], null),
    turning_points: points,
    ending,
  });

const narrative = { summary: 'It went on.', strengths: [], improvements: [], replay_suggestions: [] };
const debriefWith = (improvement: string): Debrief =>
  composeDebrief({
    session_id: 's',
    content,
    difficulty: 'standard',
    ending_type: 'failure',
    events,
    scores,
    used_fallback: false,
    model_id: null,
    generated_at: '2026-11-22T00:00:00.000Z',
    narrative: { ...narrative, improvements: [improvement] },
  });
const recapped = (improvement: string, said: string): unknown =>
  relationshipRecap({
    content,
    previous: null,
    debrief: debriefWith(improvement),
    texts: [said],
    at: '2026-11-22T00:00:00.000Z',
  });

const everyCategory = {
  content_categories: Object.fromEntries(POLICY_RULES.map((rule) => [rule.category, 'stop' as const])),
  redirect_message: null,
};

/** Everything of the engine that reads text of players, models and packs. */
const READERS: Record<string, (text: string) => unknown> = {
  neutralise,
  neutraliseLine,
  plainName,
  fenced: (text) => fenced(text, 'k7q2x'),
  withoutFence: (text) => withoutFence(text, 'k7q2x'),
  estimateTokens: (text) => [estimateTokens(text), estimateTokens(text, 'de')],
  'buildPrompt, the words of the player': (text) => prompted(text),
  'buildPrompt, words of the talk': (text) => prompted('Yes.', text),
  rememberedIn: (text) => rememberedIn({ index: 2, role: 'player', text }, content, 'en'),
  withoutStageDirections: (text) => withoutStageDirections(text, 'Ines Duarte'),
  withoutLeaks: (text) => withoutLeaks(text, scenario.leaks),
  'withoutCopies, of itself': (text) => withoutCopies(text, saidLines([text])),
  'withoutCopies, of another': (text) => withoutCopies(text, saidLines(['You said Tuesday, and now two weeks.'])),
  isPlainSpeech: (text) => [isPlainSpeech(text), withoutPreface(text), beginsAsSpeech(text)],
  isKnownLookalike,
  'createSpeechGate, letter by letter': (text) => {
    const gate = createSpeechGate(saidLines(['You said Tuesday, and now two weeks.']), scenario);
    for (const letter of text) gate.push(letter);
  },
  'parseReply, as it came': (text) => parseReply(text, null, scenario),
  'parseReply, in the utterance': (text) => parseReply(JSON.stringify({ npc_utterance: text }), null, scenario),
  'parseReply, in an utterance that was cut': (text) => parseReply(`{"npc_utterance":"${text}`, null, scenario),
  'parseReply, before an utterance': (text) => parseReply(`${text}{"npc_utterance":"No."}`, null, scenario),
  'parseReply, in the members beside it': (text) =>
    parseReply(
      JSON.stringify({
        npc_utterance: 'No.',
        npc_emotion: text,
        event_flags: [text],
        rubric_observations: [{ dimension: 'clarity', delta: 1, note: text }],
        safety: { action: 'ok', reason: text },
      }),
      null,
      scenario,
    ),
  'parseReply, of many members': (text) => parseReply(JSON.stringify({ list: [...text] }), null, scenario),
  cleanUtterance: (text) => cleanUtterance(text, scenario),
  ownCue: (text) => ownCue(text, 'Ines Duarte'),
  'ownCue, of a name': (text) => ownCue('Ines: no.', text),
  playersCue: (text) => playersCue(text, 'Account manager'),
  writesOtherScript: (text) => writesOtherScript(text, ['en', 'de']),
  strictObjectIn,
  embeddedObjects: (text) => [...embeddedObjects(text)],
  repairedObject,
  'createUtteranceStream, at once': (text) => streamed(text, text.length),
  'createUtteranceStream, piece by piece': (text) => streamed(text, 5),
  'createUtteranceStream, in another member': (text) =>
    streamed(`{"npc_emotion":${JSON.stringify(text)},"npc_utterance":"No."}`, 5),
  'createUtteranceStream, in the utterance': (text) => streamed(`{"npc_utterance":${JSON.stringify(text)}}`, 5),
  normalForm,
  classifyInput: (text) => classifyInput(text, everyCategory),
  sentencesOf,
  'joinedSentences, of sentences': (text) => joinedSentences(sentencesOf(text)),
  quotationsIn,
  hasOpenQuotation,
  turnCitations: (text) =>
    ['en', 'de', 'ja', 'ru', 'zh'].flatMap((language) => {
      const citations = turnCitations(language);
      return [citations.citedIn(text), citations.withoutReferences(text, () => true)];
    }),
  'createGuard, of a text': (text) => createGuard(talk)(text),
  'createGuard, of a talk': (text) =>
    createGuard({ content, turns: [{ index: 2, role: 'player', text }] })('You said “two weeks” in turn 2.'),
  'checkNarrative, of a summary': (text) => checkNarrative({ ...narrative, summary: text }, talk),
  'checkNarrative, of a list': (text) => checkNarrative({ ...narrative, strengths: [...text.slice(0, 2000)] }, talk),
  'parseNarrative, as it came': (text) => parseNarrative(text, null),
  'parseNarrative, in a summary that was cut': (text) => parseNarrative(`{"summary":"${text}`, null),
  'fallbackNarrative, of a note': noted,
  'relationshipRecap, of an improvement': (text) => recapped(text, 'Two weeks?'),
  'relationshipRecap, of a talk': (text) => recapped('Say the news first.', text),
  buildDebriefPrompt: debriefPrompted,
};

describe('text from outside, 64 KB of it', () => {
  it.each(Object.entries(READERS))('%s: takes less than 50 ms, or a time that grows with the text', (_name, read) => {
    expect(slowTexts(read)).toEqual([]);
  });

  it('is found slow where the time grows with its square', () => {
    expect(slowTexts((text) => text.replace(/\s+$/, ''), [{ unit: ' ', after: 'x' }])).toMatchObject([
      { text: '" x"', milliseconds: expect.any(Number) as number },
    ]);
  });
});

describe('the words of the rules of the classifier', () => {
  const words = [...GLOBAL_RULES, ...POLICY_RULES].flatMap(({ shows, harmless }) =>
    `${shows.source}|${harmless?.source ?? ''}`.match(/[a-z][a-z' ]*[a-z]/g),
  );
  const units = [...new Set(words)].flatMap((word) => [word ?? '', `${word} `]);

  it('take no longer than their length, said over and over', () => {
    const slow = slowTexts(
      (text) => classifyInput(text, everyCategory),
      units.map((unit) => ({ unit })),
    );
    expect(slow).toEqual([]);
  });
});
