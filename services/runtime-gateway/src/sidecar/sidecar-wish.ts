import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const Wish = z.object({ model_id: z.string().nullable() });
type Wish = z.infer<typeof Wish>;

/** That the model server is wanted, on disk: a gateway that starts again starts it again, until somebody stops it. */
export class SidecarWish {
  private readonly file: string;

  constructor(dataDir: string) {
    this.file = path.join(dataDir, 'sidecar-wish.json');
  }

  /** @param modelId As it was asked for; null: the first that is installed. A full disk only loses the wish. */
  remember(modelId: string | null): void {
    const wish: Wish = { model_id: modelId };
    try {
      mkdirSync(path.dirname(this.file), { recursive: true });
      writeFileSync(this.file, JSON.stringify(wish), { mode: 0o600 });
    } catch {
      this.forget();
    }
  }

  /** On a read-only disk the wish stays, and the next gateway starts the server again. */
  forget(): void {
    try {
      rmSync(this.file, { force: true });
    } catch {
      // Somebody can still stop that server.
    }
  }

  /** null: nobody wants it, or what is written cannot be read. */
  read(): Wish | null {
    try {
      return Wish.parse(JSON.parse(readFileSync(this.file, 'utf8')));
    } catch {
      return null;
    }
  }
}
