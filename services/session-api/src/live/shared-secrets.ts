import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/**
 * What the processes of a set know and nobody else does: neither PostgreSQL nor Redis. All of it follows from the key that
 * calls between them carry, so that any of them reads what another one has written.
 */
export interface SharedSecrets {
  /** Begins the names of everything that the set has in Redis: several sets may use one. */
  readonly name: string;
  /** For digests of texts that are not saved. */
  readonly digestKey: Buffer;
  /** @param place what the text belongs to: it can be opened in the name of the same place only. */
  seal(place: string, text: string): Buffer;
  /** null: it was not sealed by this set for this place, or was changed since. */
  open(place: string, sealed: Buffer): string | null;
}

/** @param internalKey SIM_INTERNAL_KEY. */
export function sharedSecrets(internalKey: string): SharedSecrets {
  const derived = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', internalKey, 'parley', purpose, KEY_BYTES));
  const sealing = derived('what lies in Redis');
  // A key for each place: a nonce by chance is safe for fewer messages than a busy year has.
  const keyOf = (place: string): Buffer => createHmac('sha256', sealing).update(place).digest();
  return {
    name: `parley:${derived('names in Redis').toString('hex').slice(0, 12)}`,
    digestKey: derived('digests of texts'),
    seal(place, text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, keyOf(place), nonce);
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    },
    open(place, sealed) {
      const text = NONCE_BYTES + TAG_BYTES;
      if (sealed.length < text) return null;
      const decipher = createDecipheriv(CIPHER, keyOf(place), sealed.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(sealed.subarray(NONCE_BYTES, text));
      try {
        return Buffer.concat([decipher.update(sealed.subarray(text)), decipher.final()]).toString('utf8');
      } catch {
        return null;
      }
    },
  };
}
