import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CATALOG, startTestApp, type TestApp } from '../../test/support/app.ts'
import { eventually } from '../../test/support/eventually.ts'
import { type Browser, enterActive, hiddenFields } from '../../test/support/portal.ts'
import { openRedeemer, type Redeemer } from '../../test/support/redemptions.ts'
import { addDays, DAY_MS, toDay } from '../platform/calendar.ts'
import { changeSettings } from '../tenants/publishers/index.ts'
import { publishTerms } from '../users/terms/index.ts'

let app: TestApp
let tenant: Redeemer

before(async () => {
  app = await startTestApp()
  await app.catalog(CATALOG)
  tenant = await openRedeemer(app)
})
after(() => app.close())

async function follow(browser: Browser, answer: { readonly headers: Headers; readonly text: string }) {
  const to = answer.headers.get('location')
  assert.ok(to !== null, answer.text)
  return { to, ...(await browser('GET', to)) }
}

test('a brand page shows what an amount would earn, or why it would earn nothing', async () => {
  const { browser, base } = await enterActive(app, tenant, 'curious')
  const page = (amount: string) => browser('GET', `${base}/brands/brand-market?amount=${encodeURIComponent(amount)}`)
  assert.match((await page('50')).text, /Link a card first/)
  assert.match((await page('fifty')).text, /Please enter an amount such as 12\.50\./)
  const untried = (await browser('GET', `${base}/brands/brand-market`)).text
  assert.match(untried, /Pay with a linked card\./)
  assert.match(untried, /<a class="btn" href="[^"]+\/cards">Link a card<\/a>/)
  const gifts = await browser('GET', `${base}/brands/brand-gadgets?amount=50`)
  assert.match(gifts.text, /For \$50\.00 you would get \$\d\.\d\d back\./)
})

test('no brand page asks for a linked card if the publisher reports card purchases itself', async () => {
  const own = await app.tenant()
  await app.service.db.transaction((tx) => changeSettings(tx, own.publisher.id, { ownCardFeed: true }))
  const { browser, base } = await enterActive(app, own, 'unlinked')
  const { text } = await browser('GET', `${base}/brands/brand-market?amount=50`)
  assert.match(text, /Pay by card\./)
  assert.match(text, /For \$50\.00 you would get \$\d\.\d\d back\./)
  assert.doesNotMatch(text, /Link a card/)
})

test('a purchase page shows the rate, or the minimum spend that was not reached', async () => {
  const own = await app.tenant()
  await app.service.db.transaction((tx) => changeSettings(tx, own.publisher.id, { ownCardFeed: true }))
  const { browser, base } = await enterActive(app, own, 'payer')
  const readPage = async (amount: number) => {
    const bought = { publisher_user_id: 'payer', external_id: `for-${amount}`, brand_uid: 'brand-market', amount }
    const { body } = await own.call('POST', '/transactions', bought)
    return (await browser('GET', `${base}/purchases/${body.transaction_uid}`)).text
  }
  assert.match(await readPage(50), /The offer pays you 5.?% of \$50\.00\./)
  assert.match(await readPage(5), /You spent \$5\.00\. The offer requires at least \$10\.00\./)
})

test('offers that end within two weeks are listed separately, soonest first', async () => {
  const { browser, base } = await enterActive(app, app, 'planner')
  assert.match((await browser('GET', `${base}/offers?ending=soon`)).text, /No matching offer ends soon\./)
  const today = toDay(new Date(), app.publisher.timeZone)
  const [market] = CATALOG.brands
  const makeBrand = (name: string, ends: readonly number[]) => ({
    ...market,
    brand_uid: `brand-${name}`,
    name,
    offers: ends.map((days) => ({
      ...market?.offers[0],
      offer_uid: `${name}-${days}`,
      end_date: addDays(today, days),
    })),
  })
  const brands = [makeBrand('Later', [20, 14]), makeBrand('Never', [15]), makeBrand('Soon', [0])]
  await app.catalog({ ...CATALOG, brands })
  const namesOn = async (address: string): Promise<string[]> =>
    [...(await browser('GET', `${base}${address}`)).text.matchAll(/<p>(Later|Never|Soon)<\/p>/g)].map(
      ([, name]) => name ?? '',
    )
  assert.deepEqual(await namesOn('/offers?ending=soon'), ['Soon', 'Later'])
  assert.deepEqual(await namesOn('/offers?ending=soon&q=later'), ['Later'])
  assert.deepEqual((await namesOn('/offers')).sort(), ['Later', 'Never', 'Soon'])
  assert.match((await browser('GET', `${base}/offers?ending=soon`)).text, /aria-current="true">Ending soon/)
})

test('offers can be found near a postal code in any country', async () => {
  const { browser, base } = await enterActive(app, app, 'neighbor')
  const [market] = CATALOG.brands
  const brands = ['SW1A 1AA', '10001'].map((location) => ({
    ...market,
    brand_uid: `brand-${location.slice(0, 4)}`,
    name: `At ${location}`,
    offers: [{ ...market?.offers[0], offer_uid: `offer-${location.slice(0, 4)}`, location }],
  }))
  await app.catalog({ ...CATALOG, brands })
  for (const [asked, other] of [
    ['SW1A 1AA', '10001'],
    ['10001', 'SW1A 1AA'],
  ] as const) {
    const { text } = await browser('GET', `${base}/offers?zip=${encodeURIComponent(asked)}`)
    assert(text.includes(`value="${asked}"`) && text.includes(`At ${asked}`) && !text.includes(`At ${other}`), asked)
  }
})

test('a refund of an unknown purchase is displayed as money returned', async () => {
  const { browser, base } = await enterActive(app, tenant, 'returner')
  const { status, body } = await tenant.call('POST', '/transactions', {
    publisher_user_id: 'returner',
    source: 'CARD',
    kind: 'REFUND',
    account_id: 'card-of-returner',
    amount: 55,
    external_id: 'refund-alone',
    transaction_date_time: new Date().toISOString(),
  })
  assert.equal(status, 200, JSON.stringify(body))
  for (const path of ['/purchases', `/purchases/${body.transaction_uid}`]) {
    const { text } = await browser('GET', base + path)
    assert.match(text, />A refund</)
    assert.match(text, /-\$55\.00/)
    assert.doesNotMatch(text, /\$0\.00|did not recogni[sz]e|Bought/)
  }
})

test('the statement lists every change from the opening to the closing balance', async () => {
  await tenant.user('reader', 4)
  const { browser, base } = await enterActive(app, tenant, 'reader')
  const { text } = await browser('GET', `${base}/statement`)
  assert.match(text, /Closing balance<\/b> <span>Ready \$4\.00/)
  assert.equal(text.match(/Cashback for a purchase/g)?.length, 2)
  assert.match(text, /Pending -\$2\.00/)
  assert.equal((await browser('GET', `${base}/statement?month=1999-13&after=jnl_x`)).status, 200)
})

test('a gift card is bought with cashback, and its code can be revealed only once, by the buyer', async () => {
  await tenant.user('giver', 50)
  const { browser, base } = await enterActive(app, tenant, 'giver')
  const brand = await browser('GET', `${base}/brands/brand-gadgets`)
  const form = `${base}/offers/offer-gadgets-gift/gift-card`
  const bought = await browser('POST', form, { ...hiddenFields(brand.text, form), denomination: '50.00' })
  assert.match((await follow(browser, bought)).text, /On its way/)
  const path = await eventually(async () => {
    const { text } = await browser('GET', `${base}/gift-cards`)
    return /action="([^"]+\/reveal)"/.exec(text)?.[1]
  })
  const { browser: other } = await enterActive(app, tenant, 'stranger')
  assert.equal((await other('POST', path, {})).status, 409)
  const shown = await browser('POST', path, {})
  assert.equal(shown.status, 200)
  assert.match(shown.text, /it will not be shown again/)
  assert.equal((await browser('POST', path, {})).status, 409)
  assert.match((await browser('GET', `${base}/gift-cards`)).text, /The code was shown on/)
})

test('users can export their data, and delete their account by typing a confirmation', async () => {
  const { browser, base } = await enterActive(app, tenant, 'leaver')
  const archive = await browser('GET', `${base}/you/export?format=json`)
  assert.match(archive.text, /ada@example\.com/)
  const refused = await browser('POST', `${base}/you/delete`, { confirm: 'yes' })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /id="confirm-fault"/)
  assert.equal((await browser('GET', base)).status, 200)
  const gone = await follow(browser, await browser('POST', `${base}/you/delete`, { confirm: 'Delete' }))
  assert.match(gone.text, /Your account is deleted/)
  assert.notEqual((await browser('GET', base)).status, 200)
  assert.equal((await tenant.call('GET', '/users/status/leaver')).status, 404)
})

test('upcoming terms can be accepted before they take effect', async () => {
  const { browser, base } = await enterActive(app, app, 'reader-of-terms')
  const now = new Date()
  const announced = {
    url: 'https://example.com/terms/2',
    revision: '2',
    requiredFrom: new Date(now.getTime() + 30 * DAY_MS),
  }
  await app.service.db.transaction((tx) => publishTerms(tx, announced, now))
  const { text } = await browser('GET', base)
  assert.match(text, /New terms apply from/)
  await browser('POST', `${base}/terms`, hiddenFields(text, `${base}/terms`))
  assert.ok(!(await browser('GET', base)).text.includes('New terms apply from'))
})
