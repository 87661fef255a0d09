/** How the text in the editor stands to the file. */
export type SaveState = 'saved' | 'changed' | 'saving' | 'conflict' | 'failed';

export interface OpenFile {
  readonly path: string;
  readonly text: string;
  /** null for a file that is not there yet. */
  readonly version: string | null;
}

export interface SaverPorts {
  /** @returns the new version. @throws what isConflict knows, when somebody else was faster. */
  save(path: string, text: string, base: string | null): Promise<string>;
  isConflict(error: unknown): boolean;
  onState(state: SaveState, error: unknown): void;
  /** Told after a text was saved and nothing is left to save. */
  onSaved(): void;
  /** @returns what takes it back. */
  later(work: () => void): () => void;
}

/**
 * Saves what is typed after a pause, one save at a time, each in the place of the version before. A text that could not be saved
 * stays and is saved with the next change, but never over what somebody else has saved.
 */
export class FileSaver {
  private path: string | null = null;
  private text = '';
  private savedText = '';
  private base: string | null = null;
  private state: SaveState = 'saved';
  private takeBack: () => void = () => undefined;
  private running: Promise<void> | null = null;

  constructor(private readonly ports: SaverPorts) {}

  open({ path, text, version }: OpenFile): void {
    this.takeBack();
    this.path = path;
    this.text = text;
    this.savedText = text;
    this.base = version;
    this.tell('saved');
  }

  get current(): string {
    return this.text;
  }

  /** Whether something would be lost if the page were closed now. */
  get isDirty(): boolean {
    return this.path !== null && this.text !== this.savedText;
  }

  change(text: string): void {
    this.text = text;
    if (this.state === 'conflict') return;
    if (this.running === null) this.tell('changed');
    this.takeBack();
    this.takeBack = this.ports.later(() => void this.flush());
  }

  /** Saves now what is not saved yet. @returns whether all is saved. */
  async flush(): Promise<boolean> {
    this.takeBack();
    while (this.running !== null) await this.running;
    if (this.isDirty && this.state !== 'conflict') {
      this.running = this.saveOnce().finally(() => {
        this.running = null;
      });
      await this.running;
    }
    return !this.isDirty;
  }

  /** The author's text stays, and takes the place of the version that the other has saved. */
  async keepMine(theirVersion: string | null): Promise<boolean> {
    this.base = theirVersion;
    this.tell('changed');
    return this.flush();
  }

  private async saveOnce(): Promise<void> {
    const { path, text, base } = this;
    if (path === null) return;
    this.tell('saving');
    try {
      const version = await this.ports.save(path, text, base);
      if (this.path !== path) return;
      this.base = version;
      this.savedText = text;
      this.tell(this.isDirty ? 'changed' : 'saved');
      if (!this.isDirty) this.ports.onSaved();
    } catch (error) {
      if (this.path === path) this.tell(this.ports.isConflict(error) ? 'conflict' : 'failed', error);
    }
  }

  private tell(state: SaveState, error: unknown = null): void {
    this.state = state;
    this.ports.onState(state, error);
  }
}
