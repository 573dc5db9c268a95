import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { eventually } from '../../../../test/support/eventually.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(async () => {
  await app.close()
})

const headers = { 'content-type': 'application/json', 'PLAID-CLIENT-ID': 'laurel', 'PLAID-SECRET': 'laurel' }

async function simulator(path: string, body?: object): Promise<Record<string, unknown>> {
  const sent = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await fetch(`${app.simulatorUrl}${path}`, sent)
  assert.ok(response.ok, await response.clone().text())
  return (await response.json()) as Record<string, unknown>
}

test('a login repaired on the link page is shown as healthy without another call by the publisher', async () => {
  const publisher_user_id = 'repairer'
  await app.call('POST', '/users', { publisher_user_id })
  await app.call('POST', '/terms/accept', { publisher_user_id, tnc_id: app.tncId })
  const { public_token } = await simulator('/sandbox/public_token/create', {
    institution_id: 'ins_109508',
    initial_products: ['transactions'],
  })
  const linked = await app.call('POST', `/linker/public-token/${publisher_user_id}`, {
    public_token,
    institution_id: 'ins_109508',
    institution_name: 'First Platypus Bank',
  })
  const accountId = linked.body.linked_cards[0].account_id
  const { items } = (await simulator(`/_sim/items?account_id=${accountId}`)) as { items: { item_id: string }[] }
  const shown = async () =>
    (await app.call('GET', `/linker/linked-cards/${publisher_user_id}`)).body.linked_institutions[0].linked_cards[0]
      .error

  await simulator(`/_sim/items/${items[0]?.item_id}/break`, {})
  assert.equal(await eventually(shown), 'NEED_AUTHENTICATION')
  const auth = await app.call('GET', `/linker/auth-token/ins_109508/${publisher_user_id}`)
  assert.equal(auth.status, 200)
  // The page repairs the login at the provider, without a webhook.
  const opened = await fetch(`${app.simulatorUrl}/link?token=${auth.body.link_token}`, { redirect: 'manual' })
  const signIn = new URL(opened.headers.get('location') ?? '', app.simulatorUrl)
  const form = new URLSearchParams({ institution_id: 'ins_109508', username: 'user_good', password: 'pass_good' })
  const signedIn = await fetch(signIn, { method: 'POST', body: form, redirect: 'manual' })
  assert.equal(signedIn.status, 303)
  assert.equal(await eventually(async () => ((await shown()) === null ? 'healthy' : null)), 'healthy')
})
