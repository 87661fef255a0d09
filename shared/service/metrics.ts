import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import type { ServiceName } from '@parley/shared/contracts';

/** Metrics of one process: base units, no ids and no text in labels. */
export interface Metrics {
  readonly registry: Registry;
  readonly requestDuration: Histogram<'operation' | 'status'>;
  readonly errors: Counter<'code'>;
  /** All of the registry as text, with what Node says of the process. */
  exposition(): Promise<string>;
}

/** Gauges of the library under names that Prometheus keeps for counters; they are the sums of others that are there. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** @param instance which one of several processes of the service at one port */
export function createMetrics(service: ServiceName, instance: number | null = null): Metrics {
  const registry = new Registry();
  // Not `instance`: Prometheus gives that name to the address that it asks.
  registry.setDefaultLabels(instance === null ? { service } : { service, process: String(instance) });
  let observesProcess = false;
  return {
    registry,
    requestDuration: new Histogram({
      name: 'parley_http_request_duration_seconds',
      help: 'Time from the request to the end of the answer.',
      labelNames: ['operation', 'status'],
      buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 180],
      registers: [registry],
    }),
    errors: new Counter({
      name: 'parley_errors_total',
      help: 'Errors answered, by code.',
      labelNames: ['code'],
      registers: [registry],
    }),
    async exposition() {
      // They watch the event loop and the garbage collector, which costs memory: only where somebody looks.
      if (!observesProcess) {
        collectDefaultMetrics({ register: registry });
        for (const name of MISNAMED) registry.removeSingleMetric(name);
      }
      observesProcess = true;
      return registry.metrics();
    },
  };
}
