import {
  ANSWERS_KEPT_HOURS,
  CHAT_BODY_LIMIT,
  JSON_BODY_LIMIT,
  MAX_PLAYER_TEXT,
  REPLAY_CAP,
  UPLOAD_LIMIT,
} from '@parley/shared/contracts';

/** What a caller runs into, for the documents: what it is, how much of it, and what happens beyond. */
export const LIMITS: readonly { readonly what: string; readonly value: string; readonly beyond: string }[] = [
  { what: 'Text of a turn', value: `1 to ${MAX_PLAYER_TEXT} code points after trimming`, beyond: '400 `TURN_INPUT_ERROR`' },
  { what: 'JSON body', value: `${JSON_BODY_LIMIT / 1024} KiB, 64 levels deep`, beyond: '413 `PAYLOAD_TOO_LARGE`, 400 `BAD_JSON`' },
  { what: 'Arrival of a JSON body', value: '30 s', beyond: 'the connection is closed' },
  { what: 'JSON body of POST /runtime/chat', value: `${CHAT_BODY_LIMIT / 1024 / 1024} MiB`, beyond: '413 `PAYLOAD_TOO_LARGE`' },
  { what: 'Uploaded zip', value: `${UPLOAD_LIMIT / 1e6} MB, and as much unpacked`, beyond: '413 `PAYLOAD_TOO_LARGE`, finding `zip.too-large`' },
  { what: 'Turns of one session at once', value: '1', beyond: '409 `TURN_IN_PROGRESS`' },
  { what: 'Turns of all sessions at once', value: '64, or `SIM_MAX_CONCURRENT_TURNS`', beyond: '503 `OVERLOADED` with `Retry-After`' },
  { what: 'Page of a list', value: '1 to 100, 20 unless told', beyond: '400 `VALIDATION_ERROR`' },
  { what: 'Idempotency-Key', value: '8 to 64 of `A-Z a-z 0-9 _ -`', beyond: '400 `VALIDATION_ERROR`' },
  { what: 'Answers kept under an Idempotency-Key', value: `${ANSWERS_KEPT_HOURS} hours`, beyond: 'the request is carried out anew' },
  { what: 'X-Request-Id that is taken over', value: '1 to 128 of `A-Z a-z 0-9 . _ -`', beyond: 'replaced by one of ours' },
  { what: 'Wait for a debrief', value: '180 s', beyond: '202 with `Location` and `Retry-After`' },
  { what: 'Texts of an unsaved session in memory', value: 'until its debrief is ready, or 30 minutes after its end', beyond: 'null' },
  { what: 'Replay on a WebSocket', value: `the first ${REPLAY_CAP} stored events, with \`after_seq=0\``, beyond: 'ask for the events' },
  { what: 'Message to a WebSocket', value: '4 KiB; all are ignored', beyond: 'closed with 1009' },
  { what: 'WebSocket that does not read', value: '1 MiB waiting', beyond: 'closed with 1013' },
]; // prettier-ignore
