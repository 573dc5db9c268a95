import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { linkItem, linkTokenBody, openSimulator, type Tokens, temporaryFolder } from './test-support.ts'

const WISH = { institution_id: 'ins_109508', initial_products: ['transactions'] }

test('a token works only under the client id that created it', async (t) => {
  const { call } = await openSimulator(t)
  const codeFor = async (client: string, path: string, body: object) =>
    (await call<{ error_code?: string }>(path, body, client)).body.error_code
  const { link_token } = (await call<{ link_token: string }>('/link/token/create', linkTokenBody())).body
  assert.equal(await codeFor('client-b', '/link/token/get', { link_token }), 'INVALID_LINK_TOKEN')
  assert.equal(await codeFor('client-a', '/link/token/get', { link_token }), undefined)

  const { public_token } = (await call<{ public_token: string }>('/sandbox/public_token/create', WISH)).body
  assert.equal(await codeFor('client-b', '/item/public_token/exchange', { public_token }), 'INVALID_PUBLIC_TOKEN')
  const { access_token } = (await call<Tokens>('/item/public_token/exchange', { public_token })).body

  const update = linkTokenBody({ access_token, products: undefined })
  for (const [path, body] of [
    ['/item/get', { access_token }],
    ['/transactions/sync', { access_token }],
    ['/link/token/create', update],
    ['/item/remove', { access_token }],
  ] as const) {
    assert.equal(await codeFor('client-b', path, body), 'INVALID_ACCESS_TOKEN', path)
    assert.equal(await codeFor('client-a', path, body), undefined, path)
  }
  assert.equal(await codeFor('client-b', '/item/get', { access_token }), 'INVALID_ACCESS_TOKEN')
  assert.equal(await codeFor('client-a', '/item/get', { access_token }), 'ITEM_NOT_FOUND')
})

test('the first secret used with a client id becomes its secret, even across a restart', async (t) => {
  const dataFile = join(await temporaryFolder(t), 'simulator.json')
  const tryOut = async (url: string, client: string, secret: string) => {
    const answer = await fetch(`${url}/link/token/create`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(linkTokenBody({ client_id: client, secret })),
    })
    return ((await answer.json()) as { error_code?: string }).error_code ?? answer.status
  }
  const before = await openSimulator(t, { dataFile })
  for (const client of ['shop', '__proto__', 'constructor']) {
    assert.equal(await tryOut(before.url, client, 'open sesame'), 200)
    assert.equal(await tryOut(before.url, client, 'open barley'), 'INVALID_API_KEYS')
    assert.equal(await tryOut(before.url, client, 'open sesame'), 200)
  }
  await before.close()
  assert.ok(!(await readFile(dataFile, 'utf8')).includes('open sesame'), 'the secret itself is kept nowhere')

  const after = await openSimulator(t, { dataFile })
  for (const client of ['shop', '__proto__', 'constructor']) {
    assert.equal(await tryOut(after.url, client, 'open barley'), 'INVALID_API_KEYS')
    assert.equal(await tryOut(after.url, client, 'open sesame'), 200)
  }
})

test('items in an older snapshot belong to the first client id that uses them', async (t) => {
  const dataFile = join(await temporaryFolder(t), 'simulator.json')
  const before = await openSimulator(t, { dataFile })
  const { access_token } = await linkItem(before)
  const { link_token } = (await before.call<{ link_token: string }>('/link/token/create', linkTokenBody())).body
  const { public_token } = (await before.call<{ public_token: string }>('/sandbox/public_token/create', WISH)).body
  const removed = await linkItem(before)
  await before.call('/item/remove', { access_token: removed.access_token })
  await before.close()
  await writeFile(dataFile, asOldSnapshot(await readFile(dataFile, 'utf8'), removed))

  const { call } = await openSimulator(t, { dataFile })
  const status = async (path: string, body: object, client: string) => (await call(path, body, client)).status
  for (const [path, body] of [
    ['/item/get', { access_token }],
    ['/link/token/get', { link_token }],
    ['/item/public_token/exchange', { public_token }],
  ] as const) {
    assert.equal(await status(path, body, 'client-z'), 200, path)
    assert.equal(await status(path, body, 'client-a'), 400, path)
  }
  const gone = await call('/item/get', { access_token: removed.access_token }, 'client-z')
  assert.equal(gone.body.error_code, 'ITEM_NOT_FOUND')
})

/** Converts a snapshot to the format from before tokens had owners. */
function asOldSnapshot(text: string, removed: Tokens): string {
  const { clientSecrets: _, ...state } = JSON.parse(text, (key, value) => (key === 'clientId' ? undefined : value))
  return JSON.stringify({ ...state, removedTokens: { [removed.access_token]: removed.item_id } })
}
