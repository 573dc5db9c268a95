import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  addUser,
  atSimulator,
  CLIENT,
  type Client,
  createClient,
  openWorld,
  sourceEvents,
  until,
  type World,
  work,
} from '../../../../test/support/linker-world.ts'
import { setAccount } from '../accounts/provider-accounts.ts'

/** Only some accounts of a login become cards. */

let world: World
let client: Client

before(async () => {
  world = await openWorld('linker_account_kinds')
  client = await createClient(world)
  const { deps, publisher, clock } = world
  await world.db.transaction((tx) =>
    setAccount(tx, deps.vault, publisher.id, { ...CLIENT, by: 'ada', force: false }, clock.now()),
  )
})
after(() => world.close())

const INSTITUTION = { institution_id: 'ins_109508', institution_name: 'First Platypus Bank' }
const KINDS = [
  { type: 'loan', subtype: 'mortgage' },
  { type: 'credit', subtype: 'credit card' },
  { type: 'investment', subtype: '401k' },
  { type: 'depository', subtype: 'checking' },
  { type: 'other', subtype: 'other' },
]

const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** Creates a login with one account of each of these kinds, each with one row. Returns its public token. */
async function createLogin(user: string, kinds = KINDS) {
  const override_accounts = kinds.map((kind, index) => ({
    ...kind,
    meta: { name: `${kind.subtype} of ${user}`, mask: `100${index}` },
    transactions: [
      {
        date_transacted: dayBefore(3),
        date_posted: dayBefore(2),
        amount: 10 + index,
        description: `Bought with ${kind.subtype}`,
      },
    ],
  }))
  const options = { override_username: 'user_custom', override_password: JSON.stringify({ override_accounts }) }
  const wish = { institution_id: INSTITUTION.institution_id, initial_products: ['transactions'], options }
  return String((await atSimulator(world, '/sandbox/public_token/create', wish))['public_token'])
}

const waysToLink: Readonly<Record<string, (user: string, publicToken: string) => ReturnType<Client>>> = {
  'public token': (user, public_token) => {
    return client('POST', `/linker/public-token/${user}`, { public_token, ...INSTITUTION })
  },
  'access token': async (user, public_token) => {
    const { access_token } = await atSimulator(world, '/item/public_token/exchange', { public_token })
    const handed = { publisher_user_id: user, provider_access_token: access_token, ...INSTITUTION }
    return client('POST', '/linker/access-token', handed)
  },
}

for (const [way, linkBy] of Object.entries(waysToLink)) {
  test(`only credit and depository accounts become cards, and only their rows become purchases: ${way}`, async () => {
    const user = way.replace(' ', '-')
    const { userId } = await addUser(world, user)
    const { status, body } = await linkBy(user, await createLogin(user))
    assert.equal(status, 200, JSON.stringify(body))
    const names = async () => {
      const answer = await client('GET', `/linker/linked-cards/${user}/${INSTITUTION.institution_id}`)
      return (answer.body['linked_cards'] as { name: string }[]).map(({ name }) => name).toSorted()
    }
    assert.deepEqual(await names(), [`checking of ${user}`, `credit card of ${user}`])
    await until(async () => {
      await work(world)
      return (await sourceEvents(world, userId)).length > 0
    })
    // A check finds the same cards.
    await world.db.reader`update linker_items set check_due_at = now() where user_id = ${userId}`
    await work(world)
    assert.deepEqual(await names(), [`checking of ${user}`, `credit card of ${user}`])
    const bought = (await sourceEvents(world, userId)).filter(({ kind }) => kind === 'CLEARING')
    assert.equal(bought.length, 2)
  })
}

test('a login without any cards does not stay linked', async () => {
  const { userId } = await addUser(world, 'saver')
  const publicToken = await createLogin(
    'saver',
    KINDS.filter(({ type }) => type === 'loan'),
  )
  const { body } = await client('POST', '/linker/public-token/saver', { public_token: publicToken, ...INSTITUTION })
  assert.deepEqual(body['linked_cards'], [])
  await world.db.reader`update linker_items set check_due_at = now() where user_id = ${userId}`
  await work(world)
  const answer = await client('GET', '/linker/linked-cards/saver')
  assert.deepEqual(answer.body['linked_institutions'], [])
})
