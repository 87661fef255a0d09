/** Where a command writes: data to stdout, talk to stderr. */
export interface CommandOutput {
  stdout(text: string): void;
  stderr(text: string): void;
}
