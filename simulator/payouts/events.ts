import { lookUp } from '../state.ts'
import type { World } from '../world.ts'
import { findMessage } from './plan.ts'
import { type PayingAccount, type Payout, type PayoutEvent, type PlannedStep, toKey } from './state.ts'

type Question = { readonly account: string; readonly after: number; readonly limit: number; readonly at: Date }

/** Returns an account's events after a sequence number, including everything due at the caller's time. */
export function tellEvents(world: World, { account: name, after, limit, at }: Question): readonly PayoutEvent[] {
  const account = lookUp(world.state.payouts.accounts, toKey(name))
  if (account === undefined) return []
  if (advance(account, at) > 0) world.changed()
  return account.events.slice(after, after + limit)
}

/**
 * Creates events for everything that is due, in the order of their due times, and returns the number of events. A time
 * earlier than a previous call's changes nothing. A new time does not trigger a snapshot by itself, because callers
 * might poll every second.
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
      message: findMessage(step.code),
      at: dueAt.toISOString(),
    })
  }
  return due.length
}

type DueStep = { readonly payout: Payout; readonly step: PlannedStep; readonly dueAt: Date }

/** Takes the due outcomes from the plan. Outcomes set through the controls have no due time and are due immediately. */
function takeDue(payout: Payout, at: Date): DueStep[] {
  const steps = payout.planned.map((step) => ({ payout, step, dueAt: step.dueAt === null ? at : new Date(step.dueAt) }))
  const due = steps.filter(({ dueAt }) => dueAt <= at)
  if (due.length > 0) payout.planned = payout.planned.slice(due.length)
  return due
}
