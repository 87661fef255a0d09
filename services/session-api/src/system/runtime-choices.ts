import { lookup } from 'node:dns/promises';
import { callRoute } from '@parley/shared/client';
import {
  ServiceError,
  type RuntimeChoice,
  type RuntimeChoiceState,
  GATEWAY_ROUTES,
  CHOICE_ROUTES,
} from '@parley/shared/contracts';
import { getRuntimeChoice, putRuntimeChoice, type Database } from '@parley/shared/store';

export interface RuntimeChoicesOptions {
  readonly database: Database;
  /** Address of the gateway. */
  readonly gateway: string;
  readonly timeoutMs: number;
  /** What was known of the runtime before is not true of the next one. */
  readonly onChange: () => void;
  /** The addresses that a name stands for; for tests. */
  readonly addressesOf?: (host: string) => Promise<string[]>;
}

/** @returns nothing when nobody knows the name: the call that follows says so. */
async function addressesOf(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true, family: 4 }).catch(() => []);
  return found.map(({ address }) => address);
}

/**
 * Who plays: the gateway knows it, the database keeps what was chosen. This process alone writes it, and the gateway reads it
 * once, at its start.
 */
export class RuntimeChoices {
  /** One change after the other: what is stored last is what plays. */
  private changing: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: RuntimeChoicesOptions) {}

  /** @throws ServiceError SERVICE_UNAVAILABLE when the gateway cannot be reached. */
  async state(requestId: string): Promise<RuntimeChoiceState> {
    const { gateway, timeoutMs } = this.options;
    try {
      return await callRoute(gateway, CHOICE_ROUTES.getGatewayChoice, {}, { requestId, timeoutMs });
    } catch (error) {
      if (!isUnknownCall(error)) throw error;
    }
    const { id } = await callRoute(gateway, GATEWAY_ROUTES.getRuntime, {}, { requestId, timeoutMs });
    return {
      decided_by: 'gateway',
      runtime_id: id,
      base_url: null,
      model_id: null,
      variables: ['SIM_GATEWAY_URL'],
      can_change: false,
    };
  }

  /**
   * Keeps the choice and has the gateway play with it. Stored first, so that a crash in between leaves what was asked for;
   * taken back when the gateway refuses it.
   * @throws ServiceError SETTING_READ_ONLY, also when there are several gateways; NOT_SUPPORTED_BY_RUNTIME, SERVICE_UNAVAILABLE
   */
  change(choice: RuntimeChoice, requestId: string): Promise<RuntimeChoiceState> {
    const change = this.changing.then(() => this.carryOut(choice, requestId));
    this.changing = change.catch(() => undefined);
    return change;
  }

  private async carryOut(choice: RuntimeChoice, requestId: string): Promise<RuntimeChoiceState> {
    const { database, gateway, timeoutMs } = this.options;
    const { decided_by: decidedBy } = await this.state(requestId);
    // Where the environment decides, the gateway refuses the choice itself.
    if (decidedBy !== 'environment') await this.refuseSeveral();
    if (decidedBy === 'gateway')
      throw new ServiceError(
        'NOT_SUPPORTED_BY_RUNTIME',
        'The gateway that SIM_GATEWAY_URL names decides what plays; change it there.',
      );
    const before = await getRuntimeChoice(database);
    const store = (kept: RuntimeChoice | null): Promise<void> =>
      database.write((transaction) => putRuntimeChoice(transaction, kept));
    await store(choice);
    try {
      const state = await callRoute(
        gateway,
        CHOICE_ROUTES.putGatewayChoice,
        { body: choice },
        { requestId, timeoutMs },
      );
      this.options.onChange();
      // Another process may have stored another choice meanwhile and told the gateway before us: what is stored plays.
      const stored = await getRuntimeChoice(database);
      if (stored === null || JSON.stringify(stored) === JSON.stringify(choice)) return state;
      return await callRoute(gateway, CHOICE_ROUTES.putGatewayChoice, { body: stored }, { requestId, timeoutMs });
    } catch (error) {
      await store(before);
      throw error;
    }
  }

  /** A call reaches one of several gateways behind a name: the others would play on with what they had. */
  private async refuseSeveral(): Promise<void> {
    const { gateway, addressesOf: find = addressesOf } = this.options;
    if (new Set(await find(new URL(gateway).hostname)).size <= 1) return;
    throw new ServiceError(
      'SETTING_READ_ONLY',
      'Several gateways answer at SIM_GATEWAY_URL, and a choice would reach one of them: set SIM_RUNTIME_ID for all of them instead.',
      { details: { variable: 'SIM_RUNTIME_ID' } },
    );
  }
}

/** Another gateway: its 404 is no problem document of ours, or one that says that it has no such call. */
const isUnknownCall = (error: unknown): boolean =>
  error instanceof ServiceError &&
  (error.code === 'NOT_FOUND' ||
    error.code === 'METHOD_NOT_ALLOWED' ||
    (error.code === 'SERVICE_UNAVAILABLE' && /status (404|405|501)\b/.test(error.message)));
