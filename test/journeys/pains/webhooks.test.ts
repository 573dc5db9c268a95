import assert from 'node:assert/strict'
import { createHash, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { CATALOG, startTestApp, type TestApp } from '../../support/app.ts'
import { eventually } from '../../support/eventually.ts'
import {
  ask,
  BANK,
  buy,
  CLIENT,
  control,
  expectEnd,
  expectError,
  expectRows,
  expectRowsPolling,
  expectValue,
  type Person,
  personIn,
  provider,
} from './person.ts'

// 13. Other clients accepted webhooks from anyone. Where signatures were checked, a framework that parsed and
// reserialized the body made genuine ones fail.

let app: TestApp

before(async () => {
  app = await startTestApp()
  await app.catalog(CATALOG)
})
after(() => app.close())

type Genuine = { readonly raw: string; readonly jwt: string }

/** Posts a webhook, and retries while its key is being fetched. */
function post(raw: string, jwt: string | null): Promise<Response> {
  const signature = jwt === null ? {} : { 'plaid-verification': jwt }
  const headers = { 'content-type': 'application/json', ...signature }
  return eventually(async () => {
    const answer = await fetch(`${app.service.url}/linker/webhooks`, { method: 'POST', headers, body: raw })
    return answer.status !== 503 && answer
  })
}

/** Captures a genuine provider webhook with a separate receiver. */
async function genuine(): Promise<Genuine> {
  const { promise, resolve } = Promise.withResolvers<Genuine>()
  const receiver = createServer(async (request, response) => {
    resolve({ raw: await text(request), jwt: String(request.headers['plaid-verification']) })
    response.end()
  })
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
  const webhook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const { public_token } = await provider(app, '/sandbox/public_token/create', CLIENT, {
    institution_id: BANK,
    initial_products: ['transactions'],
    options: { webhook, override_username: 'bystander', override_password: 'pass_good' },
  })
  const { access_token } = await provider(app, '/item/public_token/exchange', CLIENT, { public_token })
  await provider(app, '/sandbox/item/fire_webhook', CLIENT, { access_token, webhook_code: 'NEW_ACCOUNTS_AVAILABLE' })
  const got = await promise
  receiver.closeAllConnections()
  await new Promise((done) => receiver.close(done))
  return got
}

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

function makeClaims(raw: string, iat = Math.floor(Date.now() / 1000)) {
  return base64({ iat, request_body_sha256: createHash('sha256').update(raw).digest('hex') })
}

function signedBy(key: KeyObject, header: object, claims: string): string {
  const head = `${base64(header)}.${claims}`
  return `${head}.${sign('sha256', Buffer.from(head), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

function lieAbout({ itemId }: Person): string {
  const error = { error_type: 'ITEM_ERROR', error_code: 'ITEM_LOGIN_REQUIRED', error_message: '', status: 400 }
  return JSON.stringify({ webhook_type: 'ITEM', webhook_code: 'ERROR', item_id: itemId, environment: 'sandbox', error })
}

test('only webhooks signed by the provider with ES256 over their exact bytes are accepted', async () => {
  const person = await personIn(app, 'target')
  await buy(person, 80)
  await expectRows(person, 'PENDING 80 4')
  const { raw, jwt } = await genuine()
  const [header = '', claims = '', signature = ''] = jwt.split('.')
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string }
  const { key } = (await provider(app, '/webhook_verification_key/get', CLIENT, { key_id: kid })) as { key: object }
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const lie = lieAbout(person)
  const hmac = `${base64({ alg: 'HS256', kid })}.${makeClaims(lie)}`
  const byPublicKey = createHmac('sha256', JSON.stringify(key)).update(hmac).digest('base64url')
  const forgeries: readonly (readonly [what: string, raw: string, jwt: string | null])[] = [
    ['unsigned', lie, null],
    ['not a signature', lie, 'signature'],
    ['with no algorithm', lie, `${base64({ alg: 'none', kid })}.${makeClaims(lie)}.`],
    ['with the public key as a shared secret', lie, `${hmac}.${byPublicKey}`],
    [
      'with another key under the name of the provider’s',
      lie,
      signedBy(own.privateKey, { alg: 'ES256', kid }, makeClaims(lie)),
    ],
    [
      'with a key that the token carries',
      lie,
      signedBy(
        own.privateKey,
        { alg: 'ES256', kid: 'mine', jwk: own.publicKey.export({ format: 'jwk' }) },
        makeClaims(lie),
      ),
    ],
    ['under a signature of another webhook', lie, jwt],
    ['with other claims under a signature', lie, `${header}.${makeClaims(lie)}.${signature}`],
    ['a genuine one that was serialized again', JSON.stringify(JSON.parse(raw)), jwt],
    ['a genuine one with a space more', `${raw} `, jwt],
    ['a genuine one without its signature', raw, `${header}.${claims}.`],
  ]
  for (const [what, body, given] of forgeries) {
    const answer = await post(body, given)
    assert.equal(answer.status, 401, what)
    assert.equal(((await answer.json()) as { code: string }).code, 'webhook_unverified', what)
  }
  assert.equal((await post(raw, jwt)).status, 200, 'the genuine one, although its login is unknown here')
  await expectError(person, null)
  await expectRows(person, 'PENDING 80 4')
  await expectEnd(person, 4)
})

test('a webhook is only a hint; its content takes effect only once the provider confirms it', async () => {
  const person = await personIn(app, 'hinted')
  await buy(person, 80)
  await expectRows(person, 'PENDING 80 4')
  // These webhooks are genuine but outdated, because the login works again.
  await control(app, `items/${person.itemId}/break`)
  await control(app, `items/${person.itemId}/repair`, { silent: true })
  await control(app, 'webhooks/replay', { item_id: person.itemId, count: 5 })
  await buy(person, 40)
  await expectRowsPolling(person, 'PENDING 40 2', 'PENDING 80 4')
  await expectError(person, null)
  await expectEnd(person, 6)
})

test('incorrectly signed webhooks are accepted once resent correctly, and polling makes up for lost ones', async () => {
  const person = await personIn(app, 'badly signed')
  await expectRows(person)
  // The seed cycles through the kinds of invalid signature.
  for (const [index, amount] of [20, 40, 60, 80].entries()) {
    await control(app, 'webhooks', { badly_sign: 1, seed: index })
    await buy(person, amount)
    await expectValue(async () => lastDelivery(person), 'delivered')
  }
  await expectRows(person, 'PENDING 20 1', 'PENDING 40 2', 'PENDING 60 3', 'PENDING 80 4')
  await control(app, 'webhooks', { badly_sign: 1, lose: 1, seed: 5 })
  await buy(person, 100)
  await expectValue(async () => lastDelivery(person), 'lost')
  await expectRows(person, 'PENDING 20 1', 'PENDING 40 2', 'PENDING 60 3', 'PENDING 80 4')
  await expectRowsPolling(person, 'PENDING 20 1', 'PENDING 40 2', 'PENDING 60 3', 'PENDING 80 4', 'PENDING 100 5')
  await expectEnd(person, 15)
})

async function lastDelivery({ itemId }: Person): Promise<string> {
  const { deliveries } = await ask(app, 'webhooks')
  return deliveries.findLast((one: { item_id: string }) => one.item_id === itemId)?.outcome
}
