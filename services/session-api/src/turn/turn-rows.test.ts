import { npcRow } from './turn-rows';

const outcome = { utterance: 'Well.', emotion: 'curious', used_fallback: false, observations: [] };
const place = { turn_index: 3, variant: 1, variants: 1, created_at: '2026-03-04T05:06:07.000Z' };

describe('npcRow', () => {
  it('keeps what the model wrote as every database takes it: without NUL', () => {
    expect(npcRow({ transcript_saved: true }, outcome, 'a\0b', place).raw_output).toBe('ab');
    expect(npcRow({ transcript_saved: true }, outcome, null, place).raw_output).toBeNull();
  });

  it('keeps nothing that was said when the transcript is not saved', () => {
    const row = npcRow({ transcript_saved: false }, outcome, 'a', place);
    expect([row.text, row.raw_output]).toEqual([null, null]);
  });
});
