import type { ModelInstall } from '@parley/shared/contracts';
import { installKinds } from './install-kinds';
import { bytesText, endedSince, isUnderWay } from './install-state';

const install = (id: string, status: ModelInstall['status']): ModelInstall => ({
  id,
  model_id: `model-${id}`,
  status,
  bytes_done: 0,
  bytes_total: null,
  message: null,
});

describe('the state of installs', () => {
  it.each([
    ['queued', true],
    ['downloading', true],
    ['verifying', true],
    ['installed', false],
    ['failed', false],
    ['cancelled', false],
  ] as const)('says of %s whether it is under way: %s', (status, underWay) => {
    expect(isUnderWay(install('a', status))).toBe(underWay);
  });

  it('names what ended since the last look, and neither what had ended before nor what was taken off', () => {
    const before = [
      install('a', 'downloading'),
      install('b', 'installed'),
      install('c', 'queued'),
      install('d', 'queued'),
    ];
    const now = [install('a', 'installed'), install('b', 'installed'), install('c', 'failed')];
    expect(endedSince(before, now).map(({ id }) => id)).toEqual(['a', 'c']);
  });

  it('says bytes in the unit that reads best', () => {
    expect(bytesText(2_540_000_000, 'en')).toBe('2.5 GB');
    expect(bytesText(640_400_000, 'en')).toBe('640 MB');
    expect(bytesText(0, 'en')).toBe('0 MB');
  });
});

describe('how a model gets into a runtime', () => {
  it('is not at all for the demo voice, by name for Ollama, by file for a model server, and anything for others', () => {
    expect(installKinds('fake')).toEqual([]);
    expect(installKinds('local_native')).toEqual(['pull']);
    expect(installKinds('local_server')).toEqual(['url', 'file']);
    expect(installKinds('somebody_elses')).toEqual(['pull', 'url', 'file']);
  });
});
