import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Simulator, startSimulator } from '../simulator/index.ts'
import { openDatabase } from '../src/platform/db/database.ts'
import { encodeId } from '../src/platform/ids.ts'
import { getPublisher } from '../src/tenants/publishers/index.ts'
import { createUser } from '../src/users/users/index.ts'
import { testDatabase } from '../test/support/postgres.ts'
import { readPublisherId } from './options.ts'
import { writeRuntime } from './runtime.ts'
import { dataFolder, laurel, laurelJson } from './test-support.ts'

const folder = await dataFolder()
const url = (await testDatabase('cli')).url
const env = { DATABASE_URL: url, LAUREL_DATA_DIR: folder }
let simulator: Simulator

before(async () => {
  simulator = await startSimulator({ port: 0 })
  // `start` writes the same file, so the commands find the simulator of this installation.
  const runtime = { pid: process.pid, url: 'http://127.0.0.1:1', address: 'http://127.0.0.1:1', started_at: '' }
  await writeRuntime(folder, { ...runtime, simulator_url: simulator.url })
})
after(() => simulator.close())

test('a purchase can be pending, posted with a tip, partially refunded, removed and restored', async () => {
  const { item_id } = await link('user-1')
  const place = ['--zip', '78701', '--city', 'Austin', '--store', '42', '--website', 'fern.example']
  const bought = await laurelJson(
    [
      'simulator',
      'purchase',
      '--item',
      item_id,
      '--merchant',
      'Fern Foods',
      '--amount',
      '42.50',
      '--pending',
      ...place,
    ],
    env,
  )
  assert.deepEqual(
    [bought.name, bought.amount, bought.pending, bought.website],
    ['Fern Foods', 42.5, true, 'fern.example'],
  )
  assert.deepEqual([bought.location.postal_code, bought.location.store_number], ['78701', '42'])

  const posted = await laurelJson(['simulator', 'post', bought.transaction_id, '--amount', '50', '--unlinked'], env)
  assert.deepEqual([posted.amount, posted.pending, posted.pending_transaction_id], [50, false, null])
  const refund = await laurelJson(['simulator', 'refund', posted.transaction_id, '--amount', '10.01'], env)
  assert.equal(refund.amount, -10.01)
  const removed = await laurel(['simulator', 'remove', posted.transaction_id], env)
  assert.match(removed.stdout, /^Removed {2}\d{4}-\d\d-\d\d {2}Fern Foods {2}50\.00 USD {2}posted\nid {7}\S+\n$/)
  assert.deepEqual(await amounts(item_id), [-10.01])
  await laurelJson(['simulator', 'bring-back', posted.transaction_id], env)
  assert.deepEqual((await amounts(item_id)).toSorted(), [-10.01, 50])

  const text = await laurel(
    ['simulator', 'purchase', '--item', item_id, '--merchant', 'Kiosk', '--amount', '3', '--pending'],
    env,
  )
  assert.match(text.stdout, /^Bought {2}.* Kiosk {2}3\.00 USD {2}pending\nid {6}(\S+)\n$/)
  const [, id = ''] = /^id +(\S+)$/m.exec(text.stdout) ?? []
  await laurelJson(['simulator', 'void', id], env)
  assert.deepEqual((await amounts(item_id)).toSorted(), [-10.01, 50])
})

test("a user is found by the publisher's user id; if two publishers share it, --publisher is required", async () => {
  const [first, second] = [await publisherWith('ada'), await publisherWith('ada')]
  const { item_id } = await link(second.svcUserId)
  const buy = (...more: string[]) => ['simulator', 'purchase', '--merchant', 'Shop', '--amount', '1', ...more]
  const unclear = await laurel(buy('--user', 'ada'), env)
  assert.equal(unclear.code, 1)
  assert.match(unclear.stderr, /^Several publishers have a user "ada"\. Choose one with --publisher\.\n/)
  assert.ok(unclear.stderr.includes(first.publisherId) && unclear.stderr.includes(second.publisherId))

  await laurelJson(buy('--user', 'ada', '--publisher', second.publisherId), env)
  await laurelJson(buy('--user', second.svcUserId), env)
  assert.deepEqual(await amounts(item_id), [1, 1])
  const shown = await laurelJson(['simulator', 'list', '--item', item_id], env)
  assert.equal(shown.items[0].publisher_user_id, 'ada', 'a name that --user takes')
  assert.match((await laurel(['simulator', 'list', '--item', item_id], env)).stdout, /^ada /m)
  const unlinked = await laurel(buy('--user', 'ada', '--publisher', first.publisherId), env)
  assert.deepEqual([unlinked.code, unlinked.stdout], [1, ''])
  assert.match(unlinked.stderr, /laurel simulator list/)

  await publisherWith('only one')
  const alone = await laurelJson(['simulator', 'list', '--user', 'only one'], env)
  assert.deepEqual(alone, { items: [], purchases: [] })
})

test('a login can be broken and repaired, and the list shows its state', async () => {
  const { item_id } = await link('user-2')
  const broken = await laurel(['simulator', 'break', '--item', item_id], env)
  assert.equal(broken.stdout, 'First Platypus Bank, user-2: ITEM_LOGIN_REQUIRED\n')
  await laurelJson(['simulator', 'purchase', '--item', item_id, '--merchant', 'Corner Shop', '--amount', '7'], env)
  const list = await laurel(['simulator', 'list', '--item', item_id], env)
  assert.match(list.stdout, /^user +bank +login +item +account +account id\n/)
  assert.match(list.stdout, new RegExp(`user-2 +First Platypus Bank +ITEM_LOGIN_REQUIRED +${item_id}`))
  assert.match(list.stdout, /Corner Shop +7\.00 USD +posted/)
  const repaired = await laurelJson(['simulator', 'repair', '--item', item_id], env)
  assert.equal(repaired.error, null)
})

test('an impossible action is rejected with an explanation', async () => {
  const gone = 'http://127.0.0.1:1'
  const cases: readonly (readonly [number, RegExp, ...string[]])[] = [
    [2, /--user, --item or --account/, 'purchase', '--merchant', 'X', '--amount', '1'],
    [2, /not an amount such as/, 'purchase', '--item', 'x', '--merchant', 'X', '--amount', '1,50'],
    [
      2,
      /--publisher can only be used/,
      'purchase',
      '--item',
      'x',
      '--merchant',
      'X',
      '--amount',
      '1',
      '--publisher',
      'pub_1',
    ],
    [1, /no user "nobody"/, 'purchase', '--user', 'nobody', '--merchant', 'X', '--amount', '1'],
    [1, /laurel simulator list/, 'purchase', '--item', 'unknown', '--merchant', 'X', '--amount', '1'],
    [1, /laurel simulator list/, 'post', 'unknown'],
    [1, /laurel simulator list/, 'break', '--item', 'unknown'],
    [1, /No simulator responds at http:\/\/127\.0\.0\.1:1\./, 'list', '--simulator-url', gone],
    [2, /is not a URL/, 'list', '--simulator-url', 'nowhere'],
  ]
  for (const [code, sentence, ...args] of cases) {
    const ended = await laurel(['simulator', ...args], env)
    assert.equal(ended.code, code, `${args.join(' ')}: ${ended.stderr}`)
    assert.match(ended.stderr, sentence)
    assert.doesNotMatch(ended.stderr, /^ {4}at |_sim/m)
    assert.equal(ended.stdout, '')
  }
  const nowhere = await laurel(['simulator', 'list'], { ...env, LAUREL_DATA_DIR: await dataFolder() })
  assert.match(nowhere.stderr, /No simulator is running here\. Start Laurel with `npm start`/)
})

/** Returns the amounts of a login's rows, as the list command prints them. */
async function amounts(item_id: string): Promise<number[]> {
  const { purchases } = await laurelJson(['simulator', 'list', '--item', item_id], env)
  return purchases.map(({ amount }: { readonly amount: number }) => amount)
}

async function publisherWith(publisherUserId: string) {
  const { publisher_id } = await laurelJson(['publishers', 'create', '--name', 'Acme', '--environment', 'sandbox'], env)
  const db = openDatabase(url, { connections: 1 })
  try {
    const { user } = await db.transaction(async (tx) => {
      const publisher = await getPublisher(tx, readPublisherId(publisher_id))
      const wish = { publisherUserId, email: null, primaryZipCode: null, attributes: null }
      return createUser(tx, publisher, wish, new Date())
    })
    return { publisherId: String(publisher_id), svcUserId: encodeId('usr', user.userId) }
  } finally {
    await db.close()
  }
}

test('simulator link reports the cause when the service is unreachable', async () => {
  const elsewhere = await dataFolder()
  const address = 'http://127.0.0.1:2'
  await writeRuntime(elsewhere, { pid: process.pid, url: address, address, simulator_url: null, started_at: '' })
  const call = ['simulator', 'link', '--user', 'ada', '--api-key', 'key']
  const { code, stderr } = await laurel(call, { ...env, LAUREL_DATA_DIR: elsewhere })
  assert.equal(code, 1)
  assert.match(stderr, /http:\/\/127\.0\.0\.1:2: it refuses the connection\./)
})

/** Links First Platypus Bank for the user with this `client_user_id`, through the link page. */
async function link(client_user_id: string): Promise<{ readonly item_id: string }> {
  const user = { client_user_id }
  const wish = { client_name: 'Acme', language: 'en', country_codes: ['US'], user, products: ['transactions'] }
  const { link_token } = await call<{ link_token: string }>('/link/token/create', wish)
  const { url: first } = await fetch(`${simulator.url}/link?token=${link_token}`)
  const walk = first.slice(0, first.lastIndexOf('/'))
  const login = { institution_id: 'ins_109508', username: 'user_good', password: 'pass_good' }
  const cards = await send(`${walk}/sign-in`, Object.entries(login))
  const ids = [...cards.matchAll(/name="account_id" value="([^"]+)"/g)].map(([, id = '']): [string, string] => [
    'account_id',
    id,
  ])
  const [public_token] = /public-sandbox-[0-9a-f-]{36}/.exec(await send(`${walk}/accounts`, ids)) ?? []
  return call('/item/public_token/exchange', { public_token })
}

async function send(page: string, form: [string, string][]): Promise<string> {
  return (await fetch(page, { method: 'POST', body: new URLSearchParams(form) })).text()
}

async function call<T>(path: string, body: object): Promise<T> {
  const answer = await fetch(simulator.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'plaid-client-id': 'cli', 'plaid-secret': 'any' },
    body: JSON.stringify(body),
  })
  return (await answer.json()) as T
}
