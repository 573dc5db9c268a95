/**
 * How many calls of an operation a minute the provider allows on all items of an account together. Patient calls
 * wait for slots within these.
 */
export type Limits = Readonly<Record<string, number>>

type Environment = 'sandbox' | 'production'

// The rest is for users who are linking, whose calls never wait for a slot.
const PATIENT_PART = 0.8
const OTHERS: Readonly<Record<Environment, Limits>> = {
  production: { 'item/get': 5_000, 'accounts/get': 15_000, 'item/remove': 2_000 },
  sandbox: { 'item/get': 5_000, 'accounts/get': 5_000, 'item/remove': 500 },
}

/** Feeds are read by the worker alone, so all of that limit is its own. */
export function limitsOf(environment: Environment, syncsPerMinute: number): Limits {
  const others = Object.entries(OTHERS[environment]).map(([operation, limit]) => [operation, limit * PATIENT_PART])
  return { ...Object.fromEntries(others), 'transactions/sync': syncsPerMinute }
}
