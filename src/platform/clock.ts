/** The only source of time. Domain code takes instants as arguments; only routes and jobs read the clock. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

/** Whole seconds since the epoch: what happens within one second counts as simultaneous. */
export function secondsOf(instant: Date): number {
  return Math.floor(instant.getTime() / 1000)
}
