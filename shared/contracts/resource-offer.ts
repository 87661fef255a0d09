/** Numbers are of free or emergency lines that answer around the clock. */
export const WHOM_TO_CALL =
  'If you are in danger, call your local emergency number now (112 in Europe, 911 in North America). ' +
  'In the USA and Canada you can call or text 988; in the UK and Ireland call 116 123. Elsewhere, a doctor, a local crisis line or someone you trust can help you today.';

/**
 * What is offered where a model took a figure of speech for a crisis: the reason of a redirect. The page shows it, and no
 * other reason, since others may be a model's words.
 */
export const RESOURCE_OFFER = `The practice goes on. If you meant it seriously, you deserve a person to talk to. ${WHOM_TO_CALL}`;

/** The same for people who speak German. */
export const WHOM_TO_CALL_IN_GERMAN =
  'Wenn du in Gefahr bist, ruf jetzt den Notruf 112. In Deutschland erreichst du die Telefonseelsorge rund um die Uhr unter ' +
  '0800 1110111 oder 116 123, in Österreich unter 142, in der Schweiz die Dargebotene Hand unter 143. Anderswo kann dir heute ' +
  'eine Ärztin oder ein Arzt, ein Krisentelefon oder jemand helfen, dem du vertraust.';
