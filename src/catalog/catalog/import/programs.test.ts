import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { CATEGORIES, importText, offer } from '../../../../test/support/catalog-world.ts'
import { testDatabase } from '../../../../test/support/postgres.ts'
import { openDatabase } from '../../../platform/db/database.ts'
import { createCatalogStore } from '../loading/catalog-store.ts'

const db = openDatabase((await testDatabase('programs')).url)
after(() => db.close())
const store = createCatalogStore(db)

const link = (name: string, more: object = {}) =>
  offer(name, { offer_uid: name, offer_type: 'AFFILIATE', tracking_url: `https://${name}.example/{sub_id}`, ...more })
const leadsTo = async (offerUid: string): Promise<string | null> => {
  const [row] = await db.reader<{ address: string }[]>`
    select address_template as address from programs where offer_uid = ${offerUid} and ended_at is null`
  return row?.address ?? null
}

const brand = { brand_uid: 'b', category_id: 1, name: 'Brand', website: 'https://old.example' }
const ofBrand = async () => (await store.refresh()).getOffers('b').map(({ offerUid }) => offerUid)

test('retiring a brand retires its offers, and restoring it restores even the links missing from the file', async () => {
  const offers = [link('named'), link('unnamed'), link('gone', { retired: true })]
  await importText(db, { categories: CATEGORIES, brands: [{ ...brand, offers }] })
  const retiring = await importText(db, { brands: [{ ...brand, retired: true }] })
  assert.deepEqual(retiring.changes.offers, { added: 0, changed: 0, retired: 2, unchanged: 1 })
  const { offers: known } = await store.refresh()
  for (const name of ['named', 'unnamed']) {
    assert.equal(await leadsTo(name), null)
    assert.equal(known.get(name)?.retired, true)
  }
  await importText(db, { brands: [{ ...brand, offers: [link('named')] }] })
  assert.deepEqual(await ofBrand(), ['named', 'unnamed'])
  for (const name of await ofBrand()) assert.equal(await leadsTo(name), `https://${name}.example/{sub_id}`)
  assert.equal(await leadsTo('gone'), null)
})

test("offers missing from the feed inherit their brand's new name and website, and nothing else changes", async () => {
  await importText(db, {
    brands: [{ ...brand, offers: [link('follows', { name: undefined, tracking_url: undefined })] }],
  })
  const before = (await store.refresh()).offers
  assert.match((await leadsTo('follows')) ?? '', /^https:\/\/old\.example/)
  const moved = await importText(db, { brands: [{ ...brand, name: 'Moved', website: 'https://new.example' }] })
  assert.deepEqual(moved.changes.offers, { added: 0, changed: 1, retired: 0, unchanged: 3 })
  const after = (await store.refresh()).offers
  assert.equal(after.get('follows')?.name, 'Moved')
  assert.match((await leadsTo('follows')) ?? '', /^https:\/\/new\.example/)
  for (const name of ['named', 'unnamed', 'gone']) assert.equal(after.get(name), before.get(name))
})

test('a brand cannot drop a value that one of its offers needs', async () => {
  const bare = { brand_uid: 'b', category_id: 1, name: 'Moved' }
  await assert.rejects(importText(db, { brands: [bare] }), {
    code: 'catalog_invalid',
    message: /brands\.0: offer follows, which is not in the file: tracking_url is required for AFFILIATE offers/,
  })
  await importText(db, { brands: [{ ...bare, offers: [link('follows')] }] })
  assert.equal(await leadsTo('follows'), 'https://follows.example/{sub_id}')
})
