import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { testDatabase } from '../test/support/postgres.ts'
import { dataFolder, laurel, laurelJson } from './test-support.ts'

const folder = await dataFolder()
const env = { DATABASE_URL: (await testDatabase('cli_assortment')).url, LAUREL_DATA_DIR: folder }
const { publisher_id: id } = await laurelJson(
  ['publishers', 'create', '--name', 'Acme', '--environment', 'sandbox'],
  env,
)
const offer = (name: string) => ({
  offer_uid: `off_${name}`,
  name,
  offer_type: 'CARD_LINKED',
  reward_type: 'CASHBACK_PERCENTAGE',
  commission: { rate: 5 },
})
const catalog = join(folder, 'catalog.json')
await writeFile(
  catalog,
  JSON.stringify({
    categories: [
      { category_id: 1, category: 'GROCERY' },
      { category_id: 2, category: 'TRAVEL' },
    ],
    brands: [
      { brand_uid: 'brd_market', category_id: 1, name: 'Corner Market', offers: [offer('market')] },
      { brand_uid: 'brd_planes', category_id: 2, name: 'Paper Planes', offers: [offer('planes')] },
    ],
  }),
)
assert.equal((await laurel(['catalog', 'import', catalog], env)).code, 0)

const ask = (...args: string[]) => laurelJson(['publishers', ...args], env)
const publishers = (...args: string[]) => laurel(['publishers', ...args], env)

test('an assortment can be changed one command at a time and is printed in readable form', async () => {
  const only = await ask('carry', id, '--only', 'brd_market', '--category', '2')
  assert.deepEqual(only, {
    carries: 'listed',
    categories: [{ category_id: 2, carried: true }],
    brands: [{ brand_uid: 'brd_market', carried: true }],
    offers: [],
    category_order: [],
  })
  await ask('carry', id, '--without', '--offer', 'off_planes')
  await ask('split', id, '--brand', 'brd_market', '--fee', '12.5', '--share', '0')
  await ask('wording', id, 'Five per cent\nof all groceries', '--offer', 'off_market')
  const { stdout } = await publishers('category-order', id, '2,1')
  assert.equal(
    stdout,
    `Carries nothing except as listed below.
of        id          name           carried    fee  share  wording
category  2           TRAVEL         yes
brand     brd_market  Corner Market  yes      12.5%     0%
offer     off_market  market                                Five per cent of all groceries
offer     off_planes  planes         no
Categories are listed in this order: 2 TRAVEL, 1 GROCERY.
`,
  )
  const forgotten = await ask('carry', id, '--forget', '--offer', 'off_planes')
  const words = 'Five per cent\nof all groceries'
  assert.deepEqual(forgotten.offers, [{ offer_uid: 'off_market', formatted_description: words }])
})

test('--file replaces the entire assortment and accepts the JSON printed by the command', async () => {
  const file = join(folder, 'assortment.json')
  const before = await ask('assortment', id)
  await writeFile(file, '{}')
  const emptied = await publishers('assortment', id, '--file', file)
  assert.equal(emptied.stdout, 'Carries everything.\nCategories are listed as in the catalog.\n')
  await writeFile(file, JSON.stringify(before))
  assert.deepEqual(await ask('assortment', id, '--file', file), before)
  const { entries } = await laurelJson(['audit', 'list', '--subject', id, '--limit', '1'], env)
  assert.equal(entries[0].action, 'assortment.changed')
  assert.match(entries[0].actor, /^local:/)
})

test('splits and wordings can be removed', async () => {
  await ask('split', id, '--brand', 'brd_market', '--agreed')
  await ask('wording', id, '--offer', 'off_market')
  const { brands, offers } = await ask('category-order', id)
  assert.deepEqual([brands, offers], [[{ brand_uid: 'brd_market', carried: true }], []])
})

test('an invalid change is rejected with a one-sentence explanation and changes nothing', async () => {
  const broken = join(folder, 'broken.json')
  await writeFile(broken, '{"brands": [{"brand_uid": "brd_market", "wording": 1}]}')
  const before = await ask('assortment', id)
  const cases: [number, RegExp, ...string[]][] = [
    [1, /There is no brand brd_x in the catalog/, 'carry', id, '--without', 'brd_x'],
    [1, /There is no such publisher/, 'assortment', 'pub_01kbjyt5v3f4nvj5yq5yfypr9v'],
    [1, /brands\.1\.brand_uid/, 'carry', id, '--with', 'no uid'],
    [1, /brands\.0\.wording/, 'assortment', id, '--file', broken],
    [1, /not valid JSON/, 'assortment', id, '--file', catalog.replace('catalog.json', 'none.json')],
    [2, /one of --all/, 'carry', id, '--only', 'brd_market', '--without', 'brd_planes'],
    [2, /at least one brand/, 'carry', id, '--only'],
    [2, /add up to at most 100%/, 'split', id, '--brand', 'brd_market', '--fee', '60', '--share', '41'],
  ]
  await writeFile(join(folder, 'none.json'), 'no JSON')
  for (const [code, message, ...args] of cases) {
    const ended = await publishers(...args)
    assert.deepEqual([ended.code, ended.stdout], [code, ''], args.join(' '))
    assert.match(ended.stderr, message, args.join(' '))
  }
  assert.deepEqual(await ask('assortment', id), before)
})

test('the stacking and marketplace policies can be set, and an unknown policy is rejected', async () => {
  const set = await ask('set', id, '--stacking-policy', 'CARD', '--marketplace-policy', 'MERCHANT')
  assert.deepEqual([set.stacking_policy, set.marketplace_policy], ['CARD', 'MERCHANT'])
  const ended = await publishers('set', id, '--stacking-policy', 'NONE')
  assert.deepEqual([ended.code, /AFFILIATE or CARD or BOTH/.test(ended.stderr)], [2, true])
})
