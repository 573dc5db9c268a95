import { lookUp } from '../state.ts'
import type { Destination, Outcome, PlannedStep } from './state.ts'

/** The last two digits of the destination determine the outcome of a payout. README.md has the full table. */
type Plan = {
  /**
   * The result of the request. A payout whose response is lost is still recorded, but an unavailable bank records
   * nothing.
   */
  readonly request: 'accepted' | 'refused' | 'first_answer_lost' | 'unavailable_twice'
  readonly steps: readonly { readonly type: Outcome; readonly code: string | null; readonly afterDays: number }[]
}

const DAY_MS = 86_400_000
const PAID = { type: 'paid', code: null, afterDays: 1 } as const
const USUAL: Plan = { request: 'accepted', steps: [PAID] }

const PLANS: Readonly<Record<string, Plan>> = {
  '01': { request: 'refused', steps: [] },
  '02': { request: 'accepted', steps: [{ type: 'failed', code: 'R03', afterDays: 1 }] },
  '03': { request: 'accepted', steps: [PAID, { type: 'returned', code: 'R02', afterDays: 4 }] },
  '04': { request: 'accepted', steps: [{ ...PAID, afterDays: 5 }] },
  '05': { request: 'first_answer_lost', steps: [PAID] },
  '06': { request: 'unavailable_twice', steps: [PAID] },
}

export function planFor(destination: Destination): Plan {
  return lookUp(PLANS, getNumber(destination).slice(-2)) ?? USUAL
}

export function getNumber(destination: Destination): string {
  return destination.type === 'iban' ? destination.iban : destination.account_number
}

export function planSteps({ steps }: Plan, acceptedAt: Date): PlannedStep[] {
  return steps.map(({ type, code, afterDays }) => {
    return { type, code, dueAt: new Date(acceptedAt.getTime() + afterDays * DAY_MS).toISOString() }
  })
}

/** The default code of each outcome. */
export const USUAL_CODES: Readonly<Record<Outcome, string | null>> = { paid: null, failed: 'R03', returned: 'R02' }

const MESSAGES: Readonly<Record<string, string>> = {
  R02: 'the account is closed',
  R03: 'there is no such account',
  R04: 'the account number is not valid',
  R16: 'the account is frozen',
  R20: 'the account does not accept transfers',
  R23: 'the receiver refused the payment',
}

export function findMessage(code: string | null): string | null {
  return code === null ? null : (lookUp(MESSAGES, code) ?? null)
}
