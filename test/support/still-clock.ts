/**
 * Where a clock that stands still begins, in milliseconds: at the beginning of the current second. Changes of one user
 * are at least a millisecond apart, and the status of a user is known to the second; a clock that stood at the end of
 * a second would be before an acceptance that was made by it.
 */
export function startOfSecond(): number {
  return Math.floor(Date.now() / 1000) * 1000
}
