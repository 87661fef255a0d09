import type { GatewayUnderTest } from './gateway-under-test';

/** One thing that the gateway contract promises. */
export interface Check {
  /** Stable id, for reports. */
  readonly id: string;
  /** What is promised, as a sentence. */
  readonly title: string;
  /** Resolves when it holds, with a remark where there is one; throws when it does not. */
  run(gateway: GatewayUnderTest): Promise<string | void>;
}

/** The promise is broken; the message says how. */
export class BrokenPromise extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BrokenPromise';
  }
}

/** @throws BrokenPromise unless the condition holds. */
export function demand(condition: boolean, message: string): asserts condition {
  if (!condition) throw new BrokenPromise(message);
}
