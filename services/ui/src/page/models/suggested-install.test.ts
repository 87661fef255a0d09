import { installKinds } from './install-kinds';
import { suggestedInstall } from './suggested-install';

const GGUF = {
  repository: 'makers/Small-GGUF',
  file: 'small.gguf',
  url: 'https://models.invalid/makers/Small-GGUF/small.gguf',
  size_bytes: 1_800_000_000,
  sha256: 'a'.repeat(64),
};
const MODEL = { pull: 'small:2b', gguf: GGUF };

describe('installing a suggested model', () => {
  it('is by name with Ollama, by address with its checksum for a model server, and not at all for the demo voice', () => {
    expect(suggestedInstall(MODEL, installKinds('local_native'))).toEqual({
      kind: 'pull',
      request: { pull: 'small:2b' },
      modelId: 'small:2b',
    });
    expect(suggestedInstall(MODEL, installKinds('local_server'))).toEqual({
      kind: 'url',
      request: { url: GGUF.url, sha256: GGUF.sha256 },
      modelId: 'small.gguf',
    });
    expect(suggestedInstall(MODEL, installKinds('fake'))).toBeNull();
  });

  it('is by name where a runtime takes both', () => {
    expect(suggestedInstall(MODEL, installKinds('somebody_elses'))?.request).toEqual({ pull: 'small:2b' });
  });

  it('asks for no checksum where none is known, and for nothing where there is no file', () => {
    expect(suggestedInstall({ ...MODEL, gguf: { ...GGUF, sha256: null } }, ['url'])?.request).toEqual({
      url: GGUF.url,
    });
    expect(suggestedInstall({ ...MODEL, gguf: null }, ['url', 'file'])).toBeNull();
  });
});
