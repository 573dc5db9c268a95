import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import {
  addUser,
  atSimulator,
  CLIENT,
  createClient,
  link,
  openWorld,
  simulatedItems,
  sourceEvents,
  type World,
  waitForWebhooks,
  work,
} from '../../../../test/support/linker-world.ts'
import { workOff } from '../../../platform/queue/leased-work.ts'
import { openPlaid } from '../plaid/provider.ts'
import { createSyncs } from './sync.ts'

let world: World

before(async () => {
  world = await openWorld('linker_unreadable')
})
after(() => world.close())

type Row = Readonly<Record<string, unknown>>

/**
 * Starts a proxy to the provider that adds rows to the feed, each a copy of the first row with these fields changed.
 */
async function withRows(alike: Readonly<Record<string, Row>>): Promise<{ url: string; close: () => void }> {
  const server = createServer(async (request, answer) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const json = { 'content-type': 'application/json' }
    const headers = { ...json, 'plaid-client-id': CLIENT.clientId, 'plaid-secret': CLIENT.secret }
    const sent = { method: 'POST', headers, body: Buffer.concat(chunks) }
    const body = (await (await fetch(`${world.simulator.url}${request.url}`, sent)).json()) as Row
    const [first] = (body['added'] as Row[] | undefined) ?? []
    const more = Object.entries(alike).map(([transaction_id, rest]) => ({ ...first, transaction_id, ...rest }))
    const page =
      first === undefined ? body : { ...body, added: [...more, first], removed: [{ transaction_id: 'gone\u0000' }] }
    answer.writeHead(200, json).end(JSON.stringify(page))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

test('a row that cannot be stored does not block the others and is logged for the operator', async () => {
  const user = await addUser(world, 'unreadable')
  await link(world, await createClient(world), 'unreadable', 'unreadable')
  await work(world)
  const item = (await simulatedItems(world)).at(-1)
  assert(item !== undefined)
  const good = await atSimulator(world, '/_sim/purchases', { item_id: item.item_id, merchant: 'Kettle', amount: 5 })
  const taken = {
    nul: { name: 'A\u0000B', merchant_name: 'A\u0000B' },
    half: { name: 'x\ud800', original_description: '\udc00' },
    wild: { authorized_datetime: '+275760-09-13T00:00:00Z', datetime: 'soon', authorized_date: '0000-00-00' },
  }
  const unmoneyed = { odd: { iso_currency_code: 'USDC' }, none: { iso_currency_code: '' } }
  const leftOut = {
    rich: { amount: 1e17 },
    poor: { amount: null },
    dateless: { date: '2026-13-45' },
    future: { date: '9999-12-31' },
    ['i'.repeat(5000)]: {},
    'gone\u0000': {},
  }
  const provider = await withRows({ ...taken, ...unmoneyed, ...leftOut })
  const options = {
    ...CLIENT,
    address: provider.url,
    isSimulator: true,
    environment: 'sandbox' as const,
  }
  const deps = { ...world.deps, providers: { sandbox: openPlaid(options), production: null } }
  await waitForWebhooks(world)
  try {
    await world.db
      .reader`update linker_items set sync_paced_until = null, sync_due_at = now() - interval '1 second', cursor = null`
    await workOff(createSyncs(deps, null))
  } finally {
    provider.close()
  }
  const ids = (await sourceEvents(world, user.userId)).map((event) => event.externalId)
  assert.deepEqual(ids.toSorted(), [...Object.keys(taken), String(good['transaction_id'])].toSorted())
  const [state] = await world.db.reader<{ cursor: string | null; fault: string | null }[]>`
    select cursor, fault from linker_items where user_id = ${user.userId}`
  assert(state?.cursor !== null && state?.fault === null)
  const warned = world.logged.filter((line) => line.includes('were skipped'))
  assert.deepEqual(
    warned.map((line) => JSON.parse(line).left_out),
    [Object.keys(leftOut).length],
  )
})
