import { ServiceError, type ChatRequest, type RuntimeHealth, type RuntimeModel } from '@parley/shared/contracts';
import type { GeneratedItem, Provider, ProviderSurroundings, ServerLoad } from '../provider';
import { chooseServer } from './choose-server';
import { DISPLAY_NAME, ID, LocalServer } from './local-server';
import { shownAddress, type LocalServerSettings } from './local-server-settings';
import { commonModels, poolHealth, type MemberReport } from './pool-health';
import { PoolMember } from './pool-member';

/**
 * Several local servers that serve the same model. A talk keeps its server, where its prompt is cached, as long as that one is well and
 * has not clearly more to do than the others. A chat that loses its server before its first item goes on at the next one.
 */
export class LocalServerPool implements Provider {
  readonly id = ID;
  readonly display_name = DISPLAY_NAME;
  readonly capabilities;
  private readonly members: readonly [PoolMember, ...PoolMember[]];
  private given = 0;

  constructor(
    addresses: readonly [string, ...string[]],
    settings: Omit<LocalServerSettings, 'base_url'>,
    surroundings: ProviderSurroundings,
  ) {
    // Files of this machine are of no use to servers that Parley does not start.
    const own = { ...surroundings, installedModels: () => Promise.resolve([]) };
    const memberAt = (base_url: string): PoolMember =>
      new PoolMember(shownAddress(base_url), new LocalServer({ ...settings, base_url }, own), surroundings.logger);
    const [first, ...others] = addresses;
    this.members = [memberAt(first), ...others.map(memberAt)];
    this.capabilities = this.members[0].server.capabilities;
  }

  get servers(): readonly ServerLoad[] {
    return this.members;
  }

  async *chatStream(request: ChatRequest, signal: AbortSignal, talk: string | null): AsyncGenerator<GeneratedItem> {
    const tried = new Set<PoolMember>();
    for (;;) {
      const member = this.begin(talk, tried);
      let hasBegun = false;
      try {
        for await (const item of member.server.chatStream(request, signal)) {
          hasBegun = true;
          yield item;
        }
        return;
      } catch (error) {
        const goesOn = this.failed(member, error, tried, signal);
        // Nobody can take back what the caller has heard.
        if (hasBegun || !goesOn) throw error;
      } finally {
        member.running -= 1;
      }
    }
  }

  async prewarm(request: ChatRequest, signal: AbortSignal, talk: string | null): Promise<void> {
    const tried = new Set<PoolMember>();
    for (;;) {
      const member = this.begin(talk, tried);
      try {
        return await member.server.prewarm(request, signal);
      } catch (error) {
        if (!this.failed(member, error, tried, signal)) throw error;
      } finally {
        member.running -= 1;
      }
    }
  }

  /** What all servers have that answer; one that is left out is not asked while others are well. */
  async listModels(): Promise<RuntimeModel[]> {
    const well = this.members.filter((member) => member.is_well);
    const asked = well.length > 0 ? well : this.members;
    const answers = await Promise.allSettled(asked.map(({ server }) => server.listModels()));
    const lists = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    const refused = answers.find((answer) => answer.status === 'rejected');
    if (lists.length === 0 && refused !== undefined) throw refused.reason;
    return commonModels(lists);
  }

  async health(): Promise<RuntimeHealth> {
    const report = async (member: PoolMember): Promise<MemberReport> => ({
      address: member.address,
      health: await member.health(),
    });
    const [first, ...others] = this.members;
    const [own, ...rest] = [report(first), ...others.map(report)] as const;
    return poolHealth([await own, ...(await Promise.all(rest))]);
  }

  async close(): Promise<void> {
    await Promise.all(this.members.map((member) => member.close()));
  }

  /** The server for a chat, which counts as running there. While none is well they are tried all the same. */
  private begin(talk: string | null, tried: ReadonlySet<PoolMember>): PoolMember {
    const left = this.left(tried);
    const member = chooseServer(talk, left.length > 0 ? left : this.members) ?? this.members[0];
    member.running += 1;
    member.given_at = this.given += 1;
    return member;
  }

  private left(tried: ReadonlySet<PoolMember>): readonly PoolMember[] {
    return this.members.filter((member) => member.is_well && !tried.has(member));
  }

  /** Goes by a failure. @returns whether the chat can go on at another server. */
  private failed(member: PoolMember, error: unknown, tried: Set<PoolMember>, signal: AbortSignal): boolean {
    // The caller went away: that says nothing about the server.
    if (signal.aborted || !(error instanceof ServiceError)) return false;
    tried.add(member);
    if (error.code === 'RUNTIME_UNAVAILABLE') {
      member.leaveOut(error.code);
      return this.left(tried).length > 0;
    }
    // Silence and errors may be of this chat alone: its health tells.
    void member.look();
    return false;
  }
}
