import type { ScenarioContent } from '@parley/shared/contracts';

/** The emotion that stands when the model names none of the character's: neutral where there is one, else the first. */
export function restingEmotion(content: ScenarioContent): string {
  const { emotions } = content.npc;
  return emotions.includes('neutral') ? 'neutral' : (emotions[0] ?? 'neutral');
}
