import { UpstreamClient } from '../upstream/upstream-client';

const HEALTH_MS = 2_000;

/** Asks a model server whether it is ready. */
export class HealthProbe {
  private readonly client: UpstreamClient;

  constructor(baseUrl: string) {
    this.client = new UpstreamClient({ baseUrl, connectTimeoutMs: HEALTH_MS });
  }

  async isHealthy(): Promise<boolean> {
    try {
      return (await this.client.readWhole({ method: 'GET', path: '/health', quietMs: HEALTH_MS })).status === 200;
    } catch {
      return false;
    }
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
