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
