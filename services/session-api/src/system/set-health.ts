import { callRoute, peerRequest, readText, withinTime } from '@parley/shared/client';
import {
  PROBE_PATHS,
  Readyz,
  SHARED_FAULT_KINDS,
  VERSION,
  type Health,
  type PeerHealth,
  type RuntimeHealth,
  type Settings,
  type StorageWarning,
  GATEWAY_ROUTES,
} from '@parley/shared/contracts';
import type { SessionApiConfig } from '../config';

/** Probes are not repeated within this time: a page that polls costs the peers nothing. */
const CACHED_MS = 2_000;
const PROBE_TIMEOUT_MS = 1_500;
/** A model server that is far or busy may take a while to say how it is; a gateway that says nothing at all does not. */
const RUNTIME_TIMEOUT_MS = 8_000;
const MAX_PROBE_BYTES = 64 * 1024;

export interface PeerProbe extends PeerHealth {
  readonly ready: Readyz | null;
}

/** What makes some talks impossible, although everything can be stored. */
const isSharedFault = (code: StorageWarning['code']): boolean => SHARED_FAULT_KINDS.some((one) => one === code);

const PEERS = ['pack_service', 'runtime_gateway', 'debrief_worker', 'ui'] as const;
type Peer = (typeof PEERS)[number];

/** What this process knows itself. */
export interface OwnHealth {
  storage(): Health['storage'];
  /** What the runtime says of itself, in the light of what is asked of it. */
  judged(runtime: RuntimeHealth): Promise<RuntimeHealth>;
}

/** What a process of the set says of itself. @param address of it */
export async function probe(address: string): Promise<PeerProbe> {
  const begun = performance.now();
  let latency_ms: number | null = null;
  try {
    return await withinTime(PROBE_TIMEOUT_MS, undefined, async (signal) => {
      const answer = await peerRequest(address + PROBE_PATHS.readyz, { method: 'GET', signal });
      latency_ms = Math.round((performance.now() - begun) * 100) / 100;
      const ready = Readyz.safeParse(JSON.parse(await readText(answer, MAX_PROBE_BYTES)));
      if (!ready.success) return { status: 'unavailable', latency_ms, ready: null };
      return { status: answer.statusCode === 200 ? 'ok' : 'degraded', latency_ms, ready: ready.data };
    });
  } catch {
    return { status: 'unavailable', latency_ms, ready: null };
  }
}

/** What is known of the other processes of the set, asked at most once in two seconds. */
export class SetHealth {
  private probing: Promise<{ runtime: RuntimeHealth; peers: Record<Peer, PeerProbe> }> | null = null;
  private probedAt = -Infinity;
  private runtimeName: { id: string; name: string };
  private readonly startedAt = performance.now();

  constructor(
    private readonly config: SessionApiConfig,
    runtimeId: string,
    private readonly now: () => Date,
    private readonly own: OwnHealth,
  ) {
    this.runtimeName = { id: runtimeId, name: runtimeId };
  }

  probes(): Promise<{ runtime: RuntimeHealth; peers: Record<Peer, PeerProbe> }> {
    if (this.probing === null || performance.now() - this.probedAt > CACHED_MS) {
      this.probedAt = performance.now();
      this.probing = this.probe();
    }
    return this.probing;
  }

  /** Asks anew at the next look: another runtime plays. */
  forget(): void {
    this.probing = null;
  }

  private async probe(): Promise<{ runtime: RuntimeHealth; peers: Record<Peer, PeerProbe> }> {
    const probing = PEERS.map((peer) => probe(this.config.base.peers[peer]));
    const runtime = await this.runtime(probing[PEERS.indexOf('runtime_gateway')] as Promise<PeerProbe>);
    const probes = await Promise.all(probing);
    const peers = Object.fromEntries(PEERS.map((peer, at) => [peer, probes[at]])) as Record<Peer, PeerProbe>;
    // Another gateway has no /readyz of ours: what counts is that its contract answers.
    if (peers.runtime_gateway.ready === null && runtime.message !== UNREACHABLE)
      peers.runtime_gateway = { status: 'ok', latency_ms: peers.runtime_gateway.latency_ms, ready: null };
    return { runtime, peers };
  }

  private async runtime(gateway: Promise<PeerProbe>): Promise<RuntimeHealth> {
    try {
      const timeoutMs = (await gateway).latency_ms === null ? PROBE_TIMEOUT_MS : RUNTIME_TIMEOUT_MS;
      const health = await callRoute(
        this.config.base.peers.runtime_gateway,
        GATEWAY_ROUTES.getRuntimeHealth,
        {},
        { timeoutMs },
      );
      this.runtimeName = { id: health.runtime_id, name: health.runtime_name };
      return health;
    } catch {
      return {
        runtime_id: this.runtimeName.id,
        runtime_name: this.runtimeName.name,
        status: 'UNAVAILABLE',
        model_id: null,
        latency_ms: null,
        message: UNREACHABLE,
        checked_at: this.now().toISOString(),
      };
    }
  }

  async health(settings: Settings): Promise<Health> {
    const { runtime: probed, peers } = await this.probes();
    const runtime = await this.own.judged(probed);
    const part = (peer: Peer): PeerHealth => ({ status: peers[peer].status, latency_ms: peers[peer].latency_ms });
    const services = {
      pack_service: part('pack_service'),
      runtime_gateway: part('runtime_gateway'),
      debrief_worker: part('debrief_worker'),
    };
    const storage = this.own.storage();
    const well =
      runtime.status === 'READY' &&
      storage.status === 'ok' &&
      !storage.warnings.some(({ code }) => isSharedFault(code)) &&
      Object.values(services).every((one) => one.status === 'ok');
    return {
      status: well ? 'ok' : 'degraded',
      version: VERSION,
      uptime_s: Math.round((performance.now() - this.startedAt) / 1000),
      runtime,
      privacy: {
        telemetry_enabled: false,
        save_transcripts: settings.save_transcripts,
        lan_access_enabled: this.config.base.host !== '127.0.0.1',
      },
      storage,
      services,
    };
  }
}

const UNREACHABLE = 'The runtime gateway cannot be reached. Check that all of Parley runs with npm run status.';
