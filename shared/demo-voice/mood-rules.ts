/** How the player came across in one utterance. */
export interface PlayerMood {
  readonly mood: 'constructive' | 'hostile' | 'passive';
  /** What was noticed, best first; for notes. */
  readonly signals: readonly Signal[];
}

export type Signal =
  | 'question'
  | 'acknowledging'
  | 'specific'
  | 'proposal'
  | 'own_part'
  | 'insult'
  | 'accusing'
  | 'ultimatum'
  | 'generalising'
  | 'shouting';

/** What is noticed, and the words that show it. */
export type Rule = readonly [Signal, RegExp];
/** What shows a mood in a language. */
export interface MoodRules {
  readonly hostile: readonly Rule[];
  readonly constructive: readonly Rule[];
}
