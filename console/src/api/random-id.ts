/**
 * Returns 128 random bits in hexadecimal. Browsers offer randomUUID only on secure origins, but the console may also
 * run over plain HTTP on a private network.
 */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
