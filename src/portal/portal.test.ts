import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { CATALOG, startTestApp, type TestApp } from '../../test/support/app.ts'
import { enterActive, enterPortal, openBrowser, portalLink } from '../../test/support/portal.ts'
import { startOfSecond } from '../../test/support/still-clock.ts'
import { DAY_MS } from '../platform/calendar.ts'
import { dropOld } from '../platform/db/retention.ts'
import { retainedLinks } from './queries.ts'

let nowMs = startOfSecond()
let app: TestApp
/** Markup that an attacker could enter into a field, hoping it runs in another person's browser. */
const markupIn = (field: string) => `<script>alert(${field})</script>`
const asText = (field: string) => markupIn(field).replaceAll('<', '&#60;').replaceAll('>', '&#62;')

before(async () => {
  app = await startTestApp({ clock: { now: () => new Date(nowMs) } })
  const [market, ...others] = CATALOG.brands
  const written = {
    name: markupIn('offer'),
    description: markupIn('offer-text'),
    terms_and_conditions: markupIn('terms'),
  }
  const offers = market?.offers.map((offer) => ({ ...offer, ...written }))
  const brand = { ...market, name: markupIn('brand'), description: markupIn('description'), offers }
  await app.catalog({ ...CATALOG, brands: [brand, ...others] })
})
after(() => app.close())

test('a link can be opened repeatedly but starts only one session, and expires after 15 minutes', async () => {
  const link = await portalLink(app, 'opener')
  for (let time = 0; time < 2; time++) assert.equal((await openBrowser(app)('GET', link)).status, 200)
  const foreign = await openBrowser(app)('POST', link, {}, 'cross-site')
  assert.equal(foreign.status, 409)
  const entered = await openBrowser(app)('POST', link, {})
  assert.equal(entered.status, 303)
  assert.match(
    entered.headers.getSetCookie().join(),
    /laurel_portal=[^;]+;.*Path=\/portal\/pub_\w+;.*HttpOnly;.*SameSite=Lax/,
  )
  assert.equal((await openBrowser(app)('POST', link, {})).status, 410)
  const late = await portalLink(app, 'opener')
  nowMs += 15 * 60_000
  assert.equal((await openBrowser(app)('POST', late, {})).status, 410)
  await portalLink(app, 'opener')
  await dropOld(app.service.db, retainedLinks, new Date(nowMs + DAY_MS + 14 * 60_000))
  assert.equal((await countLinks()).length, 1, 'a link that is still valid is kept')
  await dropOld(app.service.db, retainedLinks, new Date(nowMs + DAY_MS + 16 * 60_000))
  assert.equal((await countLinks()).length, 0, 'one that nobody used is not')
})

const countLinks = () => app.owner.reader`select from portal_links`

// The public routes and the catch-all.
const UNSUBSCRIBE = '/unsubscribe/:svc_user_id/:notice/:proof'
const OPEN = [
  ...['GET /*', 'GET /deleted', 'GET /logo', 'GET /theme.css', 'POST /sign-in/passkey/options'],
  ...['/enter/:token', '/sign-in', '/sign-in/passkey', '/reset', '/reset/:token', UNSUBSCRIBE].flatMap((path) => [
    `GET ${path}`,
    `POST ${path}`,
  ]),
]

test('every page and form that is not public requires a session at its publisher', async () => {
  const { browser, base } = await enterActive(app, app, 'insider')
  const other = await app.tenant()
  const { body } = await other.call('GET', '/portal/settings')
  const foreign = new URL(body.url).pathname
  const table = await readFile(new URL('../../test/routes.snapshot.txt', import.meta.url), 'utf8')
  const routes = [...table.matchAll(/^(GET|POST) +\/portal\/:portal(\S*) open$/gm)]
  const guarded = routes.filter(([, method, path]) => !OPEN.includes(`${method} ${path}`))
  assert.equal(guarded.length, routes.length - OPEN.length)
  for (const [, method = '', path = ''] of guarded) {
    const address = path.replaceAll(/:\w+/g, 'x')
    const form = method === 'POST' ? {} : undefined
    assert.equal((await openBrowser(app)(method, base + address, form)).status, 401, path)
    assert.equal((await browser(method, foreign + address, form)).status, 401, path)
    if (method === 'POST') assert.equal((await browser(method, base + address, {}, 'cross-site')).status, 409, path)
  }
  assert.equal((await openBrowser(app)('GET', '/portal/nobody')).status, 404)
})

test('a new user must accept the terms first, and sees nothing after signing out or deactivation', async () => {
  const { browser, base } = await enterPortal(app, app, 'newcomer')
  assert.equal((await browser('GET', base)).headers.get('location'), `${base}/terms`)
  const accepted = await browser('POST', `${base}/terms`, { tnc_id: String(app.tncId) })
  assert.equal(accepted.headers.get('location'), `${base}?done=accepted`, accepted.text)
  assert.equal((await browser('GET', base)).status, 200)
  assert.equal((await browser('POST', `${base}/sign-out`, {})).status, 303)
  assert.equal((await browser('GET', base)).status, 401)
  assert.equal((await browser('POST', await portalLink(app, 'newcomer'), {})).status, 303)
  await app.call('DELETE', '/users/newcomer')
  assert.equal((await browser('GET', base)).status, 403)
  const { status } = await app.call('POST', '/portal/sessions', { publisher_user_id: 'newcomer' })
  assert.equal(status, 409)
})

test('a purchase and its explanation are visible only to its user, in the language the user chooses', async () => {
  const { browser, base } = await enterActive(app, app, 'buyer')
  const bought = {
    source: 'OTHER',
    kind: 'CLEARING',
    publisher_user_id: 'buyer',
    brand_uid: 'brand-market',
    amount: 50,
  }
  const { body } = await app.call('POST', '/transactions', { ...bought, external_id: 'buyer-1' })
  const small = await app.call('POST', '/transactions', { ...bought, external_id: 'buyer-2', amount: 5 })
  assert.match((await browser('GET', base)).text, /\$0\.00/)
  assert.match((await browser('GET', `${base}/purchases`)).text, new RegExp(body.transaction_uid))
  const page = `${base}/purchases/${small.body.transaction_uid}`
  const shown = await browser('GET', page)
  assert.equal(shown.status, 200)
  assert.match((await browser('GET', `${page}?lang=de`)).text, /lang="de"/)
  const { browser: other } = await enterActive(app, app, 'onlooker')
  assert.equal((await other('GET', page)).status, 404)
})

test('markup in any field is displayed as text', async () => {
  const tenant = await app.tenant()
  const frames = { frame_ancestors: ['https://app.example.com'] }
  const looks = { slug: 'xss', shown_name: markupIn('publisher'), hue: 42, chroma: 0.16, ...frames }
  assert.equal((await tenant.call('PUT', '/portal/settings', { ...looks, welcome: markupIn('welcome') })).status, 200)
  const user = markupIn('user')
  const { browser, base } = await enterActive(app, tenant, user)
  const bought = { publisher_user_id: user, source: 'OTHER', kind: 'CLEARING', external_id: 'one', amount: 50 }
  const brand = { brand_uid: 'brand-market', order_id: markupIn('order') }
  const { body: purchase } = await tenant.call('POST', '/transactions', { ...bought, ...brand })
  const missed = { publisher_user_id: user, external_ref: 'one', kind: 'missing', merchant: markupIn('merchant') }
  const { body: claim } = await tenant.call('POST', '/claims', { ...missed, evidence: markupIn('evidence') })
  const question = { text: markupIn('note') }
  await app.operator('POST', `/operator/claims/${claim.claim_id}/notes`, question)
  for (const [page, ...fields] of [
    ['', 'publisher', 'welcome'],
    ['/offers', 'brand'],
    [`/offers?q=${encodeURIComponent(markupIn('search'))}`, 'search'],
    ['/brands/brand-market', 'brand', 'description', 'offer-text', 'terms'],
    [`/purchases/${purchase.transaction_uid}`, 'brand'],
    ['/claims', 'merchant'],
    [`/claims/${claim.claim_id}`, 'merchant', 'evidence', 'note'],
    ['/you', 'publisher'],
    ['/cards', 'publisher'],
  ] as const) {
    const { text, status, headers } = await browser('GET', base + page)
    assert.equal(status, 200, page)
    for (const field of fields) assert.ok(text.includes(asText(field)), `${page} ${field}`)
    assert.ok(!text.includes('<script>alert'), page)
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(policy, /frame-ancestors https:\/\/app\.example\.com/)
    assert.ok(!policy.includes('unsafe'))
  }
})

test('forms for earning rewards require the user to have accepted the terms', async () => {
  const { browser, base } = await enterPortal(app, app, 'hasty')
  for (const path of ['/cards', '/offers/offer-market/activation', '/offers/offer-market/code'])
    assert.equal((await browser('POST', base + path, {})).headers.get('location'), `${base}/terms`, path)
  assert.equal((await browser('POST', `${base}/cards/token`, {})).headers.get('location'), `${base}/terms`)
  assert.equal((await browser('POST', `${base}/sign-out`, {})).headers.get('location'), base)
})

test('unknown and malformed URLs return a page or a 404, never a server error', async () => {
  const { browser, base } = await enterActive(app, app, 'tinkerer')
  assert.equal((await browser('GET', `${base}/offers?q=one&q=market&lang=en&lang=de`)).status, 200)
  const nowhere = await browser('GET', `${base}/nothing/here?lang=de`)
  assert.equal(nowhere.status, 404)
  assert.match(nowhere.text, /<html lang="de"/)
  for (const slug of ['%00', 'pub_%00', 'a%0d%0ab', '-a', 'x'.repeat(5_000)])
    assert.equal((await browser('GET', `/portal/${slug}`)).status, 404, slug)
  for (const stray of ['/portal', '/portal/nobody', '/portal/nobody/offers']) {
    const { status, text, headers } = await browser('GET', stray)
    assert.deepEqual([status, headers.get('content-type')], [404, 'text/html; charset=utf-8'], stray)
    assert.match(text, /<h1>Page not found<\/h1>/)
  }
  for (const file of ['constructor', '__proto__', '..%2fportal.ts'])
    assert.equal((await browser('GET', `/portal/assets/${file}`)).status, 404, file)
})

test("a form larger than any of the portal's own is rejected before it is parsed", async () => {
  const { base } = await enterActive(app, app, 'writer')
  const fields = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`field-${index}`, 'x']))
  assert.equal((await openBrowser(app)('POST', `${base}/terms`, fields)).status, 413)
})

test('a key that cannot redeem for a user cannot create a portal link for them', async () => {
  const tenant = await app.tenant({ scopes: ['users:read', 'users:write'] })
  await tenant.call('POST', '/users', { publisher_user_id: 'rich' })
  const { body } = await tenant.call('POST', '/portal/sessions', { publisher_user_id: 'rich' })
  assert.equal(body.code, 'scope_missing')
})

test('after a publisher has moved, its portal is closed even to signed-in users', async () => {
  const tenant = await app.tenant()
  const { browser, base } = await enterActive(app, tenant, 'traveller')
  const link = await portalLink(tenant, 'traveller')
  await app.owner.reader`update publishers set moves_at = now() where publisher_id = ${tenant.publisher.id}`
  assert.equal((await browser('GET', base)).status, 404)
  assert.equal((await browser('POST', `${base}/offers/offer-market/activation`, { activated: 'yes' })).status, 404)
  assert.equal((await openBrowser(app)('POST', link, {})).status, 404)
})

test('a change based on outdated settings is rejected and overwrites nothing', async () => {
  const tenant = await app.tenant()
  const read = async () => (await tenant.call('GET', '/portal/settings')).body
  const save = (change: object, expected: object) =>
    tenant.call('PUT', '/portal/settings', { ...look, ...change, expected })
  const look = { slug: 'shared-look', shown_name: null, hue: 42, chroma: 0.16, frame_ancestors: [] }
  const { slug, hue, chroma } = await read()
  assert.equal((await save({}, { slug, hue, chroma })).status, 200)
  const late = await save({ hue: 7 }, { slug, hue, chroma })
  assert.deepEqual([late.status, late.body.code, late.body.field], [409, 'changed_meanwhile', 'slug'])
  assert.equal((await read()).hue, 42)
  assert.equal((await save({ hue: 7 }, { slug: 'shared-look', hue: 42 })).body.hue, 7)
})

test('settings reject taken or reserved slugs, and frame ancestors that are not valid origins', async () => {
  const settings = { slug: 'acorn-pay', shown_name: null, hue: 42, chroma: 0.16, frame_ancestors: [] }
  assert.equal((await app.call('PUT', '/portal/settings', settings)).body.slug, 'acorn-pay')
  const other = await app.tenant()
  const code = async (changes: object) =>
    (await other.call('PUT', '/portal/settings', { ...settings, ...changes })).body.code
  assert.equal(await code({}), 'portal_slug_taken')
  assert.equal(await code({ slug: 'assets' }), 'portal_setting_invalid')
  const wrong = ["'self'; script-src *", 'https://a.example;script-src-elem', 'https://*.example.com', 'https://*']
  wrong.push('http://app.example.com', 'http://localhost.example.com')
  for (const origin of wrong) {
    const frames = { slug: 'free', frame_ancestors: [origin, 'https://evil.example'] }
    assert.equal(await code(frames), 'portal_setting_invalid', origin)
  }
  const ownMachine = { slug: 'developed', frame_ancestors: ['http://localhost:3000'] }
  assert.equal(await code(ownMachine), undefined)
  const live = await app.tenant({ environment: 'production' })
  const refused = await live.call('PUT', '/portal/settings', { ...settings, ...ownMachine })
  assert.equal(refused.body.code, 'portal_setting_invalid')
})

// A tiny PNG of one pixel.
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test("a publisher's logo and welcome text cannot run scripts, and stay until they are changed", async () => {
  const tenant = await app.tenant()
  const settings = { slug: 'logo', shown_name: 'Logo', hue: 42, chroma: 0.16, frame_ancestors: [] }
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>').toString('base64')
  const refused = await tenant.call('PUT', '/portal/settings', { ...settings, logo: svg })
  assert.equal(refused.body.code, 'portal_setting_invalid')
  await tenant.call('PUT', '/portal/settings', { ...settings, logo: PNG, welcome: markupIn('welcome') })
  const { body } = await tenant.call('PUT', '/portal/settings', settings)
  assert.equal(body.welcome, markupIn('welcome'))
  const image = await fetch(new URL(new URL(body.logo_url).pathname, app.service.url))
  assert.equal(image.headers.get('content-type'), 'image/png')
  const { browser, base } = await enterActive(app, tenant, 'logo')
  const { text } = await browser('GET', base)
  assert.ok(text.includes(new URL(body.logo_url).pathname) && !text.includes('<script>alert'))
  const { body: without } = await tenant.call('PUT', '/portal/settings', { ...settings, logo: null, welcome: null })
  assert.equal(without.logo_url, null)
  assert.equal(without.welcome, null)
  assert.equal((await browser('GET', `${base}/logo`)).status, 404)
})

test("a publisher's page embeds the portal with a script that any page may load", async () => {
  const answer = await fetch(new URL('/portal/embed.js', app.service.url))
  assert.equal(answer.headers.get('cross-origin-resource-policy'), 'cross-origin')
  assert.match(await answer.text(), /createElement\('iframe'\)/)
})
