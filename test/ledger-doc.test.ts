import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import {
  ACCOUNTS,
  accrue,
  adjust,
  type Book,
  bookPayments,
  type Cause,
  clawBack,
  closeBook,
  holdForRedemption,
  listPostingsByCause,
  mature,
  openBook,
  type PaidAccount,
  payRedemption,
  readWallets,
  reassign,
  releaseRedemption,
  returnRedemption,
  verifyLedger,
  writeOff,
} from '../src/ledger/index.ts'
import { ALLOWED } from '../src/ledger/rules.ts'
import { openDatabase, type Tx } from '../src/platform/db/database.ts'
import { newUuid, type UserId } from '../src/platform/ids.ts'
import { formatDecimal, toMinor } from '../src/platform/money.ts'
import { createPublisher, type Publisher } from '../src/tenants/publishers/index.ts'
import { createUser } from '../src/users/users/index.ts'
import { testDatabase } from './support/postgres.ts'
import { readSharedBalance } from './support/shared-balance.ts'

// docs/ledger.md tells one user's story. This test books the story and checks every number in the document.

const document = await readFile(new URL('../docs/ledger.md', import.meta.url), 'utf8')
const database = await testDatabase('ledger_doc')
const db = openDatabase(database.url)
after(() => db.close())

const NOW = new Date('2026-03-01T12:00:00Z')
const BRAND = 'brd_market'
const WRONG_BRAND = 'brd_mart'
const first = { user: 70_00n, publisher: 20_00n, fee: 10_00n }
const half = { user: 35_00n, publisher: 10_00n, fee: 5_00n }
const second = { user: 28_00n, publisher: 8_00n, fee: 4_00n }
const minus = ({ user, publisher, fee }: typeof first) => ({ user: -user, publisher: -publisher, fee: -fee })

type Act = (book: Book, userId: UserId, cause: Cause) => void
type Step = (tx: Tx, publisher: Publisher, userId: UserId, cause: Cause) => Promise<void>
const OF_THE_USER: readonly (readonly [kind: string, act: Act])[] = [
  ['accrual', (book, userId, cause) => accrue(book, userId, cause, BRAND, first)],
  ['accrual', (book, userId, cause) => accrue(book, userId, cause, BRAND, half)],
  ['accrual', (book, userId, cause) => accrue(book, userId, cause, BRAND, minus(half))],
  ['maturity', (book, userId, cause) => mature(book, userId, cause, first)],
  ['redemption_hold', (book, userId, cause) => holdForRedemption(book, userId, cause, 60_00n)],
  ['redemption_released', (book, userId, cause) => releaseRedemption(book, userId, cause, 60_00n)],
  ['redemption_hold', (book, userId, cause) => holdForRedemption(book, userId, cause, 60_00n)],
  ['redemption_paid', (book, userId, cause) => payRedemption(book, userId, cause, 60_00n, 'file')],
  ['clawback', (book, userId, cause) => clawBack(book, userId, cause, BRAND, first)],
  ['accrual', (book, userId, cause) => accrue(book, userId, cause, WRONG_BRAND, second)],
  ['reassignment', (book, userId, cause) => reassign(book, userId, cause, { from: WRONG_BRAND, to: BRAND }, second)],
  ['maturity', (book, userId, cause) => mature(book, userId, cause, second)],
  ['write_off', (book, userId, cause) => writeOff(book, userId, cause, 12_00n)],
  ['redemption_returned', (book, userId, cause) => returnRedemption(book, userId, cause, 60_00n, 'file')],
  ['adjustment', (book, userId, cause) => adjust(book, userId, cause, 5_00n, 'service')],
]

const inBook =
  (act: Act): Step =>
  async (tx, publisher, userId, cause) => {
    const book = await openBook(tx, publisher, [userId])
    act(book, userId, cause)
    await closeBook(tx, book)
  }
const pay =
  (account: PaidAccount, owner: string, amount: bigint): Step =>
  (tx, publisher, _userId, cause) =>
    bookPayments(tx, publisher, [{ cause, account, owner, amount }])
const STORY: readonly (readonly [kind: string, step: Step])[] = [
  ...OF_THE_USER.map(([kind, act]) => [kind, inBook(act)] as const),
  ['payment', pay('advertiser_receivable', BRAND, 50_00n)],
  ['payment', pay('publisher_payable', '', -8_00n)],
]

test('each step of the story is booked and changes the balances as the document says', async () => {
  const steps = document.split(/^### \d+\. /m).slice(1)
  assert.equal(steps.length, STORY.length)
  const { publisher, userId } = await newUser()
  for (const [index, [kind, act]] of STORY.entries()) {
    const text = steps[index]?.split(/^## /m)[0] ?? ''
    const step = `${index + 1}. ${text.split('\n')[0]}`
    const cause: Cause = { id: newUuid(), version: 1, currency: 'USD', effectiveAt: NOW }
    await db.transaction((tx) => act(tx, publisher, userId, cause))
    // A payment concerns no user, so its postings belong to the publisher.
    const owner = kind === 'payment' ? (publisher.id as string as UserId) : userId
    const lines = await listPostingsByCause(db.reader, publisher.id, owner, [cause.id])
    assert.equal(text.split(':')[0], kind, step)
    assert.deepEqual(
      lines.map((line) => [line.kind, line.account, line.amount]),
      parseSides(text).map(([account, amount]) => [kind, account, amount]),
      step,
    )
    const balances = (await readWallets(db.reader, publisher, [userId])).get(userId)?.get('USD')
    assert(balances !== undefined)
    const { pending, available, held, debt, earnedTotal: earned, redeemedTotal: redeemed } = balances
    const shown = Object.entries({ pending, available, held, debt, earned, redeemed })
      .map(([name, amount]) => `${name} ${formatDecimal(amount, 'USD')}`)
      .join(', ')
    assert.match(text, new RegExp(`^The user then has: ${shown}\\.$`, 'm'), `${step}: ${shown}`)
  }
  const shared = parseSides(document.split('## The shared accounts at the end')[1] ?? '')
  assert.equal(shared.length, 9)
  for (const [account, amount] of shared) {
    const name = ACCOUNTS.find((known) => known === account)
    assert(name !== undefined, account)
    const owner = name === 'advertiser_receivable' ? BRAND : name === 'payout_clearing' ? 'file' : ''
    assert.equal(await readSharedBalance(db.reader, publisher, name, owner), amount, account)
  }
  assert.deepEqual(await verifyLedger(db.reader), [])
})

test('the document lists every ledger account, and the accounts that each kind of journal may post to', () => {
  const rows = [...document.matchAll(/^\| ([a-z_, ]+) \| (?:user|brand|publisher|service|payout method) \|/gm)]
  const listed = rows.flatMap(([, names = '']) => names.split(', '))
  assert.deepEqual([...listed].sort(), [...ACCOUNTS].sort())
  for (const [kind, accounts] of Object.entries(ALLOWED))
    assert(document.includes(`\n| ${kind} | ${accounts.join(', ')} |\n`), kind)
  const booked = new Set(STORY.map(([kind]) => kind))
  for (const kind of Object.keys(ALLOWED)) assert(booked.has(kind), `the story has no ${kind}`)
})

async function newUser() {
  return db.transaction(async (tx) => {
    const publisher = await createPublisher(tx, { name: 'Test', environment: 'sandbox' }, NOW)
    const input = { publisherUserId: 'user-1', email: null, primaryZipCode: null, attributes: null }
    const { user } = await createUser(tx, publisher, input, NOW)
    return { publisher, userId: user.userId }
  })
}

/** Parses the rows of an account | debit | credit table into signed minor units. */
function parseSides(text: string): [account: string, amount: bigint][] {
  return [...text.matchAll(/^\| ([a-z_]+) \| *([\d.]*) *\| *([\d.]*) *\|$/gm)].map(
    ([, account = '', debit, credit]) => [
      account,
      (toMinor(debit || '0', 'USD') ?? 0n) - (toMinor(credit || '0', 'USD') ?? 0n),
    ],
  )
}
