import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@parley/shared/service';
import type { Database } from '@parley/shared/store';
import { hasPacks } from '../pack-records';

/** Only before the first start of a writer ever: it fills the tables within seconds. */
const LOOK_AGAIN_MS = 500;

/** Waits until a writer has filled the tables: without packs every scenario would be one that is not there. */
export async function packsAreThere(database: Database, logger: Logger): Promise<void> {
  for (let look = 1; !(await hasPacks(database)); look += 1) {
    if (look === 1)
      logger.warn('there are no packs yet: this pack-service only reads, and waits for the one that writes to start');
    await sleep(LOOK_AGAIN_MS);
  }
}
