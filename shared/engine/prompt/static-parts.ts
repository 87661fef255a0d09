import { FENCE_SLOT } from './fence';
import {
  outputSchemaLayer,
  responseStyle,
  staticLayers,
  type RubricDetail,
  type StaticPromptInput,
} from './static-layers';
import { estimateTokens } from './token-estimate';

/** What is the same in all prompts of a session, but for its fence, and what it costs. */
export interface StaticParts {
  readonly detail: RubricDetail;
  /** Layers 1 to 7, cut where the session's fence goes. */
  readonly head: readonly string[];
  readonly headTokens: number;
  /** Layers 10 and 11. */
  readonly tail: string;
  readonly tailTokens: number;
}

/** What a fence of five random characters costs at the most. */
const FENCE_TOKENS = 5;

/** Composes the static part of a session's prompts. */
export function staticParts(input: StaticPromptInput, detail: RubricDetail): StaticParts {
  const head = staticLayers(input, detail).split(FENCE_SLOT);
  const tail = [responseStyle(input), outputSchemaLayer(input)].join('\n\n');
  return {
    detail,
    head,
    headTokens: estimateTokens(head.join(' '), input.content.language) + (head.length - 1) * FENCE_TOKENS,
    tail,
    tailTokens: estimateTokens(tail),
  };
}
