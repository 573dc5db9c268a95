/**
 * Returns 128 random bits in hexadecimal. Browsers offer randomUUID only on secure origins, and the console can also
 * run on plain HTTP in a private network.
 */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
