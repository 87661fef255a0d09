import { ServiceError, type RuntimeChoice, type RuntimeChoiceState } from '@parley/shared/contracts';
import type { Logger } from '@parley/shared/service';
import type { ChosenServer, Provider, ProviderSurroundings } from '../providers/provider';
import { RUNTIME_VARIABLE, type ConfiguredRuntimes, type RuntimeId } from './configured-runtimes';

/** A provider and how many use it. */
class Lease {
  private users = 0;
  private isRetired = false;
  private isClosed = false;

  constructor(
    readonly provider: Provider,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** @returns gives it back; calling that again has no effect. */
  take(): () => void {
    this.users += 1;
    let isGivenBack = false;
    return () => {
      if (isGivenBack) return;
      isGivenBack = true;
      this.users -= 1;
      this.closeWhenUnused();
    };
  }

  /** Nobody new gets it; it is closed when the last user has given it back. */
  retire(): void {
    this.isRetired = true;
    this.closeWhenUnused();
  }

  private closeWhenUnused(): void {
    if (!this.isRetired || this.users > 0 || this.isClosed) return;
    this.isClosed = true;
    void this.provider.close().catch(this.onFailure);
  }
}

export interface BorrowedProvider {
  readonly provider: Provider;
  readonly giveBack: () => void;
}

export interface ActiveRuntimeOptions {
  readonly runtimes: ConfiguredRuntimes;
  readonly surroundings: ProviderSurroundings;
  readonly logger: Logger;
  /** What was chosen before this process started; SIM_RUNTIME_ID wins over it. */
  readonly stored: RuntimeChoice | null;
  /** In the place of the one that would be made; for tests. */
  readonly provider?: Provider;
  /** Told after every change. */
  readonly onChange?: () => void;
}

/**
 * The runtime that plays. It is what SIM_RUNTIME_ID says, else what was chosen, else the demo voice, and changes only when
 * somebody chooses: no other takes its place when it is ill. What runs when it changes is finished by the one that began it.
 */
export class ActiveRuntime {
  private lease: Lease;
  private choice: RuntimeChoice;
  private isChosen: boolean;

  constructor(private readonly options: ActiveRuntimeOptions) {
    const { runtimes, stored } = options;
    this.isChosen = runtimes.fixed_id === null && stored !== null;
    this.choice = this.isChosen && stored !== null ? stored : { runtime_id: runtimes.fixed_id ?? 'fake' };
    this.lease = this.leaseOf(options.provider ?? this.create(this.choice));
  }

  /** For questions that are answered at once. What waits for the runtime borrows it, or uses `use`. */
  get provider(): Provider {
    return this.lease.provider;
  }

  /** Lends the provider that plays now: it stays open until it is given back, whatever is chosen meanwhile. */
  borrow(): BorrowedProvider {
    const { lease } = this;
    return { provider: lease.provider, giveBack: lease.take() };
  }

  async use<T>(work: (provider: Provider) => Promise<T>): Promise<T> {
    const { provider, giveBack } = this.borrow();
    try {
      return await work(provider);
    } finally {
      giveBack();
    }
  }

  get state(): RuntimeChoiceState {
    const { fixed_id: fixedId } = this.options.runtimes;
    const chosen = this.chosenServer(this.choice);
    return {
      decided_by: fixedId !== null ? 'environment' : this.isChosen ? 'choice' : 'default',
      runtime_id: this.provider.id,
      base_url: chosen.base_url ?? this.options.runtimes.byId[this.choice.runtime_id].base_url,
      model_id: chosen.model_id ?? null,
      variables: this.variables(),
      can_change: fixedId === null,
    };
  }

  /** Whether GGUF files are worth installing: the one that plays loads them, or one that does can be chosen. */
  get takesModelFiles(): boolean {
    const { fixed_id: fixedId, byId } = this.options.runtimes;
    // Several local servers are none that could be started with a file.
    return this.provider.uses_model_files === true || (fixedId === null && byId.local_server.base_url !== null);
  }

  /**
   * Plays with another runtime from now on.
   * @throws ServiceError SETTING_READ_ONLY when the environment decides it.
   */
  choose(choice: RuntimeChoice): RuntimeChoiceState {
    this.refuseFixed(choice);
    const before = this.lease;
    this.lease = this.leaseOf(this.create(choice));
    this.choice = choice;
    this.isChosen = true;
    before.retire();
    this.options.logger.info({ runtime_id: choice.runtime_id }, 'another runtime was chosen');
    this.options.onChange?.();
    return this.state;
  }

  async close(): Promise<void> {
    await this.provider.close();
  }

  private leaseOf(provider: Provider): Lease {
    return new Lease(provider, (error) => this.options.logger.warn({ err: error }, 'a runtime did not close in order'));
  }

  private create(choice: RuntimeChoice): Provider {
    const { runtimes, surroundings } = this.options;
    return runtimes.byId[choice.runtime_id].create(surroundings, this.chosenServer(choice));
  }

  /** What is left of a choice beside what the environment decides. */
  private chosenServer({ runtime_id: id, base_url, model_id }: RuntimeChoice): ChosenServer {
    const { fixed } = this.options.runtimes.byId[id];
    return {
      ...(base_url === undefined || fixed.base_url !== undefined ? {} : { base_url }),
      ...(model_id === undefined || fixed.model_id !== undefined ? {} : { model_id }),
    };
  }

  private variables(): string[] {
    const { fixed_id: fixedId, byId } = this.options.runtimes;
    const ofServers = (Object.keys(byId) as RuntimeId[]).flatMap((id) => Object.values(byId[id].fixed));
    return fixedId === null ? ofServers : [RUNTIME_VARIABLE, ...ofServers];
  }

  private refuseFixed({ runtime_id: id, base_url, model_id }: RuntimeChoice): void {
    const { fixed_id: fixedId, byId } = this.options.runtimes;
    const { fixed, base_url: address } = byId[id];
    if (fixedId !== null) throw readOnly(`${RUNTIME_VARIABLE} decides who plays`, RUNTIME_VARIABLE);
    if (fixed.base_url !== undefined && base_url !== undefined && base_url !== address)
      throw readOnly(`${fixed.base_url} decides the address of this runtime`, fixed.base_url);
    if (fixed.model_id !== undefined && model_id !== undefined)
      throw readOnly(`${fixed.model_id} decides the model of this runtime`, fixed.model_id);
  }
}

const readOnly = (what: string, variable: string): ServiceError =>
  new ServiceError(
    'SETTING_READ_ONLY',
    `${what}: take it out of .env or the shell and start Parley again to choose here.`,
    { details: { variable } },
  );
