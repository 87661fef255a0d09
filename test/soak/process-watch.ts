import { readdirSync, readFileSync } from 'node:fs';
import type { ServiceName } from '@parley/shared/contracts';
import type { ParleySet } from '../set/parley-set';

const LOOK_EVERY_MS = 1_000;
/** Shares of the whole time: what comes before the first is warming up. */
const EARLY = [0.3, 0.5] as const;
const LATE = [0.8, 1] as const;

/** How much a process may hold at the end against what it held after warming up. */
export const MEMORY_BOUND = { ratio: 1.2, megabytes: 16 } as const;
/** Connections come and go; a leak of one for each torn call would be thousands. */
export const DESCRIPTOR_BOUND = 150;

interface Sample {
  readonly at: number;
  readonly megabytes: number;
  readonly descriptors: number;
}

export interface Growth {
  readonly service: ServiceName;
  readonly early: Omit<Sample, 'at'>;
  readonly late: Omit<Sample, 'at'>;
  readonly isFlat: boolean;
}

/** What a process holds now. */
export function sampleOf(pid: number): Omit<Sample, 'at'> {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
  return { megabytes: Number(kilobytes) / 1_000, descriptors: readdirSync(`/proc/${pid}/fd`).length };
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Looks at every process of a set once a second: whether it is still the same one, what it holds. */
export class ProcessWatch {
  private readonly samples = new Map<ServiceName, Sample[]>();
  private readonly begun = performance.now();
  private readonly timer: NodeJS.Timeout;
  private readonly pids: ReadonlyMap<ServiceName, number>;
  private total = 0;

  /** @param onEnd called once for each process that ends, with how it ended and what it wrote. */
  constructor(
    private readonly set: ParleySet,
    private readonly onEnd: (line: string) => void,
  ) {
    this.pids = new Map([...set.processes].map(([service, one]) => [service, one.pid]));
    this.timer = setInterval(() => this.look(), LOOK_EVERY_MS);
  }

  private look(): void {
    this.total = performance.now() - this.begun;
    for (const [service, one] of this.set.processes) {
      const end = one.end();
      if (end !== null || one.pid !== this.pids.get(service)) {
        clearInterval(this.timer);
        this.onEnd(`${service} ended with ${end?.code ?? end?.signal ?? 'another process id'}: ${one.output()}`);
        return;
      }
      const samples = this.samples.get(service) ?? [];
      this.samples.set(service, samples);
      samples.push({ at: this.total, ...sampleOf(one.pid) });
    }
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Medians of the window after warming up and of the last one, by process. */
  growth(): Growth[] {
    const of = (samples: readonly Sample[], [from, to]: readonly [number, number]): Omit<Sample, 'at'> => {
      const inside = samples.filter(({ at }) => at >= from * this.total && at <= to * this.total);
      return {
        megabytes: median(inside.map((one) => one.megabytes)),
        descriptors: median(inside.map((one) => one.descriptors)),
      };
    };
    return [...this.samples].map(([service, samples]) => {
      const [early, late] = [of(samples, EARLY), of(samples, LATE)];
      const mayHold = Math.max(early.megabytes * MEMORY_BOUND.ratio, early.megabytes + MEMORY_BOUND.megabytes);
      const isFlat = late.megabytes <= mayHold && late.descriptors <= early.descriptors + DESCRIPTOR_BOUND;
      return { service, early, late, isFlat };
    });
  }
}
