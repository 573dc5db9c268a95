import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import {
  type AccountBase,
  Configuration,
  CountryCode,
  type Institution,
  type ItemWithConsentFields,
  type JWKPublicKey,
  type LinkTokenCreateResponse,
  PlaidApi,
  Products,
  type Transaction,
  type TransactionsSyncResponse,
} from 'plaid'
import { type Simulator, startSimulator } from '../../simulator/index.ts'
import { openPlaid } from '../../src/purchases/linker/plaid/provider.ts'

// The simulator's responses must match the types of the official SDK, and the service must request up front what it
// cannot request later.

/**
 * Every field that the SDK's type requires. The compiler finds fields missing from these lists, and the test finds
 * fields missing from the simulator.
 */
type Required<Shape> = Record<
  keyof {
    [Name in keyof Shape as string extends Name ? never : object extends Pick<Shape, Name> ? never : Name]: Shape[Name]
  },
  true
>

const LINK_TOKEN: Required<LinkTokenCreateResponse> = { link_token: true, expiration: true, request_id: true }

const PAGE: Required<TransactionsSyncResponse> = {
  transactions_update_status: true,
  accounts: true,
  added: true,
  modified: true,
  removed: true,
  next_cursor: true,
  has_more: true,
  request_id: true,
}

const TRANSACTION: Required<Transaction> = {
  account_id: true,
  amount: true,
  iso_currency_code: true,
  unofficial_currency_code: true,
  date: true,
  location: true,
  name: true,
  payment_meta: true,
  pending: true,
  pending_transaction_id: true,
  account_owner: true,
  transaction_id: true,
  authorized_date: true,
  authorized_datetime: true,
  datetime: true,
  payment_channel: true,
  transaction_code: true,
}

const ACCOUNT: Required<AccountBase> = {
  account_id: true,
  balances: true,
  mask: true,
  name: true,
  official_name: true,
  type: true,
  subtype: true,
}

const ITEM: Required<ItemWithConsentFields> = {
  item_id: true,
  webhook: true,
  error: true,
  available_products: true,
  billed_products: true,
  consent_expiration_time: true,
  update_type: true,
}

const INSTITUTION: Required<Institution> = {
  institution_id: true,
  name: true,
  products: true,
  country_codes: true,
  routing_numbers: true,
  oauth: true,
}

const KEY: Required<JWKPublicKey> = {
  alg: true,
  crv: true,
  kid: true,
  kty: true,
  use: true,
  x: true,
  y: true,
  created_at: true,
  expired_at: true,
}

let simulator: Simulator
let plaid: PlaidApi

before(async () => {
  simulator = await startSimulator({ port: 0 })
  const headers = { 'PLAID-CLIENT-ID': 'laurel', 'PLAID-SECRET': 'laurel' }
  plaid = new PlaidApi(new Configuration({ basePath: simulator.url, baseOptions: { headers, proxy: false } }))
})
after(() => simulator.close())

function holds(what: object | undefined, required: Readonly<Record<string, true>>): void {
  assert.ok(what !== undefined)
  assert.deepEqual(
    Object.keys(required).filter((name) => !Object.hasOwn(what, name)),
    [],
  )
}

test("the simulator's responses have every field that the official SDK requires", async () => {
  const linkToken = await plaid.linkTokenCreate({
    client_name: 'Laurel',
    language: 'en',
    country_codes: [CountryCode.Us],
    user: { client_user_id: 'someone' },
    products: [Products.Transactions],
  })
  holds(linkToken.data, LINK_TOKEN)
  const options = { override_username: 'someone', override_password: 'pass_good' }
  const login = { institution_id: 'ins_109508', initial_products: [Products.Transactions], options }
  const { public_token } = (await plaid.sandboxPublicTokenCreate(login)).data
  const { access_token, item_id } = (await plaid.itemPublicTokenExchange({ public_token })).data
  const bought = await fetch(`${simulator.url}/_sim/purchases`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ item_id, merchant: 'Fern Foods', amount: 20 }),
  })
  assert.equal(bought.status, 200)
  const page = (await plaid.transactionsSync({ access_token })).data
  holds(page, PAGE)
  holds(page.added[0], TRANSACTION)
  const accounts = (await plaid.accountsGet({ access_token })).data
  holds(accounts.accounts[0], ACCOUNT)
  holds((await plaid.itemGet({ access_token })).data.item, ITEM)
  const bank = { institution_id: 'ins_109508', country_codes: [CountryCode.Us] }
  holds((await plaid.institutionsGetById(bank)).data.institution, INSTITUTION)
  const signedBy = await keyOfWebhook(access_token)
  const key = (await plaid.webhookVerificationKeyGet({ key_id: signedBy })).data.key
  holds(key, KEY)
})

/** Returns the ID of the key that signs webhooks, taken from a real webhook. */
async function keyOfWebhook(access_token: string): Promise<string> {
  const signature = await new Promise<string>((resolve) => {
    const receiver = createServer((request, answer) => {
      answer.end()
      receiver.close()
      resolve(String(request.headers['plaid-verification']))
    })
    receiver.listen(0, '127.0.0.1', async () => {
      const { port } = receiver.address() as AddressInfo
      await plaid.itemWebhookUpdate({ access_token, webhook: `http://127.0.0.1:${port}/` })
    })
  })
  const header = JSON.parse(Buffer.from(signature.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }
  return header.kid
}

test("a link token requests two years of history; local calls bypass the environment's proxy", async (t) => {
  const asked: { transactions?: object }[] = []
  const server = createServer(async (request, answer) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    asked.push(JSON.parse(Buffer.concat(parts).toString()) as { transactions?: object })
    const token = { link_token: 'link-1', expiration: '2030-01-01T00:00:00Z', request_id: 'r' }
    answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(token))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Nothing listens on this port, so a call through the proxy would fail.
  process.env['HTTP_PROXY'] = 'http://127.0.0.1:9'
  t.after(() => {
    delete process.env['HTTP_PROXY']
    server.closeAllConnections()
    server.close()
  })
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = openPlaid({
    address,
    clientId: 'id',
    secret: 's',
    isSimulator: false,
    environment: 'sandbox' as const,
  })
  const wish = {
    clientUserId: 'u',
    webhook: null,
    redirectUri: null,
    androidPackageName: null,
    client: { name: 'Corner Shop', language: 'en', countries: ['US'], products: ['transactions'], accountFilters: {} },
    hosted: null,
    accessToken: null,
  }
  assert.equal((await provider.createLinkToken(wish)).linkToken, 'link-1')
  assert.deepEqual(asked[0]?.transactions, { days_requested: 730 })
})
