import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  addUser,
  atSimulator,
  createClient,
  link,
  openWorld,
  type World,
  work,
} from '../../../../test/support/linker-world.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { changeSettings, createPublisher, getLinkName } from '../../../tenants/publishers/index.ts'

// Users link under the publisher's name, in its language, with the banks and accounts it wants.

let world: World

before(async () => {
  world = await openWorld('linker_link_settings')
})
after(() => world.close())

const create = (name: string) =>
  world.db.transaction((tx) => createPublisher(tx, { name, environment: 'sandbox' }, world.clock.now()))

type Settings = Parameters<typeof changeSettings>[2]
const change = (publisher: { readonly id: Parameters<typeof changeSettings>[1] }, settings: Settings) =>
  world.db.transaction((tx) => changeSettings(tx, publisher.id, settings))

test("without settings, a link token uses the publisher's name and the defaults", async () => {
  const publisher = await create('Corner Shop Rewards & Loyalty Club of the North')
  await addUser(world, 'ada', publisher)
  const { body } = await (await createClient(world, publisher))('GET', '/linker/link-token/ada')
  const { metadata } = await atSimulator(world, '/link/token/get', { link_token: body['link_token'] })
  const { webhook: _webhook, ...shown } = metadata as Record<string, unknown>
  assert.deepEqual(shown, {
    client_name: 'Corner Shop Rewards & Loyalty',
    language: 'en',
    country_codes: ['US'],
    initial_products: ['transactions'],
    account_filters: {
      credit: { account_subtypes: ['credit card'] },
      depository: { account_subtypes: ['checking', 'savings'] },
    },
    redirect_uri: null,
  })
})

test('a long name is truncated at a word boundary if possible, and never within a character', () => {
  const shortened = (name: string) => getLinkName({ linkName: null, name })
  assert.equal(shortened(`${'A'.repeat(29)}\u{1f600} bar`), `${'A'.repeat(29)}\u{1f600}`)
  assert.equal(shortened('A'.repeat(40)), 'A'.repeat(30))
  assert.equal(shortened(`${'A'.repeat(15)} ${'B'.repeat(15)}`), 'A'.repeat(15))
})

test("a link token has the publisher's settings, for a first link and for a repair", async () => {
  const publisher = await create('Two')
  await change(publisher, {
    linkName: 'Treats',
    linkLanguage: 'es',
    linkCountries: ['US', 'CA'],
    linkProducts: ['transactions', 'identity'],
    linkAccountSubtypes: ['credit card', 'charge card'],
  })
  await addUser(world, 'ben', publisher)
  const client = await createClient(world, publisher)
  const first = await client('GET', '/linker/link-token/ben')
  const token = async (link_token: unknown) => {
    const { metadata } = await atSimulator(world, '/link/token/get', { link_token })
    const { client_name, language, country_codes, initial_products, account_filters } = metadata as Record<
      string,
      unknown
    >
    return { client_name, language, country_codes, initial_products, account_filters }
  }
  const shown = { client_name: 'Treats', language: 'es', country_codes: ['US', 'CA'] }
  const account_filters = { credit: { account_subtypes: ['credit card', 'charge card'] } }
  assert.deepEqual(await token(first.body['link_token']), {
    ...shown,
    initial_products: ['transactions', 'identity'],
    account_filters,
  })
  assert.equal((await link(world, client, 'ben')).status, 200)
  await work(world)
  const repair = await client('GET', '/linker/auth-token/ins_109508/ben')
  assert.deepEqual(await token(repair.body['link_token']), { ...shown, initial_products: [], account_filters: {} })
})

test('a setting that the provider would reject is rejected with its field, and nothing is changed', async () => {
  const publisher = await create('Three')
  const cases: readonly [settings: Settings, field: string][] = [
    [{ linkName: 'A name of more than thirty letters' }, 'link_name'],
    [{ linkName: '' }, 'link_name'],
    [{ linkLanguage: 'tlh' }, 'link_language'],
    [{ linkCountries: [] }, 'link_countries'],
    [{ linkCountries: ['US', 'US'] }, 'link_countries'],
    [{ linkCountries: ['us'] }, 'link_countries'],
    [{ linkProducts: ['identity'] }, 'link_products'],
    [{ linkProducts: ['transactions', 'telepathy'] }, 'link_products'],
    ...['balance', 'statements', 'income', 'investments', 'transfer'].map((product): [Settings, string] => [
      { linkProducts: ['transactions', product] },
      'link_products',
    ]),
    [{ linkProducts: ['transactions', 'auth'], linkAccountSubtypes: ['credit card'] }, 'link_account_subtypes'],
    [{ linkAccountSubtypes: [] }, 'link_account_subtypes'],
    [{ linkAccountSubtypes: ['credit card', 'mortgage'] }, 'link_account_subtypes'],
  ]
  for (const [settings, field] of cases)
    await assert.rejects(change(publisher, { ...settings, linksCards: false }), (error) => {
      return error instanceof Refusal && error.code === 'setting_invalid' && error.field === field
    })
  assert.equal((await change(publisher, {})).linksCards, true)
})
