/** The only source of time. Domain code takes instants as arguments. Only routes and jobs read the clock. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

/** Returns whole seconds since the epoch. Events within the same second count as simultaneous. */
export function toSeconds(instant: Date): number {
  return Math.floor(instant.getTime() / 1000)
}
