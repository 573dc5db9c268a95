import { isDeepStrictEqual } from 'node:util'
import { newId } from '../ids.ts'
import { PartnerError, unavailable } from '../partner-error.ts'
import { lookUp } from '../state.ts'
import type { World } from '../world.ts'
import { checkDestination } from './destination.ts'
import { planFor, planSteps } from './plan.ts'
import { type PayingAccount, type Payout, type PayoutContent, toKey } from './state.ts'

type PayoutRequest = PayoutContent & { readonly account: string; readonly reference: string; readonly at: string }

/** The number of calls that fail before a payout to an `unavailable_twice` destination is recorded. */
const UNAVAILABLE_CALLS = 2

const CURRENCIES: readonly string[] = ['USD', 'EUR']

/**
 * Accepts a payout idempotently: a repeat with the same reference and content returns the first payout, and a repeat
 * with different content is rejected. A rejected payout is not recorded, so its reference can be reused.
 */
export function requestPayout(world: World, { account: name, reference, at, ...request }: PayoutRequest): Payout {
  const content = { ...request, amount: withCents(request.amount) }
  const known = lookUp(world.state.payouts.accounts, toKey(name))
  const recorded = known === undefined ? undefined : lookUp(known.payouts, toKey(reference))
  if (recorded !== undefined) {
    if (isDeepStrictEqual(recorded.content, content)) return recorded
    throw new PartnerError(409, 'reference_reused', 'the reference belongs to a payout with different content')
  }
  if (!CURRENCIES.includes(content.currency))
    throw new PartnerError(422, 'currency_unsupported', `the bank pays in ${CURRENCIES.join(' and ')} only`)
  checkDestination(content.destination)
  const plan = planFor(content.destination)
  if (plan.request === 'refused') throw new PartnerError(422, 'account_closed', 'the destination account is closed')

  const account = known ?? openAccount(world, name)
  world.changed()
  if (plan.request === 'unavailable_twice' && countUnrecorded(account, reference) <= UNAVAILABLE_CALLS) {
    throw unavailable()
  }
  const acceptedAt = new Date(at)
  const payout: Payout = {
    payoutId: `pay_${newId()}`,
    number: ++world.state.payouts.recorded,
    account: name,
    reference,
    content,
    acceptedAt: acceptedAt.toISOString(),
    status: 'accepted',
    planned: planSteps(plan, acceptedAt),
  }
  account.payouts[toKey(reference)] = payout
  delete account.unrecorded[toKey(reference)]
  if (plan.request === 'first_answer_lost') throw unavailable()
  return payout
}

/** Normalizes an amount, so that `5` and `5.00` are treated as the same content. */
function withCents(amount: string): string {
  const [whole = '', cents = ''] = amount.split('.')
  return `${whole}.${cents.padEnd(2, '0')}`
}

function openAccount({ state }: World, account: string): PayingAccount {
  const opened: PayingAccount = { account, askedAt: null, payouts: {}, events: [], unrecorded: {} }
  state.payouts.accounts[toKey(account)] = opened
  return opened
}

function countUnrecorded({ unrecorded }: PayingAccount, reference: string): number {
  const calls = (unrecorded[toKey(reference)] ?? 0) + 1
  unrecorded[toKey(reference)] = calls
  return calls
}
