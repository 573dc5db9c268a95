import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testDatabase } from '../../../test/support/postgres.ts'
import { type Database, openDatabase } from '../../platform/db/database.ts'
import { hashKey } from '../../platform/http/callers/key-cache.ts'
import { createApiKey, revokeApiKey } from '../access/keys/keys.ts'
import { findLiveKey, listApiKeys } from '../access/keys/queries.ts'
import { isAllowedAndroidPackage, isAllowedRedirectUri } from './allow-lists.ts'
import { getCurrencies, getLimits, type Publisher, resolveCurrency } from './publisher.ts'
import { getPublisher } from './queries.ts'
import * as service from './service.ts'

let db: Database
let publisher: Publisher
const now = new Date('2026-11-21T10:00:00Z')

before(async () => {
  db = openDatabase((await testDatabase('publishers')).url)
  publisher = await db.transaction((tx) => service.createPublisher(tx, { name: 'One', environment: 'sandbox' }, now))
})

after(() => db.close())

test('a key works until it is revoked, and only its hash, prefix and last four characters are stored', async () => {
  const { keyId, apiKey, scopes } = await db.transaction((tx) => createApiKey(tx, publisher, ['users:read'], now))
  assert.match(apiKey, /^lrl_sandbox_[\w-]{43}$/)
  assert.deepEqual(scopes, ['users:read'])
  const found = await findLiveKey(db.reader, hashKey(apiKey))
  assert.deepEqual([found?.publisher.id, found?.scopes], [publisher.id, ['users:read']])
  const [kept] = await listApiKeys(db.reader, publisher.id)
  assert.deepEqual([kept?.prefix, kept?.lastFour], ['lrl_sandbox_', apiKey.slice(-4)])
  await db.transaction((tx) => revokeApiKey(tx, keyId, now))
  assert.equal(await findLiveKey(db.reader, hashKey(apiKey)), null)
  await assert.rejects(
    db.transaction((tx) => revokeApiKey(tx, keyId, now)),
    { code: 'key_not_found' },
  )
})

test('a production publisher gets production keys, and its clock cannot be moved', async () => {
  const live = await db.transaction((tx) =>
    service.createPublisher(tx, { name: 'Live', environment: 'production' }, now),
  )
  const { apiKey } = await db.transaction((tx) => createApiKey(tx, live, null, now))
  assert.match(apiKey, /^lrl_live_/)
  await assert.rejects(
    db.transaction((tx) => service.advanceClock(tx, live, 1_000)),
    { code: 'sandbox_only' },
  )
})

test('limits apply to one currency, and everything in a new currency initially needs review', async () => {
  const change = (changes: object, currency?: string) =>
    db.transaction((tx) => service.changeSettings(tx, publisher.id, changes, currency))
  await change({ redemptionReviewAbove: 50_00n, adjustmentAloneMax: 25_00n })
  const added = await db.transaction((tx) => service.addCurrency(tx, publisher.id, 'JPY', now))
  assert.deepEqual(getCurrencies(added), ['USD', 'JPY'])
  const { redemptionReviewAbove, adjustmentAloneMax } = getLimits(added, 'JPY')
  assert.deepEqual([redemptionReviewAbove, adjustmentAloneMax], [0n, 0n])
  const changed = await change({ redemptionReviewAbove: 10_000n }, 'JPY')
  assert.equal(getLimits(changed, 'JPY').redemptionReviewAbove, 10_000n)
  assert.equal(getLimits(changed, 'USD').redemptionReviewAbove, 50_00n)
  const refused = { code: 'setting_invalid', field: 'currency' }
  await assert.rejects(change({ redemptionReviewAbove: 1n }, 'EUR'), refused)
  for (const currency of ['JPY', 'QQQ', 'KWD'])
    await assert.rejects(
      db.transaction((tx) => service.addCurrency(tx, publisher.id, currency, now)),
      refused,
      currency,
    )
  assert.throws(() => resolveCurrency(changed, 'EUR'), { code: 'currency_unknown', field: 'currency' })
  assert.equal(resolveCurrency(changed, undefined), 'USD')
})

test('limits written by the previous version still apply', async () => {
  await db.reader`update publishers set redemption_minimum = 7 where publisher_id = ${publisher.id}`
  assert.equal(getLimits(await getPublisher(db.reader, publisher.id), 'USD').redemptionMinimum, 7n)
})

test('invalid settings are rejected and change nothing', async () => {
  const faulty = [{ timeZone: 'Mars/Olympus' }, { feePpm: -1 }, { feePpm: 600_000, sharePpm: 400_001 }]
  for (const changes of faulty)
    await assert.rejects(
      db.transaction((tx) => service.changeSettings(tx, publisher.id, changes)),
      { code: 'setting_invalid' },
    )
  await assert.rejects(
    db.transaction((tx) =>
      service.createPublisher(tx, { name: 'X', environment: 'sandbox', timeZone: 'Nowhere' }, now),
    ),
    { code: 'setting_invalid' },
  )
  const changed = await db.transaction((tx) =>
    service.changeSettings(tx, publisher.id, { timeZone: 'America/New_York' }),
  )
  assert.deepEqual([changed.timeZone, changed.feePpm, changed.sharePpm], ['America/New_York', 0, 0])
})

test('advances of a sandbox clock add up, even if concurrent', async () => {
  const moves = Array.from({ length: 8 }, () => db.transaction((tx) => service.advanceClock(tx, publisher, 1_000)))
  const offsets = (await Promise.all(moves)).map(({ clockOffsetMs }) => clockOffsetMs)
  assert.deepEqual(
    offsets.sort((a, b) => a - b),
    [1, 2, 3, 4, 5, 6, 7, 8].map((count) => count * 1_000),
  )
})

test('a redirect URI or package is allowed only for publishers that list it', async () => {
  const other = await db.transaction((tx) =>
    service.createPublisher(tx, { name: 'Other', environment: 'sandbox' }, now),
  )
  const uri = 'https://app.example.com/back'
  for (let count = 0; count < 2; count++) {
    await db.transaction((tx) => service.allowRedirectUri(tx, publisher.id, uri, now))
    await db.transaction((tx) => service.allowAndroidPackage(tx, publisher.id, 'com.example.app', now))
  }
  assert.equal(await isAllowedRedirectUri(db.reader, publisher, uri), true)
  assert.equal(await isAllowedRedirectUri(db.reader, other, uri), false)
  assert.equal(await isAllowedAndroidPackage(db.reader, publisher, 'com.example.app'), true)
  assert.equal(await isAllowedAndroidPackage(db.reader, other, 'com.example.app'), false)
  for (const faulty of ['http://app.example.com/', 'https://*/', 'nonsense'])
    await assert.rejects(
      db.transaction((tx) => service.allowRedirectUri(tx, publisher.id, faulty, now)),
      { code: 'setting_invalid' },
    )
})
