/** How a run is wished for. */
export interface BenchOptions {
  /** Fewer stored sessions and fewer turns: for a run beside other work. The goals are the same. */
  readonly quick: boolean;
}
