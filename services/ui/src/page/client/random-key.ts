/** A key for Idempotency-Key: 128 random bits in hexadecimal. Also works on a LAN, where no secure context is. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
