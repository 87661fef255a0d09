import { DiskFullError } from '@parley/shared/contracts';
import { ApiError } from '../client/api-error';
import { en } from './en';
import { errorText } from './error-text';

describe('errorText', () => {
  it("shows the service's own sentence for a full disk", () => {
    const { code, message: detail, retryable, status } = new DiskFullError();
    const shown = errorText(en, ApiError.fromAnswer(status, { code, detail, retryable }));
    expect(shown).toBe(detail);
    expect(shown).toMatch(/disk .* is full .* nothing of this was stored: free some space/);
  });
});
