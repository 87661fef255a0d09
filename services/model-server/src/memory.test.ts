import { readFileSync } from 'node:fs';
import { describeWithModelServer } from '@parley/shared/testing';
import { ask, modelFile, start } from '../testing/model-server-caller';

const MEGABYTE = 1e6;
const LIMIT_MB = 700;

/** The most that was ever resident of a process, with the pages of the model's file, in megabytes. Of Linux alone. */
function peakMegabytes(pid: number): number {
  const kibibytes = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
  return (Number(kibibytes) * 1024) / MEGABYTE;
}

const describeOnLinux = process.platform === 'linux' ? describeWithModelServer : describe.skip;

describeOnLinux('the memory of the model server', () => {
  it(`stays under ${LIMIT_MB} MB with a model of 300 MB, two talks of 8,192 tokens and a third that is kept`, async () => {
    const file = modelFile({ dimension: 1024, layers: 6, heads: 8, keyHeads: 2, feedForward: 3200, end: 0 });
    const server = await start({ file, args: ['-c', '16384', '-np', '2', '--spare', '1'] });
    const talk = async (name: string): Promise<number> => {
      const messages = [
        { role: 'user', content: `${name}: ${'the tenant asks for more time and says so. '.repeat(30)}` },
      ];
      return (await ask(server, { messages, max_tokens: 30 })).usage.completion_tokens;
    };
    expect(await Promise.all([talk('Mara'), talk('Omar')])).toEqual([30, 30]);
    expect(await talk('Ines')).toBe(30);
    const peak = peakMegabytes(server.pid);
    process.stdout.write(`model server with a model of 300 MB: at most ${peak.toFixed(0)} MB resident\n`);
    expect(peak).toBeGreaterThan(300);
    expect(peak).toBeLessThan(LIMIT_MB);
  }, 180_000);
});
