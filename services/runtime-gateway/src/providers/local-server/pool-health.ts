import type { RuntimeHealth, RuntimeModel, RuntimeStatus } from '@parley/shared/contracts';

/** What one server of a pool says of itself. */
export interface MemberReport {
  readonly address: string;
  readonly health: RuntimeHealth;
}

interface Fault {
  readonly status: RuntimeStatus;
  readonly one: string;
  readonly several: string;
}

/** What keeps a server from playing. When none plays, the first of these that is found is the health of the pool. */
const FAULTS: readonly Fault[] = [
  { status: 'STARTING', one: 'is loading its model', several: 'are loading their models' },
  { status: 'ERROR', one: 'answers wrongly', several: 'answer wrongly' },
  { status: 'UNAVAILABLE', one: 'does not answer', several: 'do not answer' },
];

/** What is wrong with some of the servers while others play; null when nothing is. */
function remark(reports: readonly MemberReport[]): string | null {
  const faults = FAULTS.flatMap(({ status, one, several }) => {
    const found = reports.filter(({ health }) => health.status === status).map(({ address }) => address);
    if (found.length === 0) return [];
    const what = found.length === 1 ? `model servers ${one}` : `model servers ${several}`;
    return [`${found.length} of ${reports.length} ${what}: ${found.join(', ')}.`];
  });
  const models = new Set(reports.flatMap(({ health }) => (health.status === 'READY' ? [health.model_id] : [])));
  models.delete(null);
  if (models.size > 1)
    faults.push(`The model servers play different models (${[...models].join(', ')}): start all with the same one.`);
  return faults.length === 0 ? null : faults.join(' ');
}

/**
 * The health of a pool: READY while one of its servers is, with a message that names the others; else that of a server, as if it
 * were the only one.
 */
export function poolHealth(reports: readonly [MemberReport, ...MemberReport[]]): RuntimeHealth {
  const ready = reports.filter(({ health }) => health.status === 'READY').map(({ health }) => health);
  const [first] = ready;
  if (first !== undefined) {
    const latency_ms = Math.max(...ready.map((health) => health.latency_ms ?? 0));
    return { ...first, latency_ms, message: remark(reports) };
  }
  const statuses = FAULTS.map(({ status }) => reports.find(({ health }) => health.status === status));
  return (statuses.find((report) => report !== undefined) ?? reports[0]).health;
}

const smallest = (lengths: readonly (number | null)[]): number | null => {
  const known = lengths.filter((length) => length !== null);
  return known.length === 0 ? null : Math.min(...known);
};

/** The models that every server has, in the order of the first: a chat that names one may go to any of them. */
export function commonModels(lists: readonly (readonly RuntimeModel[])[]): RuntimeModel[] {
  const [first = [], ...others] = lists;
  return first.flatMap((model) => {
    const same = others.map((list) => list.find(({ id }) => id === model.id));
    if (same.includes(undefined)) return [];
    const everywhere = [model, ...same.filter((one) => one !== undefined)];
    return [
      {
        ...model,
        context_length: smallest(everywhere.map(({ context_length }) => context_length)),
        loaded: everywhere.every(({ loaded }) => loaded),
      },
    ];
  });
}
