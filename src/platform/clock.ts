/** The one source of time. Everything in the domain takes an instant; only edges ask this clock. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

/** Whole seconds since the epoch: two facts within one second are taken as simultaneous. */
export function secondsOf(instant: Date): number {
  return Math.floor(instant.getTime() / 1000)
}
