import { DamagedRowError } from '@parley/shared/contracts';
import { createLogger } from './logger';

describe('an error in the log', () => {
  const logged = (err: Error): Record<string, unknown> => {
    const lines: string[] = [];
    createLogger('session_api', 'info', { write: (line: string) => void lines.push(line) }).warn({ err }, 'failed');
    return (JSON.parse(lines.join('')) as { err: Record<string, unknown> }).err;
  };

  it('about a row that cannot be read says which one', () => {
    const error = new DamagedRowError('sessions', 'an-id', 'flags', 'is not JSON');
    expect(logged(error)).toMatchObject({ type: 'DamagedRowError', message: error.message });
    expect(error.message).toContain('table sessions, id an-id, column flags');
  });

  it('of another kind loses its message, which may quote what somebody said', () => {
    expect(logged(new Error('walnut'))).not.toHaveProperty('message');
    expect(JSON.stringify(logged(new Error('walnut')))).not.toContain('walnut');
  });
});
