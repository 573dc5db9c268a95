import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { useBrowser } from '../../simulator/pages/test-support.ts'
import { encodeId, toUserId } from '../../src/platform/ids.ts'
import { buildConsole } from '../../src/platform/web/index.ts'
import { consoleCookie, invitePerson, openSession, type Role, toLocalActor } from '../../src/tenants/accounts/index.ts'
import { changeSettings } from '../../src/tenants/publishers/index.ts'
import { CATALOG, startTestApp, type TestApp } from '../support/app.ts'
import { followAddress, following, openSections } from '../support/console-pages.ts'

// Opens the console's addresses with every role, as publisher staff, and without a session. Each address shows its
// page, refuses with a reason, or redirects to the sign-in page.

const openPage = useBrowser()
const consoleFolder = buildConsole()
let app: TestApp
let fill: (path: string) => string

const EVERY_ROLE = ['admin', 'catalog', 'finance', 'support', 'read-only'] as const satisfies readonly Role[]
const FINANCE = ['admin', 'finance', 'support', 'read-only'] as const
const CATALOG_READERS = ['admin', 'catalog', 'support', 'read-only'] as const
const STAFF = 'staff'
type Who = Role | typeof STAFF

/** Each address with the roles that may see it. All other signed-in people are refused. */
const PAGES: readonly (readonly [address: string, shown: readonly Who[]])[] = [
  ['/', [...EVERY_ROLE, STAFF]],
  ['/account', [...EVERY_ROLE, STAFF]],
  ['/reviews', CATALOG_READERS],
  ['/claims', FINANCE],
  ['/claims/CLAIM', FINANCE],
  ['/redemptions', FINANCE],
  ['/failed-facts', CATALOG_READERS],
  ['/audit', ['admin', 'read-only']],
  ['/brands', EVERY_ROLE],
  ['/brands/brand-market', EVERY_ROLE],
  ['/brands/import', ['admin', 'catalog']],
  ['/offers', EVERY_ROLE],
  ['/offers/offer-market', EVERY_ROLE],
  ['/categories', EVERY_ROLE],
  ['/stores', EVERY_ROLE],
  ['/budgets', EVERY_ROLE],
  ['/ledger', FINANCE],
  ['/receivables', FINANCE],
  ['/payments', FINANCE],
  ['/statements', FINANCE],
  ['/statements/close', ['admin', 'finance']],
  ['/adjustments', FINANCE],
  ['/refunds', CATALOG_READERS],
  ['/sales', CATALOG_READERS],
  ['/contradictions', FINANCE],
  ['/gift-card-orders', FINANCE],
  ['/service', CATALOG_READERS],
  ['/broken-logins', FINANCE],
  ['/endpoints', ['admin', 'support', 'read-only']],
  ['/staff', ['admin', 'read-only']],
  ['/users', FINANCE],
  ['/users/USER', FINANCE],
  ['/publishers', EVERY_ROLE],
  ['/terms', ['admin', 'support', 'read-only']],
  ['/publishers/OWN/transactions', [...EVERY_ROLE, STAFF]],
  ['/publishers/OWN/transactions/TRANSACTION', [...EVERY_ROLE, STAFF]],
  ['/publishers/OWN/users', [...FINANCE, STAFF]],
  ['/publishers/OWN/users/ada', [...FINANCE, STAFF]],
  ['/publishers/OWN/webhooks', [...FINANCE, STAFF]],
  ['/publishers/OWN/reports', [...FINANCE, STAFF]],
  ['/publishers/OWN/portal', [...FINANCE, STAFF]],
  ['/publishers/OWN/preview', [...FINANCE, STAFF]],
  ['/publishers/OWN/sandbox', [...EVERY_ROLE, STAFF]],
  ['/publishers/OWN/clock', [...EVERY_ROLE, STAFF]],
  ['/publishers/OWN/staff', [...FINANCE, STAFF]],
  ['/publishers/OWN/settings', EVERY_ROLE],
  ['/publishers/OWN/keys', ['admin', 'support', 'read-only']],
  ['/publishers/OWN/assortment', ['admin', 'catalog', 'support', 'read-only']],
  ['/publishers/OTHER/transactions', EVERY_ROLE],
  ['/publishers/OTHER/users', FINANCE],
]
const OPEN = ['/forgotten', '/reset', '/invitation']

before(async () => {
  app = await startTestApp({ consoleFolder })
  await app.catalog(CATALOG)
  const other = await app.tenant()
  await app.service.db.transaction((tx) => changeSettings(tx, app.publisher.id, { ownCardFeed: true }))
  await app.call('POST', '/users', { publisher_user_id: 'ada' })
  await app.call('POST', '/terms/accept', { publisher_user_id: 'ada', tnc_id: app.tncId })
  const purchase = { source: 'CARD', external_id: 'one', kind: 'CLEARING', merchant_descriptor: 'CORNER MARKET' }
  const bought = await app.call('POST', '/transactions', { ...purchase, publisher_user_id: 'ada', amount: 40 })
  const claim = { publisher_user_id: 'ada', external_ref: 'one', kind: 'missing', merchant: 'Market', amount: 20 }
  const names: Readonly<Record<string, string>> = {
    OWN: encodeId('pub', app.publisher.id),
    OTHER: encodeId('pub', other.publisher.id),
    USER: encodeId('usr', toUserId(app.publisher.id, 'ada')),
    TRANSACTION: bought.body.transaction_uid,
    CLAIM: (await app.call('POST', '/claims', claim)).body.claim_id,
  }
  fill = (path) => path.replaceAll(/[A-Z]{3,}/g, (name) => names[name] ?? name)
})
after(() => app.close())

/** Signs in a person with this role and returns their session cookie. */
async function signInForCookie(who: Who) {
  const email = `${who}@laurel.example`
  const company =
    who === STAFF
      ? { publisherId: app.publisher.id, role: 'read-only' as const }
      : { publisherId: null, role: who as Role }
  const token = await app.service.db.transaction(async (tx) => {
    const { accountId } = await invitePerson(tx, { ...company, email }, toLocalActor('tests'), new Date())
    const kind = company.publisherId === null ? ('operator' as const) : ('publisher' as const)
    return (await openSession(tx, { kind, accountId }, { address: '127.0.0.1', userAgent: 'Chromium' }, new Date()))
      .token
  })
  return { name: consoleCookie(app.service.url), value: token, url: app.service.url }
}

/** Returns `shown` if an address shows its page, or else the reason it is refused. */
async function readOutcome(page: Page, path: string): Promise<string> {
  const shown = await followAddress(page, fill(path))
  return (await shown.getAttribute('role')) === 'alert' ? `refused: ${await shown.innerText()}` : 'shown'
}

for (const who of [...EVERY_ROLE, STAFF] as const)
  test(`${who} sees exactly that role's console pages and, for all others, the reason for the refusal`, async (t) => {
    const page = await openPage(t, { locale: 'en-US', viewport: { width: 1280, height: 800 } })
    await page.context().addCookies([await signInForCookie(who)])
    await page.goto(`${app.service.url}/console/sign-in`)
    await page.locator('main h1').waitFor()
    const refusal = who === STAFF ? /operating company|There is no such publisher/ : /Your role, .*, does not include/
    const wrong: string[] = []
    for (const [path, shown] of PAGES) {
      const outcome = await readOutcome(page, path)
      if (shown.includes(who) ? outcome !== 'shown' : !(outcome.startsWith('refused: ') && refusal.test(outcome)))
        wrong.push(`${path}: ${outcome}`)
    }
    assert.deepEqual(wrong, [])
    // The menu must link only to pages the role may see.
    const menu = page.getByRole('navigation', { name: 'Main' })
    await openSections(menu)
    const offered = await menu
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
    const seen = new Map(PAGES.map(([path, shown]) => [`/console${fill(path)}`.replace(/\/$/, ''), shown]))
    for (const address of offered) {
      const shown = seen.get(address.replace(/\/$/, ''))
      assert(shown?.includes(who) ?? address.includes('/publishers/'), `${who} is offered ${address}`)
    }
  })

test("only the console's sign-in pages are visible without a session", async (t) => {
  const page = await openPage(t, { locale: 'en-US' })
  await page.goto(`${app.service.url}/console/sign-in`)
  for (const [path] of PAGES) {
    await page.evaluate(following(fill(path)))
    await page.waitForURL(
      ({ pathname, searchParams }) =>
        pathname === '/console/sign-in' && (searchParams.get('next') ?? '/') === fill(path),
    )
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  }
  for (const path of OPEN) {
    await page.goto(`${app.service.url}/console${path}`)
    await page.locator('main h1').waitFor()
    assert.equal(new URL(page.url()).pathname, `/console${path}`)
  }
})
