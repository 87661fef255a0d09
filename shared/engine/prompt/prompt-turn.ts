import type { TurnRole } from '@parley/shared/contracts';

/** A turn of the talk as prompts see it. */
export interface PromptTurn {
  readonly index: number;
  readonly role: TurnRole;
  /** null when the text was not kept. */
  readonly text: string | null;
}
