import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCatalogStore } from '../src/catalog/catalog/index.ts'
import { readConfig } from '../src/platform/config/config.ts'
import { decodeId, encodeId } from '../src/platform/ids.ts'
import { openClaim } from '../src/purchases/claims/index.ts'
import type { NewClaim } from '../src/purchases/claims/service.ts'
import { openStorage } from '../src/storage.ts'
import { getPublisher } from '../src/tenants/publishers/index.ts'
import { createUser } from '../src/users/users/index.ts'
import { testDatabase } from '../test/support/postgres.ts'
import { dataFolder, laurel, laurelJson } from './test-support.ts'

const { url } = await testDatabase('cli_claims')
const env = { DATABASE_URL: url, LAUREL_DATA_DIR: await dataFolder() }
const { publisher_id } = await laurelJson(['publishers', 'create', '--name', 'Acme', '--environment', 'sandbox'], env)

/** Registers a user and opens their claim for a missing purchase of 84.50. */
async function openTestClaim(publisherUserId: string): Promise<string> {
  const { db, close } = await openStorage(readConfig(env))
  const publisherId = decodeId<'publisher'>('pub', publisher_id)
  assert(publisherId !== null)
  const catalog = createCatalogStore(db)
  await catalog.refresh()
  const now = new Date()
  const publisher = await getPublisher(db.reader, publisherId)
  const assortment = await catalog.getAssortment(publisher)
  const claim = await db.transaction(async (tx) => {
    await createUser(tx, publisher, { publisherUserId, email: null, primaryZipCode: null, attributes: null }, now)
    const told: NewClaim = {
      publisherUserId,
      externalRef: 'ticket-1',
      kind: 'missing',
      openedBy: 'user',
      transactionUid: null,
      brandUid: null,
      offerUid: null,
      purchaseDate: '2026-01-02',
      amount: 8_450n,
      currency: 'USD',
      orderId: null,
      merchant: 'Corner Market',
      evidence: 'Receipt 17',
    }
    return openClaim(tx, publisher, assortment, told, now)
  })
  await close()
  return encodeId('clm', claim.claimId)
}

test('an operator lists the open claims, reads one and declines it under their own name', async () => {
  assert.equal((await laurel(['claims', 'list'], env)).stderr, 'There are no open claims.\n')
  const claim = await openTestClaim('ada')
  const listed = await laurel(['claims', 'list', '--publisher', publisher_id], env)
  assert.match(listed.stdout, new RegExp(`${claim} .*missing .*ada .*84\\.50 USD .*Corner Market`))
  const shown = await laurel(['claims', 'show', claim], env)
  assert.match(shown.stdout, /^user, .* {2}Receipt 17$/m)
  const { notes, status, version } = await laurelJson(['claims', 'show', claim], env)
  assert.deepEqual([notes.length, status, version], [1, 'open', 1])
  const decline = ['claims', 'decline', claim, '--text', 'The shop has no record of this order.', '--by', 'Grace']
  assert.equal((await laurel([...decline, '--reason', 'deadline'], env)).code, 2)
  assert.equal((await laurel([...decline, '--reason', 'no_purchase_found'], env)).code, 0)
  const again = await laurel([...decline, '--reason', 'other'], env)
  assert.deepEqual([again.code, again.stderr], [1, 'The claim has already been declined.\n'])
  const { claims } = await laurelJson(['claims', 'list', '--status', 'declined'], env)
  assert.deepEqual([claims.length, claims[0].reason], [1, 'no_purchase_found'])
  const { entries } = await laurelJson(['audit', 'list', '--subject', claim], env)
  assert.deepEqual([entries.length, entries[0].action, entries[0].actor_name], [1, 'claim.declined', 'Grace'])
  for (const unknown of ['clm_01kbjyt5v3f4nvj5yq5yfypr9v', 'nonsense'])
    assert.equal((await laurel(['claims', 'show', unknown], env)).code, 1)
})

test('the claim deadline and its default outcome are set per publisher, within bounds', async () => {
  const set = (...options: string[]) => laurel(['publishers', 'set', publisher_id, ...options], env)
  assert.equal((await set('--claim-days', '14', '--claim-default', 'keep_open')).code, 0)
  const { publishers } = await laurelJson(['publishers', 'list'], env)
  assert.deepEqual([publishers[0].claim_days, publishers[0].claim_default], [14, 'keep_open'])
  assert.match((await set('--claim-days', '366')).stderr, /1 to 365 days/)
  for (const wrong of [
    ['--claim-days', '0'],
    ['--claim-default', 'grant'],
  ] as const)
    assert.equal((await set(...wrong)).code, 2, wrong.join(' '))
})
