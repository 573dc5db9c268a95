import { setTimeout as wait } from 'node:timers/promises'
import { listPostingsByCause } from '../../src/ledger/index.ts'
import { decodeId, toUserId } from '../../src/platform/ids.ts'
import { UserError } from '../errors.ts'
import { type Caller, showCall } from './caller.ts'
import type { Shopper, Stage } from './stage.ts'
import { formatPostings, formatStatement, type ShownStatementLine } from './tables.ts'

type StoryRedemption = { redemption_id: string; status: string; amount: number; currency: string }

// The simulated bank pays this account after one day. simulator/README.md lists accounts with other outcomes.
const ACCOUNT = {
  type: 'us_bank_account',
  holder_name: 'Demo User',
  routing_number: '123456780',
  account_number: '440012345678',
}
const PAID_WITHIN_DAYS = 2
// The worker normally instructs the bank within a second, so waiting this long means that it failed.
const SENT_LIMIT_MS = 12_000
const ASK_EVERY_MS = 150

/**
 * Redeems the entire balance through the simulated bank and returns the payout.
 * @throws UserError if it is not paid
 */
export async function redeem(api: Caller, { db }: Stage, { name, publisher }: Shopper) {
  await api.call<{ masked: string }>('PUT', `/users/${name}/payout-destination`, {
    body: ACCOUNT,
    details: ({ masked }) => ({ to: masked }),
  })
  const asked = await api.call<StoryRedemption>('POST', '/redemptions', {
    body: { publisher_user_id: name, all: true, method: 'simulated' },
    details: ({ amount, status }) => ({ amount: amount.toFixed(2), status }),
  })
  const path = `/redemptions/${asked.redemption_id}`
  await awaitSent(api, path)
  await api.call<{ now: string }>('POST', '/sandbox/clock', {
    body: { advance_days: PAID_WITHIN_DAYS },
    details: ({ now }) => ({ advance_days: PAID_WITHIN_DAYS, now: now.slice(0, 10) }),
  })
  const paid = await api.call<StoryRedemption>('GET', path, { details: ({ status }) => ({ status }) })
  if (paid.status !== 'paid') throw notPaid(paid)
  const id = decodeId('rdm', paid.redemption_id)
  const postings = await listPostingsByCause(
    db.reader,
    publisher.id,
    toUserId(publisher.id, name),
    id === null ? [] : [id],
  )
  return { paid, table: formatPostings(postings) }
}

/** Waits until the redemption is sent. If the clock moved first, the bank would see a later time and pay later. */
async function awaitSent(api: Caller, path: string): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += ASK_EVERY_MS) {
    const { body, ms } = await api.ask<StoryRedemption>(path)
    if (body.status === 'sent') return showCall('GET', path, ms, { status: body.status })
    if (body.status !== 'approved' || waitedMs >= SENT_LIMIT_MS) throw notPaid(body)
    await wait(ASK_EVERY_MS)
  }
}

/** Returns every change to the user's balance, from the purchase to the payout. */
export async function showStatement(api: Caller, { name }: Shopper): Promise<string[]> {
  const { content } = await api.call<{ content: readonly ShownStatementLine[] }>('GET', `/users/${name}/statement`, {
    details: ({ content }) => ({ lines: content.length }),
  })
  return formatStatement(content)
}

function notPaid({ status }: StoryRedemption): UserError {
  return new UserError(
    `The redemption is ${status} and was not paid out. See the log of the service, and check whether the ` +
      'simulated bank has another URL (LAUREL_PAYOUT_BANK_URL).',
  )
}
