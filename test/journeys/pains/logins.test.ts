import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { allowRedirectUri } from '../../../src/tenants/publishers/index.ts'
import { CATALOG, startTestApp, type TestApp } from '../../support/app.ts'
import { linkPage } from '../../support/link-page.ts'
import {
  ask,
  bank,
  buy,
  CLIENT,
  control,
  countEvents,
  expectEnd,
  expectError,
  expectRows,
  expectRowsPolling,
  expectValue,
  handOver,
  linkAgain,
  login,
  look,
  type Person,
  personIn,
  provider,
  readCards,
  signInAgain,
} from './person.ts'

// Logins that break or get repaired, or only appear to: what the cards show, what is announced, and how users repair
// them.

let app: TestApp

before(async () => {
  app = await startTestApp()
  await app.catalog(CATALOG)
})
after(() => app.close())

const OAUTH_BANK = 'ins_127287'
const BACK = 'https://app.rewards.example/bank-return'

/** Counts the re-authentication events per card of the user. */
async function announced(person: Person): Promise<number> {
  return ((await countEvents(person))['card.reauthentication_required'] ?? 0) / (await readCards(person)).length
}

// 10. A broken login was not displayed, or there was no way to repair it.
test('a broken login shows on every card and is announced once; repairing it recovers missed purchases', async () => {
  const person = await personIn(app, 'lost')
  await buy(person, 20)
  await expectRows(person, 'PENDING 20 1')
  const cards = await readCards(person)
  assert(cards.length > 1)
  await login(person, 'break')
  await buy(person, 80, { pending: true }).then((hold) => bank(person, hold, 'post'))
  await expectError(person, 'NEED_AUTHENTICATION')
  await look(person)
  await expectValue(() => announced(person), 1)
  await expectRows(person, 'PENDING 20 1')
  assert.deepEqual(await signInAgain(person), cards)
  await expectError(person, null)
  await expectRowsPolling(person, 'PENDING 20 1', 'PENDING 80 4')
  await expectEnd(person, 5)
  assert.equal(await announced(person), 1)
})

// 10. Users cannot distinguish a repair from a new link, and those who relinked lost the purchases made in between.
test('relinking a broken login instead of repairing it recovers the missed purchases, including holds', async () => {
  const person = await personIn(app, 'relinked', { onPage: true })
  await buy(person, 20)
  await expectRows(person, 'PENDING 20 1')
  await login(person, 'break')
  await buy(person, 80)
  await buy(person, 60, { pending: true })
  await expectError(person, 'NEED_AUTHENTICATION')
  await linkAgain(person, { onPage: true })
  await expectRowsPolling(person, 'PENDING 20 1', 'PENDING 60 3', 'PENDING 80 4')
  await expectError(person, null)
  const { purchases } = await ask(app, `purchases?item_id=${person.itemId}`)
  const hold = purchases.find((one: { pending: boolean }) => one.pending)
  await bank(person, hold, 'post')
  await expectEnd(person, 8)
})

// 10. A revoked permission was not displayed, and update mode could not repair it.
test('a revoked permission is detected even without a webhook, and the repair token yields a working link', async () => {
  const person = await personIn(app, 'revoked', { onPage: true })
  await buy(person, 80)
  await expectRows(person, 'PENDING 80 4')
  const before = await readCards(person)
  await login(person, 'revoke', { silent: true })
  await look(person)
  await expectError(person, 'NEED_AUTHENTICATION')
  await expectValue(() => announced(person), 1)
  const old = person.itemId
  const cards = await signInAgain(person)
  assert.notEqual(person.itemId, old)
  assert.deepEqual(
    cards.map(({ name, mask, error }) => [name, mask, error]),
    before.map(({ name, mask }) => [name, mask, null]),
  )
  await buy(person, 40)
  await expectRowsPolling(person, 'PENDING 40 2', 'PENDING 80 4')
  await expectEnd(person, 6)
})

// 10. A consent expires once a year, and users were notified only afterward.
test('an expiring consent is announced in advance, and again once it has expired', async () => {
  const person = await personIn(app, 'yearly')
  await login(person, 'expire-consent', { in_seconds: 5 * 86_400 })
  await expectValue(() => announced(person), 1)
  await buy(person, 80)
  await expectRows(person, 'PENDING 80 4')
  await expectError(person, null)
  await look(person, 6)
  await look(person)
  await expectError(person, 'NEED_AUTHENTICATION')
  await expectValue(() => announced(person), 2)
  await signInAgain(person)
  await expectError(person, null)
  await expectEnd(person, 4)
})

// 11. An error remained on the cards forever, because a read without new rows did not clear it.
test('an error clears by itself once the login works, without a webhook or a purchase', async () => {
  const person = await personIn(app, 'mended')
  await login(person, 'break', { silent: true })
  await look(person)
  await expectError(person, 'NEED_AUTHENTICATION')
  await login(person, 'repair', { silent: true })
  await look(person)
  await expectError(person, null)
  await buy(person, 80)
  await expectRows(person, 'PENDING 80 4')
  await expectEnd(person, 4)
})

// 11. The webhook about a break arrived after the one about its repair, so the login stayed broken.
test('if webhooks about a break and a repair are late, duplicated or reordered, the current state wins', async () => {
  const person = await personIn(app, 'crossed')
  await control(app, 'webhooks', { reorder: true, double: 1, seed: 11 })
  await login(person, 'break')
  await login(person, 'repair')
  await control(app, 'webhooks/replay', { item_id: person.itemId })
  await look(person)
  await expectError(person, null)
  await buy(person, 80)
  await expectRowsPolling(person, 'PENDING 80 4')
  await expectError(person, null)
  await expectEnd(person, 4)
})

// 11. A user who signed in again although nothing was wrong got every purchase twice or none at all.
test('repairing a healthy login changes nothing', async () => {
  const person = await personIn(app, 'careful')
  await buy(person, 80)
  await expectRows(person, 'PENDING 80 4')
  const cards = await readCards(person)
  assert.deepEqual(await signInAgain(person), cards)
  await buy(person, 40)
  await expectRowsPolling(person, 'PENDING 40 2', 'PENDING 80 4')
  await expectEnd(person, 6)
  const announced = await countEvents(person)
  assert.deepEqual([announced['card.linked'], announced['card.unlinked']], [cards.length, undefined])
})

// 12. The user came back from the bank to a page with a different link token or none, and a repair had no address to
// return to.
test("a link or repair resumes after a bank's OAuth page only with the link token that started it", async () => {
  const person = await personIn(app, 'redirected', { bank: OAUTH_BANK })
  const { publisher, call } = person.tenant
  await app.service.db.transaction((tx) => allowRedirectUri(tx, publisher.id, BACK, new Date()))
  const query = `?redirect_uri=${encodeURIComponent(BACK)}`
  for (const path of [`link-token/${person.user}`, `auth-token/${OAUTH_BANK}/${person.user}`]) {
    if (path.startsWith('auth')) {
      await login(person, 'break')
      await expectError(person, 'NEED_AUTHENTICATION')
    }
    const { status, body } = await call('GET', `/linker/${path}${query}`)
    assert.equal(status, 200)
    const linkToken = await provider(app, '/link/token/get', CLIENT, { link_token: body.link_token })
    assert.equal((linkToken['metadata'] as { redirect_uri?: unknown }).redirect_uri, BACK)
    const received = await throughTheBank(linkPage(app.simulatorUrl, body.link_token), person.user)
    assert(received.startsWith(`${BACK}?oauth_state_id=`))
    const other = await call('GET', `/linker/link-token/${person.user}${query}`)
    assert.equal(
      (await returnToLinkPage(linkPage(app.simulatorUrl, other.body.link_token), received)).status,
      409,
      'another link token leads nowhere',
    )
    const done = await returnToLinkPage(linkPage(app.simulatorUrl, body.link_token), received)
    await handOver(person, /public-sandbox-[0-9a-f-]{36}/.exec(await done.text())?.[0] ?? '')
    await expectError(person, null)
  }
  const refused = await call(
    'GET',
    `/linker/auth-token/${OAUTH_BANK}/${person.user}?redirect_uri=https://evil.example/`,
  )
  assert.deepEqual([refused.status, refused.body.code], [400, 'redirect_uri_not_allowed'])
  await buy(person, 80)
  await expectRowsPolling(person, 'PENDING 80 4')
  await expectEnd(person, 4)
})

/** Takes the user through a bank's own sign-in page. Returns the URL that the bank redirects them to. */
async function throughTheBank(linkUrl: string, username: string): Promise<string> {
  const first = await fetch(linkUrl, { redirect: 'manual' })
  const session = /\/link\/([0-9a-f-]{36})\//.exec(first.headers.get('location') ?? '')?.[1]
  const walk = `${app.simulatorUrl}/oauth/${session}`
  const form = new URLSearchParams({ institution_id: OAUTH_BANK, username, password: 'pass_good' })
  const page = await (await fetch(`${walk}/sign-in`, { method: 'POST', body: form })).text()
  const accounts = [...page.matchAll(/name="account_id" value="([^"]+)"/g)].map(([, id]) => id ?? '')
  const answer = new URLSearchParams({ answer: 'allow' })
  for (const id of accounts) answer.append('account_id', id)
  const back = await (await fetch(`${walk}/consent`, { method: 'POST', body: answer })).text()
  return (/id="onward" href="([^"]+)"/.exec(back)?.[1] ?? '').replaceAll('&amp;', '&')
}

function returnToLinkPage(linkUrl: string, received: string): Promise<Response> {
  const page = new URL(linkUrl)
  page.searchParams.set('received_redirect_uri', received)
  return fetch(page)
}
