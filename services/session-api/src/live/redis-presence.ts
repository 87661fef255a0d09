import type { Logger } from '@parley/shared/service';
import type { Database } from '@parley/shared/store';
import type { Hearing, Presence } from './presence';
import { RedisBus } from './redis-bus';
import { RedisLink, redisFaultText } from './redis-link';
import { RedisTexts } from './redis-texts';
import { sharedSecrets } from './shared-secrets';
import { StoredTurnClaims } from './stored-turn-claims';

export interface RedisPresenceOptions {
  readonly url: string;
  readonly internalKey: string;
  readonly database: Database;
  readonly logger: Logger;
}

/** What several processes share: rows of the database for what must not be lost, Redis for what may. */
export async function redisPresence({ url, internalKey, database, logger }: RedisPresenceOptions): Promise<Presence> {
  const secrets = sharedSecrets(internalKey);
  const link = await RedisLink.to(url, logger);
  let hearing: Hearing | null = null;
  const bus = new RedisBus({
    link,
    secrets,
    logger,
    obey: (order) => hearing?.obey(order),
    caughtUp: (heard) => hearing?.caughtUp(heard),
  });
  const claims = new StoredTurnClaims({ database, logger, digestKey: secrets.digestKey, bus });
  return {
    isAlone: false,
    bus,
    claims,
    words: new RedisTexts(link, secrets, logger),
    digestKey: secrets.digestKey,
    fault() {
      const code = link.toldFault;
      return code === null ? null : { code, message: redisFaultText(code) };
    },
    async open(who) {
      hearing = who;
      await link.start();
    },
    async close() {
      claims.close();
      await bus.close();
    },
  };
}
