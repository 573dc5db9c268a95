import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '../../../platform/calendar.ts'
import { type FaultKind, ProviderFault } from '../provider.ts'
import {
  findDeadline,
  isDisconnectSettled,
  isStale,
  isUninformative,
  judgeError,
  toCardError,
  wasPostponed,
} from './login-state.ts'

const NEEDS_THE_USER = [
  ...['ITEM_LOGIN_REQUIRED', 'ITEM_LOCKED', 'PASSWORD_RESET_REQUIRED', 'USER_SETUP_REQUIRED', 'INVALID_CREDENTIALS'],
  ...['INVALID_MFA', 'INSUFFICIENT_CREDENTIALS', 'USER_INPUT_TIMEOUT', 'ACCESS_NOT_GRANTED'],
  ...['ADDITIONAL_CONSENT_REQUIRED', 'NO_ACCOUNTS', 'USER_PERMISSION_REVOKED', 'ITEM_NOT_FOUND'],
  'INVALID_UPDATED_USERNAME',
]
const NEEDS_SUPPORT = [
  ...['INVALID_ACCESS_TOKEN', 'INVALID_API_KEYS', 'UNAUTHORIZED_ENVIRONMENT', 'UNAUTHORIZED_ROUTE_ACCESS'],
  ...['INVALID_PRODUCT', 'PRODUCT_NOT_ENABLED', 'PRODUCTS_NOT_SUPPORTED', 'ITEM_NOT_SUPPORTED', 'MFA_NOT_SUPPORTED'],
  ...['INSTITUTION_NO_LONGER_SUPPORTED', 'UNAUTHORIZED_INSTITUTION', 'INSTITUTION_REGISTRATION_REQUIRED'],
  'ITEM_CONCURRENTLY_DELETED',
  'TOKEN_OF_OTHER_ENVIRONMENT',
]
const PASSING = [
  ...['INSTITUTION_DOWN', 'INSTITUTION_NOT_RESPONDING', 'INSTITUTION_NOT_AVAILABLE', 'UNSUPPORTED_RESPONSE'],
  ...['INTERNAL_SERVER_ERROR', 'PLANNED_MAINTENANCE', 'PRODUCT_NOT_READY', 'INVALID_ACCOUNT_ID'],
  ...['TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION', 'RATE_LIMIT', 'RATE_LIMIT_EXCEEDED', 'ACCOUNTS_LIMIT'],
  ...['ITEM_GET_LIMIT', 'TRANSACTIONS_SYNC_LIMIT', 'INSTITUTION_RATE_LIMIT', 'TRIAL_CONNECTION_LIMIT'],
]

function refused(code: string, errorType: string | null = null, kind: FaultKind = 'refused'): ProviderFault {
  return new ProviderFault(kind, code, 'transactions/sync', null, { errorType })
}

test('each provider code maps to a card error that says who can fix the login, or to none', () => {
  for (const [codes, shown] of [
    [NEEDS_THE_USER, 'NEED_AUTHENTICATION'],
    [NEEDS_SUPPORT, 'UNKNOWN'],
    [PASSING, null],
  ] as const)
    for (const code of codes) {
      assert.equal(toCardError(code), shown, `${code} stored with the item`)
      assert.equal(judgeError(refused(code)), shown ?? undefined, `${code} as the answer of a call`)
      assert.equal(isUninformative(code), shown === null, code)
    }
  assert.equal(toCardError(null), null)
  assert.equal(isUninformative(null), false)
})

test('an unknown code sets a card error only if it concerns the login', () => {
  assert.equal(toCardError('SOMETHING_NEW'), 'UNKNOWN')
  assert.equal(judgeError(refused('SOMETHING_NEW', 'ITEM_ERROR')), 'UNKNOWN')
  for (const type of ['INVALID_REQUEST', 'INVALID_INPUT', 'API_ERROR', null])
    assert.equal(judgeError(refused('SOMETHING_NEW', type)), undefined)
  for (const code of ['INVALID_FIELD', 'MISSING_FIELDS', 'UNKNOWN_FIELDS', 'SANDBOX_ONLY'])
    assert.equal(judgeError(refused(code, 'INVALID_REQUEST')), undefined, code)
})

test('a failed call without a provider response does not change the state of a login', () => {
  const network: readonly [FaultKind, string][] = [
    ['timeout', 'ETIMEDOUT'],
    ['unavailable', 'HTTP_502'],
    ['unavailable', 'ECONNREFUSED'],
    ['garbled', 'NOT_JSON'],
  ]
  for (const [kind, code] of network) assert.equal(judgeError(refused(code, null, kind)), undefined, code)
  assert.equal(judgeError(new Error('ours')), undefined)
})

test('only provider limits and skipped calls postpone a run', () => {
  const withSymptom = (symptom: 'down' | 'limited' | 'spared' | 'none') =>
    wasPostponed(new ProviderFault('unavailable', 'ANY', 'transactions/sync', null, { symptom }))
  assert.deepEqual(
    ['down', 'limited', 'spared', 'none'].map((one) => withSymptom(one as 'down')),
    [false, true, true, false],
  )
})

const PRESENT = new Date('2026-03-20T12:00:00Z')
const daysAgo = (days: number): Date => new Date(PRESENT.getTime() - days * DAY_MS)
const inDays = (days: number): Date => daysAgo(-days)

test('a bank heard from in the last seven days is not stale', () => {
  const cases: readonly [lastUpdatedAt: Date | null, heardAt: Date | null, stale: boolean][] = [
    [daysAgo(8), daysAgo(9), true],
    [daysAgo(6.9), daysAgo(30), false],
    [daysAgo(30), daysAgo(6.9), false],
    [daysAgo(8), null, true],
    [null, daysAgo(8), true],
    [null, null, false],
    // A clock that is ahead of ours.
    [inDays(60), daysAgo(30), false],
  ]
  for (const [lastUpdatedAt, heardAt, stale] of cases)
    assert.equal(isStale({ lastUpdatedAt, heardAt }, PRESENT), stale, `${lastUpdatedAt} ${heardAt}`)
})

test("the deadline is the earlier of the item's and the webhook's, at most two weeks ahead", () => {
  const cases: readonly [consentEndsAt: Date | null, disconnectsAt: Date | null, deadline: Date | null][] = [
    [null, null, null],
    [inDays(365), null, null],
    [inDays(7), null, inDays(7)],
    [null, inDays(7), inDays(7)],
    [inDays(365), inDays(7), inDays(7)],
    [inDays(3), inDays(7), inDays(3)],
    [null, inDays(4_000), null],
  ]
  for (const [consentEndsAt, disconnectsAt, deadline] of cases)
    assert.deepEqual(findDeadline({ consentEndsAt, disconnectsAt }, PRESENT), deadline)
})

test('an announced disconnection is settled once the item reports it or its time has passed', () => {
  type When = Date | null
  const cases: readonly [formerlyEndedAt: When, consentEndsAt: When, disconnectsAt: When, settled: boolean][] = [
    [null, null, null, false],
    [null, null, inDays(7), false],
    [null, inDays(7), inDays(7), true],
    [null, inDays(3), inDays(7), true],
    [null, inDays(365), inDays(7), false],
    [null, null, daysAgo(1), true],
    // The item reported this deadline before the announcement and has been renewed since.
    [inDays(7), null, inDays(7), true],
    [inDays(7), inDays(365), inDays(7), true],
    [inDays(365), null, inDays(7), false],
  ]
  for (const [formerlyEndedAt, consentEndsAt, disconnectsAt, settled] of cases)
    assert.equal(isDisconnectSettled({ formerlyEndedAt, consentEndsAt, disconnectsAt }, PRESENT), settled)
})
