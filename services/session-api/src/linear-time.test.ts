import type { SessionExport } from '@parley/shared/contracts';
import { slowTexts } from '@parley/shared/testing';
import { markdownOf } from './sessions/export-markdown';
import { normalisePlayerText } from './turn/player-text';

const exported = (text: string): SessionExport =>
  ({
    session: { scenario_id: text, scenario_title: text, npc_id: text, started_at: null, ended_at: null },
    turns: [{ index: 1, role: 'npc', text, emotion: text }],
    variants: [{ index: 1, role: 'npc', text, emotion: text }],
    debrief: {
      summary: text,
      strengths: [text],
      improvements: [text],
      replay_suggestions: [{ turn: 2, suggestion: text }],
      turning_points: [{ turn: 3, description: text }],
      dimensions: [{ name: text, observed: false, observations: [] }],
    },
  }) as unknown as SessionExport;

/** What session-api reads of players, packs and models beside the engine. */
const READERS: Record<string, (text: string) => unknown> = {
  markdownOf: (text) => markdownOf(exported(text)),
  normalisePlayerText: (text) => {
    try {
      normalisePlayerText(text);
    } catch {
      // Too long, or nothing but white space.
    }
  },
};

describe('text from outside, 64 KB of it', () => {
  it.each(Object.entries(READERS))('%s: takes less than 50 ms, or a time that grows with the text', (_name, read) => {
    expect(slowTexts(read)).toEqual([]);
  });
});
