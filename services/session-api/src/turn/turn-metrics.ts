import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Metrics of the turn: base units, no ids and no text in labels. */
export class TurnMetrics {
  readonly duration: Histogram<'outcome'>;
  readonly fallbacks: Counter<'reason'>;

  constructor(registry: Registry, counts: { turns: () => number; sockets: () => number }) {
    this.duration = new Histogram({
      name: 'parley_turn_duration_seconds',
      help: 'Time of a whole turn.',
      labelNames: ['outcome'],
      buckets: [0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 60, 180],
      registers: [registry],
    });
    this.fallbacks = new Counter({
      name: 'parley_turn_fallback_total',
      help: 'Turns in which the fallback utterance stood in, by reason.',
      labelNames: ['reason'],
      registers: [registry],
    });
    const gauge = (name: string, help: string, read: () => number): void => {
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(read());
        },
      });
    };
    gauge('parley_turns_running', 'Turns that run now.', counts.turns);
    gauge('parley_websocket_connections', 'WebSockets that are open.', counts.sockets);
  }
}
