import assert from 'node:assert/strict'
import {
  accrue,
  type Book,
  clawBack,
  closeBook,
  holdForRedemption,
  mature,
  openBook,
  payRedemption,
} from '../../src/ledger/index.ts'
import type { Database } from '../../src/platform/db/database.ts'
import { encodeId, newUuid, toUserId, type UserId } from '../../src/platform/ids.ts'
import type { Tenant, TestApp } from './app.ts'

// Helpers for tests that close publisher books. They book entries, set effective times and call the service.

export const split = { user: 70_00n, publisher: 20_00n, fee: 10_00n }
export const minus = ({ user, publisher, fee }: typeof split) => ({ user: -user, publisher: -publisher, fee: -fee })
export const at = (day: string, version = 1) => ({
  id: newUuid(),
  version,
  currency: 'USD',
  effectiveAt: new Date(day.includes('T') ? day : `${day}T12:00:00Z`),
})
export const toId = ({ publisher }: Tenant): string => encodeId('pub', publisher.id)

export async function addUser({ publisher, call }: Tenant, publisher_user_id: string): Promise<UserId> {
  assert.equal((await call('POST', '/users', { publisher_user_id })).status, 200)
  return toUserId(publisher.id, publisher_user_id)
}

export async function book(
  db: Database,
  { publisher }: Tenant,
  userId: UserId,
  work: (book: Book) => void,
): Promise<void> {
  await db.transaction(async (tx) => {
    const opened = await openBook(tx, publisher, [userId])
    work(opened)
    await closeBook(tx, opened)
  })
}

/**
 * Books three rewards, all in January 2026: one that matures and is redeemed, one that is reduced, and one that is
 * taken back.
 */
export async function bookJanuary(db: Database, tenant: Tenant, userId: UserId, brand: string): Promise<void> {
  await book(db, tenant, userId, (opened) => {
    const [first, second, third] = [at('2026-01-05'), at('2026-01-06'), at('2026-01-07')]
    accrue(opened, userId, first, brand, split)
    mature(opened, userId, first, split)
    holdForRedemption(opened, userId, second, 30_00n)
    payRedemption(opened, userId, second, 30_00n, 'publisher')
    accrue(opened, userId, second, brand, split)
    accrue(opened, userId, { ...second, version: 2 }, brand, minus({ user: 7_00n, publisher: 2_00n, fee: 1_00n }))
    accrue(opened, userId, third, brand, split)
    mature(opened, userId, third, split)
    clawBack(opened, userId, third, brand, split)
  })
}

/** Advances a sandbox clock to this day, and returns once everything due is done. */
export async function playUntil({ call }: Tenant, day: string): Promise<void> {
  const { body } = await call('GET', '/sandbox/clock')
  const days = Math.ceil((Date.parse(`${day}T12:00:00Z`) - Date.parse(body.now)) / 86_400_000)
  if (days > 0) assert.equal((await call('POST', '/sandbox/clock', { advance_days: days })).status, 200)
}

/** Closes a month for a sandbox, or for production if `tenant` is null. */
export async function close(app: Pick<TestApp, 'operator'>, month: string, tenant: Tenant | null) {
  const body = { month, ...(tenant === null ? {} : { publisher_id: toId(tenant) }) }
  return app.operator('POST', '/operator/statements/close', body)
}

type Filter = { readonly month: string; readonly kind: string; readonly books?: string; readonly brand_uid?: string }

/** Returns the statement documents as an operator reads them. */
export async function documents(app: Pick<TestApp, 'operator'>, { month, kind, books, brand_uid }: Filter) {
  const query = `month=${month}&kind=${kind}&limit=500${brand_uid === undefined ? '' : `&brand_uid=${brand_uid}`}`
  const { status, body } = await app.operator('GET', `/operator/statements?${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  const headings = body.content.filter((one: { books: string }) => books === undefined || one.books === books)
  const read = await Promise.all(
    headings.map((one: { statement_id: string }) => app.operator('GET', `/operator/statements/${one.statement_id}`)),
  )
  return read.map((answer) => answer.body)
}
