import { streamChat } from '@parley/shared/client';
import type { PackContext } from '../context';
import type { AskModel } from './draft-talk';

/** As long as a slow model may be silent by default, and a little more. */
const QUIET_MS = 185_000;

/** Asks the runtime that plays, as a session does; nothing of it is stored. */
export const askRuntime =
  (context: PackContext, requestId: string, signal: AbortSignal): AskModel =>
  async ({ messages, max_tokens }, schema) => {
    const request = { messages, max_tokens, json_schema: schema };
    const options = { signal, requestId, quietTimeoutMs: QUIET_MS };
    const final = await streamChat(context.config.base.peers.runtime_gateway, request, () => undefined, options);
    return final.text;
  };
