import type { ErrorCode } from '@parley/shared/contracts';

/** Was die Dienste auf Englisch sagen: für jeden Fehler, der nur eines bedeutet und beim Üben vorkommt. */
const SENTENCES: Partial<Readonly<Record<ErrorCode, string>>> = {
  TURN_INPUT_ERROR:
    'Eine Zeile braucht Text und hat höchstens 2.000 Zeichen. Ändere sie und schick sie noch einmal ab.',
  TURN_IN_PROGRESS:
    'In diesem Gespräch wird gerade noch geantwortet. Warte einen Augenblick und versuch es dann noch einmal.',
  TURN_ABORTED:
    'Das Gespräch wurde währenddessen geändert, und von dieser Zeile ist nichts gespeichert. Lade die Seite neu.',
  TURN_TIMEOUT: 'Das Modell hat zu lange nicht geantwortet. Versuch es noch einmal, oder nimm ein kleineres Modell.',
  RUNTIME_ERROR:
    'Der Modellserver hat mit einem Fehler geantwortet. Versuch es noch einmal; npm run logs zeigt, was er gesagt hat.',
  OVERLOADED: 'Das Modell ist gerade mit anderen Gesprächen beschäftigt. Versuch es in ein paar Sekunden noch einmal.',
  TRANSCRIPT_NOT_SAVED: 'Der Text dieses Gesprächs wurde nicht gespeichert, deshalb geht das hier nicht.',
  SCENARIO_NOT_FOUND: 'Dieses Szenario gibt es nicht mehr. In der Bibliothek steht, was da ist.',
  PACK_NOT_FOUND: 'Dieses Paket gibt es nicht mehr. Unter Pakete steht, was installiert ist.',
  PACK_ALREADY_INSTALLED: 'Unter dieser Kennung gibt es schon ein Paket.',
  PACK_IN_USE: 'Gespräche mit diesem Paket sind noch offen. Beende oder lösch sie zuerst.',
  PACK_INVALID: 'Das Paket hat Fehler und wurde nicht installiert.',
  MODEL_NOT_FOUND: 'Dieses Modell gibt es nicht mehr. Such dir unter Modelle ein anderes aus.',
  DEBRIEF_NOT_FOUND: 'Zu diesem Gespräch gibt es noch keine Auswertung.',
  RECAP_NOT_FOUND: 'Diese Erinnerung gibt es nicht mehr.',
  LOCAL_ONLY: 'Das geht nur auf dem Rechner, auf dem Parley läuft.',
  INTERNAL: 'In Parley ist etwas schiefgegangen. Versuch es noch einmal; npm run logs zeigt, was es war.',
};

const ASLEEP: Readonly<Record<string, string>> = {
  pack_service: 'Der Teil von Parley, der die Szenarien liest, antwortet nicht. Versuch es gleich noch einmal.',
  runtime_gateway: 'Der Teil von Parley, der die Figuren spielt, antwortet nicht. Versuch es gleich noch einmal.',
};

/** Nach dem Grund, warum kein Modell antwortet. */
const AWAY: Readonly<Record<string, string>> = {
  model_server_loading: 'Der Modellserver lädt sein Modell noch. Versuch es gleich noch einmal.',
  model_server_busy: 'Der Modellserver ist gerade beschäftigt. Versuch es gleich noch einmal.',
  model_server_lost:
    'Die Verbindung zum Modellserver ist abgebrochen, bevor die Antwort vollständig war. Sieh in sein Protokoll, und versuch es dann noch einmal.',
  gateway_unreachable:
    'Das Modell ist nicht zu erreichen. Sieh nach, ob der Modellserver läuft, und mit npm run status, ob alles von Parley läuft; versuch es dann noch einmal.',
  no_usable_answer: 'Vom Modell kam diesmal keine brauchbare Antwort. Versuch es noch einmal.',
};

/** Nach der Art des Modellservers, der nicht zu erreichen ist. */
const NOT_STARTED: Readonly<Record<string, string>> = {
  local_server:
    'Der lokale Modellserver ist nicht zu erreichen. Starte ihn unter Modelle oder von Hand, oder prüf seine Adresse: unter „Modell verbinden“ oder in SIM_LOCAL_SERVER_BASE_URL.',
  local_native:
    'Der Modellserver ist nicht zu erreichen. Starte ihn (Ollama mit „ollama serve“), oder prüf seine Adresse: unter „Modell verbinden“ oder in SIM_NATIVE_SERVER_BASE_URL.',
};

const entryOf = (table: Readonly<Record<string, string>>, key: unknown): string =>
  typeof key === 'string' && Object.hasOwn(table, key) ? (table[key] ?? '') : '';

/**
 * Der Satz zu einem Fehler; leer, wo ein Dienst mehr weiß, als sein Code sagt: dann bleibt seiner.
 * @param details was der Fehler sonst noch sagt
 */
export function serviceSentence(code: string, details: Readonly<Record<string, unknown>>): string {
  if (code === 'SERVICE_UNAVAILABLE' && details['reason'] === 'disk_full')
    return 'Die Festplatte mit dem Datenordner ist voll, und nichts davon wurde gespeichert. Schaff Platz, zum Beispiel mit alten Gesprächen im Verlauf, und versuch es dann noch einmal.';
  if (code === 'INVALID_STATE' && details['operation'] === 'try')
    return 'Diese Zeile kannst du nicht noch einmal versuchen. Spiel von hier weiter, oder versuch eine andere.';
  if (code === 'INVALID_STATE' && typeof details['flow_state'] === 'string')
    return 'Das geht gerade nicht: Das Gespräch ist schon weiter, oder es ist vorbei. Lade die Seite neu.';
  if (code === 'SERVICE_UNAVAILABLE') return entryOf(ASLEEP, details['service']);
  if (code === 'RUNTIME_UNAVAILABLE' && details['reason'] === 'model_server_unreachable')
    return entryOf(NOT_STARTED, details['runtime_id']);
  if (code === 'RUNTIME_UNAVAILABLE') return entryOf(AWAY, details['reason']);
  return entryOf(SENTENCES, code);
}
