import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { RuntimeChoice, StartError } from '@parley/shared/contracts';
import { databaseAddress, type DatabasePlace } from './database-address';
import { asOpenError } from './postgres-failures';
import { readServerSetting } from './postgres-read-setting';
import { isCorrupt } from './sqlite-failures';
import { readSetting } from './sqlite-read-setting';
import { storedJson } from './stored-json';

/** Row of the settings table; its own, beside the user settings. */
export const RUNTIME_CHOICE_KEY = 'runtime_choice';

const StoredChoice = storedJson(RuntimeChoice);

const TRIES = 50;
const PAUSE_MS = 100;
/** A server that the machine starts at the same time needs a while. */
const SERVER_PAUSE_MS = 200;

/** The choice out of its row; one that is damaged or does not fit counts as absent, as other settings do. */
export function choiceOf(value: string | undefined): RuntimeChoice | null {
  if (value === undefined) return null;
  const choice = StoredChoice.safeParse(value);
  return choice.success ? choice.data : null;
}

/**
 * Reads the choice of the runtime once and opens nothing for writing: for a process that has no database of its own. Without
 * a file, a table or a row there is no choice. A module of its own, since the rest of the store takes 8 MB and a third of a second to load.
 * @throws StartError when SIM_DATABASE_URL names a database that Parley does not speak to, and when the file is there, or the server is
 * named, and cannot be read for some seconds: to play with another runtime than the chosen one would be worse than not to play.
 */
export async function readStoredChoice(place: DatabasePlace): Promise<RuntimeChoice | null> {
  const address = databaseAddress(place);
  return address.system === 'sqlite' ? choiceInFile(address.file) : choiceOnServer(address);
}

async function choiceInFile(file: string): Promise<RuntimeChoice | null> {
  if (!existsSync(file)) return null;
  const { default: Driver } = await import('better-sqlite3');
  for (let attempt = 1; ; attempt += 1) {
    try {
      return choiceOf(readSetting(Driver, file, RUNTIME_CHOICE_KEY));
    } catch (error) {
      // A damaged file keeps the process that owns it from starting, which says so; nothing is played then.
      if (isCorrupt(error)) return null;
      if (attempt >= TRIES)
        throw new StartError(
          `Which runtime was chosen cannot be read from ${file}: see that no other program holds it and that the disk has room, then start again.`,
          { cause: error },
        );
      await sleep(PAUSE_MS);
    }
  }
}

async function choiceOnServer({
  url,
  label,
}: {
  readonly url: string;
  readonly label: string;
}): Promise<RuntimeChoice | null> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return choiceOf(await readServerSetting(url, RUNTIME_CHOICE_KEY));
    } catch (error) {
      if (attempt >= TRIES) throw asOpenError(error, label);
      await sleep(SERVER_PAUSE_MS);
    }
  }
}
