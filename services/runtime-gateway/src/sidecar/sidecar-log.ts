const LINES = 200;
const LONGEST = 2_000;

/** The last lines of the model server's output, in memory only. */
export class SidecarLog {
  private kept: string[] = [];
  private rest = '';

  /** @param secret Never shown, whatever the server prints. */
  add(text: string, secret: string | null): void {
    const lines = (this.rest + text).split(/\r?\n/);
    this.rest = (lines.pop() ?? '').slice(-LONGEST);
    for (const line of lines) this.push(secret === null ? line : line.replaceAll(secret, '***'));
  }

  /** A line of the gateway's own. */
  note(line: string): void {
    this.push(`[parley] ${line}`);
  }

  get lines(): readonly string[] {
    return this.kept;
  }

  private push(line: string): void {
    this.kept.push(line.slice(0, LONGEST));
    if (this.kept.length > LINES) this.kept = this.kept.slice(-LINES);
  }
}
