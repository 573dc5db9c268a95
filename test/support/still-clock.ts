/**
 * Returns the time for a frozen clock in milliseconds, at the start of the current second. Changes to one user are at
 * least a millisecond apart, and a user's status has a resolution of one second, so a clock frozen late in a second
 * would lag behind an acceptance made with it.
 */
export function startOfSecond(): number {
  return Math.floor(Date.now() / 1000) * 1000
}
