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
