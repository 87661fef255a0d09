import fc from 'fast-check';
import { Debrief, DebriefNarrative, Recap } from '@parley/shared/contracts';
import { checkNarrative } from './check-narrative';
import { composeDebrief } from './compose-debrief';
import { buildDebriefPrompt } from './debrief-prompt';
import { debriefSchema } from './debrief-schema';
import { fallbackNarrative } from './fallback-narrative';
import {
  content,
  context,
  delta,
  ending,
  events,
  points,
  scores,
  start,
  turns,
} from '../../testing/engine/finished-talk';
import { relationshipRecap } from './relationship-recap';
import { scoreSession } from './scoring';

describe('buildDebriefPrompt', () => {
  const input = {
    content,
    difficulty: 'standard' as const,
    fence: 'abcdef0123456789',
    language: 'en',
    turns,
    events,
    scores,
    turning_points: points,
    ending: { type: 'success' as const, id: 'date_agreed' },
    focus_dimension: 'listening',
    context_length: null,
  };

  it('shows the rubric with its anchors whole, the evidence, the ending note and the transcript', () => {
    const { messages, dropped_turns } = buildDebriefPrompt(input);
    const text = messages.map((message) => message.content).join('\n');
    for (const part of [
      'Hides the delay.',
      'Says it late.',
      'Says it in the first two sentences.',
      'SPIKES, adapted',
      'Baile et al. 2000',
      'The date was agreed because the need came first.',
      'turn 2 +8 said the delay at once',
      '4 PLAYER: Calm down',
      'what the player set out to practise',
      'Quote nobody',
      'No clinical',
    ])
      expect(text).toContain(part);
    expect(messages.map((message) => message.role)).toEqual(['system', 'user']);
    expect(dropped_turns).toBe(0);
  });

  it('fits a long talk by leaving out its least eventful exchanges and says how many turns', () => {
    const long = Array.from({ length: 61 }, (_, offset) => ({
      index: offset + 1,
      role: offset % 2 === 0 ? ('npc' as const) : ('player' as const),
      text: `words ${offset + 1} ${'and so on and on '.repeat(12)}`,
    }));
    const eventful = [delta(31, { trust: 20 }, { trust: 80 })];
    const built = buildDebriefPrompt({ ...input, turns: long, events: eventful });
    const text = built.messages[1]?.content ?? '';
    expect(built.dropped_turns).toBeGreaterThan(0);
    expect(built.estimated_tokens).toBeLessThanOrEqual(4096 - built.max_tokens);
    expect(text).toContain(`${built.dropped_turns} turns in which little changed are left out.`);
    for (const kept of [1, 2, 3, 30, 31, 60, 61]) expect(text).toContain(`words ${kept} `);
    expect(text.match(/words \d+ /g)).toHaveLength(61 - built.dropped_turns);
  });
});

describe('fallbackNarrative', () => {
  const written = fallbackNarrative({ content, turns, events, scores, turning_points: points, ending });

  it('says what to do next first, then the evidence, then the score', () => {
    expect(written.summary).toBe(
      'Next time, work on listening. At its best: Says back what matters to her. A move that was not tried yet: Asks what she needs most. ' +
        'The talk broke off (Shown the door) after 2 turns of yours. The largest change came with turn 5: patience fell from 60 to 45 and trust fell from 62 to 61. ' +
        'The overall score is 51 of 100.',
    );
    expect(written.strengths).toEqual([
      'Clarity, turn 2: said the delay at once. That moved it up by 8. Do the same again where it fits.',
    ]);
    expect(written.improvements).toEqual([
      'Listening, turn 4: brushed her worry aside. That moved it down by 6. Aim for this: Says back what matters to her.',
      'Clarity, turn 4: That moved it down by 3. Aim for this: Says it in the first two sentences.',
    ]);
    expect(written.replay_suggestions.map(({ turn }) => turn)).toEqual([2, 4]);
  });

  it('is the same every time and passes its own guardrails', () => {
    expect(fallbackNarrative({ content, turns, events, scores, turning_points: points, ending })).toEqual(written);
    expect(checkNarrative(written, context)).toEqual({ narrative: written, removed: [] });
    expect(DebriefNarrative.safeParse(written).success).toBe(true);
  });

  it('leaves a note out that would not pass them', () => {
    const noted = [{ turn: 2, dimension: 'clarity', delta: 8, note: 'said "never said this"' }];
    const other = fallbackNarrative({
      content,
      turns,
      events,
      scores: scoreSession(content, noted, null),
      turning_points: points,
      ending,
    });
    expect(JSON.stringify(other)).not.toContain('never said this');
  });

  it('praises no observation that moved nothing, and suggests each turn once', () => {
    const flat = [
      { turn: 4, dimension: 'clarity', delta: 0, note: 'nothing new' },
      { turn: 4, dimension: 'listening', delta: -2, note: null },
    ];
    const other = fallbackNarrative({
      content,
      turns,
      events,
      scores: scoreSession(content, flat, null),
      turning_points: points,
      ending,
    });
    expect(other.strengths).toEqual([]);
    expect(other.replay_suggestions.map(({ turn }) => turn)).toEqual([2, 4]);
    expect(other.replay_suggestions[0]?.suggestion).toContain('Asks what she needs most.');
  });

  it('has something to say about a talk in which nothing was observed', () => {
    const bare = fallbackNarrative({
      content,
      turns: turns.slice(0, 1),
      events: start.events,
      scores: scoreSession(content, [], null),
      turning_points: [],
      ending: { type: 'player_exit', id: null },
    });
    expect(bare.summary).toContain('was ended by you after 0 turns');
    expect(bare.improvements).toHaveLength(2);
    expect(bare.improvements[0]).toContain('was not observed');
    expect(bare.replay_suggestions).toEqual([]);
  });
});

describe('composeDebrief', () => {
  it('makes a document that the contract takes, and says what was left out', () => {
    const debrief = composeDebrief({
      session_id: 'abcdefghijklmnopqrstuvwx',
      content,
      difficulty: 'standard',
      ending_type: 'failure',
      events,
      scores,
      narrative: fallbackNarrative({ content, turns, events, scores, turning_points: points, ending }),
      used_fallback: false,
      model_id: 'fake-small',
      generated_at: '2026-01-01T00:00:00.000Z',
      dropped_turns: 4,
      text_lost: true,
    });
    expect(Debrief.parse(debrief)).toEqual(debrief);
    expect(debrief.summary).toContain('Written without 4 turns');
    expect(debrief.summary).toContain('were not kept');
    expect(debrief.state_series).toHaveLength(3);
  });

  it('asks the runtime for a narrative that names its members and only turns of the player', () => {
    const schema = debriefSchema([2, 4]) as { properties: Record<string, unknown> };
    expect(Object.keys(schema.properties)).toEqual(['summary', 'strengths', 'improvements', 'replay_suggestions']);
    expect(JSON.stringify(schema)).toContain('"enum":[2,4]');
    expect(JSON.stringify(debriefSchema())).not.toContain('enum');
  });
});

describe('relationshipRecap', () => {
  const debrief = composeDebrief({
    session_id: 'abcdefghijklmnopqrstuvwx',
    content,
    difficulty: 'standard',
    ending_type: 'failure',
    events,
    scores,
    narrative: fallbackNarrative({ content, turns, events, scores, turning_points: points, ending }),
    used_fallback: true,
    model_id: null,
    generated_at: '2026-01-01T00:00:00.000Z',
  });
  const at = '2026-01-02T00:00:00.000Z';
  const texts = turns.map((turn) => turn.text);

  it('is made from improvements and scores, within its bounds', () => {
    const recap = relationshipRecap({ content, previous: null, debrief, texts, at });
    expect(Recap.parse(recap)).toEqual(recap);
    expect(recap).toMatchObject({
      npc_id: 'ines',
      pack_id: 'late_delivery',
      session_count: 1,
      last_outcome: 'failure',
    });
    expect(recap.key_observations.length).toBeGreaterThan(0);
    expect(recap.key_observations.join(' ')).not.toMatch(/turn \d/);
    expect(recap.player_style_tags).toEqual(['practises: listening', 'strong: clarity']);
  });

  it('shares no three words in a row with the talk', () => {
    const telling = { ...debrief, improvements: ['You told her it is only a part and left it there.', 'Ask sooner.'] };
    const recap = relationshipRecap({ content, previous: null, debrief: telling, texts, at });
    expect(recap.key_observations).not.toContain(telling.improvements[0]);
    expect(recap.key_observations).toContain('Ask sooner.');
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('only', 'a', 'part', 'calm', 'down', 'friday'), { minLength: 1, maxLength: 12 }),
        (words) => {
          const made = relationshipRecap({
            content,
            previous: null,
            debrief: { ...debrief, improvements: [words.join(' ')] },
            texts,
            at,
          });
          const spoken = texts
            .join(' | ')
            .toLowerCase()
            .replace(/[^\p{L} |]/gu, '');
          for (const observation of made.key_observations) {
            const parts = observation
              .toLowerCase()
              .split(/[^\p{L}]+/u)
              .filter(Boolean);
            parts.slice(2).forEach((_, index) => expect(spoken).not.toContain(parts.slice(index, index + 3).join(' ')));
          }
        },
      ),
    );
  });

  it('counts on from the one before and keeps five observations, the newest first', () => {
    const previous: Recap = {
      ...relationshipRecap({ content, previous: null, debrief, texts, at }),
      key_observations: ['One', 'Two', 'Three', 'Four', 'Five'],
    };
    const recap = relationshipRecap({ content, previous, debrief, texts, at });
    expect(recap.session_count).toBe(2);
    expect(recap.key_observations).toHaveLength(5);
    expect(recap.key_observations.at(-1)).not.toBe('Five');
  });

  it('names only dimensions that were observed and are low', () => {
    const half = {
      ...debrief,
      improvements: [],
      dimensions: debrief.dimensions.map((dimension, index) => ({ ...dimension, observed: index === 0, score: 60 })),
    };
    expect(relationshipRecap({ content, previous: null, debrief: half, texts, at }).key_observations).toEqual([]);
    const mixed = { ...half, dimensions: half.dimensions.map((dimension) => ({ ...dimension, score: 59 })) };
    expect(relationshipRecap({ content, previous: null, debrief: mixed, texts, at }).key_observations).toEqual([
      'Practises: Clarity',
    ]);
    expect(
      relationshipRecap({ content, previous: null, debrief, texts: [...texts, null], at }).key_observations,
    ).toEqual(['Practises: Listening', 'Practises: Clarity']);
  });

  it('uses names of the rubric alone when the words were not kept', () => {
    const recap = relationshipRecap({ content, previous: null, debrief, texts: [null], at });
    expect(recap.key_observations).toEqual(['Practises: Listening', 'Practises: Clarity']);
  });
});
