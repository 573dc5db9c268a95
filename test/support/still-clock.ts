/**
 * The start of a frozen clock in milliseconds: the beginning of the current second. Changes of one user are at least a
 * millisecond apart, and a user's status has a resolution of one second, so a clock frozen late in a second would lag
 * behind an acceptance made by it.
 */
export function startOfSecond(): number {
  return Math.floor(Date.now() / 1000) * 1000
}
