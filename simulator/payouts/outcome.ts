import { ControlError } from '../errors.ts'
import type { State } from '../state.ts'
import type { World } from '../world.ts'
import { USUAL_CODES } from './plan.ts'
import type { Outcome, Payout, PayoutStatus } from './state.ts'

const FOLLOWING: Readonly<Record<PayoutStatus, readonly Outcome[]>> = {
  accepted: ['paid', 'failed'],
  paid: ['returned'],
  failed: [],
  returned: [],
}

/** Returns all payouts, or those of one account or reference, newest first. */
export function listPayouts({ payouts }: State, wanted: { account?: string; reference?: string } = {}): Payout[] {
  const { account, reference } = wanted
  return Object.values(payouts.accounts)
    .flatMap((one) => Object.values(one.payouts))
    .filter((payout) => account === undefined || payout.account === account)
    .filter((payout) => reference === undefined || payout.reference === reference)
    .toSorted((one, other) => other.number - one.number)
}

/**
 * Returns the outcomes that can still be set through the controls. An outcome that is set but not reported yet is
 * treated as having happened, so a payout can be paid and returned between two calls.
 */
export function listPossibleOutcomes({ status, planned }: Payout): readonly Outcome[] {
  return FOLLOWING[planned.findLast(({ dueAt }) => dueAt === null)?.type ?? status]
}

type Wish = { readonly outcome: Outcome; readonly code?: string }

/** Replaces the remaining plan with an outcome that takes effect on the next call. */
export function setOutcome(world: World, payoutId: string, { outcome, code }: Wish): Payout {
  const payout = listPayouts(world.state).find((one) => one.payoutId === payoutId)
  if (payout === undefined) throw new ControlError(404, 'PAYOUT_NOT_FOUND', 'There is no such payout.')
  if (outcome === 'paid' && code !== undefined) {
    throw new ControlError(400, 'INVALID_FIELD', 'A paid payout has no code.')
  }
  const possible = listPossibleOutcomes(payout)
  if (!possible.includes(outcome)) {
    const rest = possible.length === 0 ? 'nothing can' : `only ${possible.join(' or ')} can`
    throw new ControlError(409, 'OUTCOME_IMPOSSIBLE', `This payout cannot be ${outcome} now; ${rest} follow.`)
  }
  const asked = payout.planned.filter(({ dueAt }) => dueAt === null)
  payout.planned = [...asked, { type: outcome, code: code ?? USUAL_CODES[outcome], dueAt: null }]
  world.changed()
  return payout
}
