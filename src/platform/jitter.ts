/** Returns a random number from 0 up to 1, for spreading work over time. */
export function drawFraction(): number {
  return Math.random()
}

/**
 * Varies a pause randomly, so that work that failed together is not retried together.
 * @param spread the range of the variation: 1 for a factor from 0.5 to 1.5
 */
export function addJitter(pauseMs: number, spread = 1): number {
  return pauseMs * (1 + spread * (drawFraction() - 0.5))
}
