/** docs/interface.md, Processes and ports. */
export const DEFAULT_PORTS = {
  ui: 7354,
  session_api: 7355,
  model_server: 7356,
  speech_to_text: 7357,
  text_to_speech: 7358,
  pack_service: 7359,
  runtime_gateway: 7360,
  debrief_worker: 7361,
} as const;

/** The header in which processes of one set show each other their key, where they have one. */
export const INTERNAL_KEY_HEADER = 'x-parley-internal-key';
