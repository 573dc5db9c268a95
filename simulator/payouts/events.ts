import { lookUp } from '../state.ts'
import type { World } from '../world.ts'
import { messageFor } from './plan.ts'
import { keyOf, type PayingAccount, type Payout, type PayoutEvent, type PlannedStep } from './state.ts'

type Question = { readonly account: string; readonly after: number; readonly limit: number; readonly at: Date }

/** The events of an account after a sequence, once everything that has fallen due at the caller's present is one. */
export function tellEvents(world: World, { account: name, after, limit, at }: Question): readonly PayoutEvent[] {
  const account = lookUp(world.state.payouts.accounts, keyOf(name))
  if (account === undefined) return []
  if (advance(account, at) > 0) world.changed()
  return account.events.slice(after, after + limit)
}

/**
 * Makes events of what has fallen due, in the order of due times, and says how many. A present before one that was
 * asked about earlier changes nothing. That present alone is no reason for another snapshot, because accounts may be
 * asked every second.
 */
function advance(account: PayingAccount, at: Date): number {
  const { askedAt, payouts, events } = account
  if (askedAt !== null && at < new Date(askedAt)) return 0
  account.askedAt = at.toISOString()
  const due = Object.values(payouts)
    .flatMap((payout) => takeDue(payout, at))
    .toSorted((one, other) => one.dueAt.getTime() - other.dueAt.getTime())
  for (const { payout, step, dueAt } of due) {
    payout.status = step.type
    events.push({
      sequence: events.length + 1,
      payout_id: payout.payoutId,
      reference: payout.reference,
      type: step.type,
      code: step.code,
      message: messageFor(step.code),
      at: dueAt.toISOString(),
    })
  }
  return due.length
}

type DueStep = { readonly payout: Payout; readonly step: PlannedStep; readonly dueAt: Date }

/** What the controls asked for has no due time of its own: it happens now. */
function takeDue(payout: Payout, at: Date): DueStep[] {
  const steps = payout.planned.map((step) => ({ payout, step, dueAt: step.dueAt === null ? at : new Date(step.dueAt) }))
  const due = steps.filter(({ dueAt }) => dueAt <= at)
  if (due.length > 0) payout.planned = payout.planned.slice(due.length)
  return due
}
