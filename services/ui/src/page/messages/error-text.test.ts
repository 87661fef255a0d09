import { DiskFullError, RUNTIME_FAULTS, type ErrorCode } from '@parley/shared/contracts';
import { ApiError } from '../client/api-error';
import { de } from './de';
import { en } from './en';
import { errorText } from './error-text';

describe('errorText', () => {
  const shownIn = (messages: typeof en, code: ErrorCode, details: Record<string, unknown> = {}): string =>
    errorText(messages, new ApiError(code, 500, `What the service says of ${code}.`, false, details));

  it("shows the service's own sentence for a full disk", () => {
    const { code, message: detail, retryable, status } = new DiskFullError();
    const shown = errorText(en, ApiError.fromAnswer(status, { code, detail, retryable }));
    expect(shown).toBe(detail);
    expect(shown).toMatch(/disk .* is full .* nothing of this was stored: free some space/);
  });

  it.each<[ErrorCode, Record<string, unknown>, RegExp]>([
    ['TURN_TIMEOUT', {}, /^Das Modell hat zu lange nicht geantwortet\./],
    [
      'RUNTIME_UNAVAILABLE',
      { reason: 'model_server_unreachable', runtime_id: 'local_server' },
      /^Der lokale Modellserver .* Starte ihn .* SIM_LOCAL_SERVER_BASE_URL\.$/,
    ],
    [
      'RUNTIME_UNAVAILABLE',
      { reason: 'model_server_unreachable', runtime_id: 'local_native' },
      /^Der Modellserver .* „ollama serve“.* SIM_NATIVE_SERVER_BASE_URL\.$/,
    ],
    ['OVERLOADED', {}, /^Das Modell ist gerade mit anderen Gesprächen beschäftigt\./],
    ['PACK_IN_USE', {}, /^Gespräche mit diesem Paket sind noch offen\./],
    ['INVALID_STATE', { flow_state: 'Ended', operation: 'turn' }, /^Das geht gerade nicht: Das Gespräch/],
    ['INVALID_STATE', { flow_state: 'Ended', operation: 'try' }, /^Diese Zeile kannst du nicht/],
    ['SERVICE_UNAVAILABLE', { service: 'pack_service' }, /^Der Teil von Parley, der die Szenarien liest/],
    ['SERVICE_UNAVAILABLE', { reason: 'disk_full' }, /^Die Festplatte mit dem Datenordner ist voll/],
  ])('says in German what %s %j means, and leaves English to the service', (code, details, german) => {
    expect(shownIn(de, code, details)).toMatch(german);
    expect(shownIn(en, code, details)).toBe(`What the service says of ${code}.`);
  });

  it.each(RUNTIME_FAULTS)('has a sentence in German for a model that is away: %s', (reason) => {
    const shown = shownIn(de, 'RUNTIME_UNAVAILABLE', { reason, runtime_id: 'local_server' });
    expect(shown).not.toContain('What the service says');
  });

  it.each<[ErrorCode, Record<string, unknown>]>([
    ['VALIDATION_ERROR', {}],
    ['RUNTIME_UNAVAILABLE', {}],
    ['RUNTIME_UNAVAILABLE', { reason: 'model_server_unreachable', runtime_id: 'of_another_gateway' }],
    ['INVALID_STATE', { operation: 'createDraft' }],
    ['SERVICE_UNAVAILABLE', { reason: 'database_damaged' }],
    ['SERVICE_UNAVAILABLE', { service: 'toString' }],
  ])('leaves the sentence of the service where it knows more than its code says: %s %j', (code, details) => {
    expect(shownIn(de, code, details)).toBe(`What the service says of ${code}.`);
  });
});
