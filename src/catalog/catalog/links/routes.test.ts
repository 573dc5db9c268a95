import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openRoutes } from '../../../../test/support/affiliate-world.ts'
import type { UserId } from '../../../platform/ids.ts'
import { registry } from '../../../platform/telemetry/metrics.ts'
import { endPrograms, savePrograms } from '../../../sources/affiliate/index.ts'

const place = await openRoutes('tracking_links')
const { ask, db, clock, links } = place
const { publisher } = await place.tenant()
const user = await place.addUser(publisher, 'ada')
const program = { network: 'awin', currency: 'EUR', firstDay: null, lastDay: null }

await db.transaction(async (tx) => {
  await savePrograms(tx, [
    { ...program, offerUid: 'off_a', addressTemplate: 'https://shop.example/go?aff=7&s={sub_id}' },
    { ...program, offerUid: 'off_plain', addressTemplate: 'https://plain.example/' },
    { ...program, offerUid: 'off_over', addressTemplate: 'https://shop.example/over', lastDay: '2026-11-20' },
    { ...program, offerUid: 'off_soon', addressTemplate: 'https://shop.example/soon', firstDay: '2026-11-22' },
    { ...program, offerUid: 'off_gone', addressTemplate: 'https://shop.example/gone' },
  ])
  await endPrograms(tx, ['off_gone'], clock.at)
})

const toPath = (offerUid: string, userId: UserId = user): string => new URL(links.forUser(userId)(offerUid)).pathname

const clicks = () => db.reader<{ subId: string; publisherId: string }[]>`
  select replace(click_id::text, '-', '') as sub_id, publisher_id from clicks where user_id = ${user}
  order by clicked_at desc, click_id`

test("a link redirects to its offer's template with a new sub-id and records the user's click", async () => {
  const before = new Set((await clicks()).map((one) => one.subId))
  const answer = await ask(toPath('off_a'))
  assert.equal(answer.status, 302)
  assert.match(String(answer.headers.location), /^https:\/\/shop\.example\/go\?aff=7&s=[0-9a-f]{32}$/)
  assert.equal(answer.headers['cache-control'], 'no-store')
  assert.equal(answer.headers['referrer-policy'], 'no-referrer')
  const added = (await clicks()).filter((one) => !before.has(one.subId))
  assert.deepEqual(
    added.map((one) => one.publisherId),
    [publisher.id],
  )
  assert(String(answer.headers.location).endsWith(added[0]?.subId ?? 'none'))
  assert.notEqual((await ask(toPath('off_a'))).headers.location, answer.headers.location)
})

test('the redirect reveals nothing about the user to the network', async () => {
  const { headers } = await ask(toPath('off_plain'))
  const location = String(headers.location)
  assert.match(location, /^https:\/\/plain\.example\/\?sub_id=[0-9a-f]{32}$/)
  assert(!location.includes(user.replaceAll('-', '')))
})

test('HEAD responds like GET but without a sub-id, and records no click', async () => {
  const before = (await clicks()).length
  const answer = await ask(toPath('off_a'), { method: 'HEAD' })
  assert.deepEqual([answer.status, answer.headers.location], [302, 'https://shop.example/go?aff=7&s='])
  assert.equal(answer.headers['referrer-policy'], 'no-referrer')
  assert.equal((await ask('/r/nothing', { method: 'HEAD' })).status, 404)
  assert.equal((await clicks()).length, before)
})

test('a forged, unknown, ended or not-yet-valid link returns 404 and never redirects', async () => {
  const forged = `${toPath('off_a').slice(0, -5)}off_b`
  const stranger = toPath('off_a', randomUUID() as UserId)
  const wrong = [
    forged,
    stranger,
    '/r/x',
    '/r/https:%2F%2Fevil.example',
    toPath('off_none'),
    toPath('off_over'),
    toPath('off_soon'),
    toPath('off_gone'),
  ]
  for (const path of wrong) {
    const answer = await ask(path)
    assert.equal(answer.status, 404, path)
    assert.equal(answer.body.code, 'tracking_link_not_found')
    assert.equal(answer.headers.location, undefined)
  }
})

test("an offer's dates are in the publisher's time zone", async () => {
  const east = await place.tenant({ timeZone: 'Pacific/Auckland' })
  const kiwi = await place.addUser(east.publisher, 'kiri')
  // November 21, 10:00 UTC is 23:00 in Auckland. Two hours later, it is the 22nd there.
  assert.equal((await ask(toPath('off_soon', kiwi))).status, 404)
  clock.at = new Date('2026-11-21T12:00:00Z')
  assert.equal((await ask(toPath('off_soon', kiwi))).status, 302)
  assert.equal((await ask(toPath('off_soon'))).status, 404)
  clock.at = new Date('2026-11-21T10:00:00Z')
})

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'

test('bot visits are only counted, app visits are clicks, and in a sandbox, bot visits are clicks too', async () => {
  const live = await place.tenant({}, 'production')
  const buyer = await place.addUser(live.publisher, 'grace')
  const visit = async (agent: string, userId: UserId) => {
    const { status, headers } = await ask(toPath('off_a', userId), { headers: { 'user-agent': agent } })
    const [row] = await db.reader<{ clicks: bigint }[]>`select count(*) as clicks from clicks where user_id = ${userId}`
    return [status, /[0-9a-f]{32}/.test(String(headers.location)), Number(row?.clicks)]
  }
  const counted = () => registry.getSingleMetric('laurel_link_visits_total')?.get()
  const bots = async () => (await counted())?.values.find(({ labels }) => labels['visitor'] === 'bot')?.value ?? 0
  const before = await bots()
  for (const agent of ['facebookexternalhit/1.1', 'Mozilla/5.0 (compatible; bingbot/2.0)', 'curl/8.5.0'])
    assert.deepEqual(await visit(agent, buyer), [302, false, 0], agent)
  assert.equal((await bots()) - before, 3)
  assert.deepEqual(await visit(BROWSER, buyer), [302, true, 1])
  const apps = ['okhttp/4.9.2', 'okhttp/5.0.0-alpha.14', 'Shop/3.1 (Android 14) okhttp/4.12.0']
  for (const [index, agent] of apps.entries())
    assert.deepEqual(await visit(agent, buyer), [302, true, index + 2], agent)
  assert.deepEqual(await visit('previewbot/1.0 okhttp/4.9.2', buyer), [302, false, 4])
  const tester = await place.addUser(publisher, 'tester')
  assert.deepEqual(await visit('curl/8.5.0', tester), [302, true, 1])
})

test('visits are rate-limited per link and per network address', async () => {
  const often = await place.addUser(publisher, 'often')
  const follow = async (path: string, remoteAddress: string) =>
    (await place.app.inject({ url: path, remoteAddress })).statusCode
  const statuses: number[] = []
  for (let count = 0; count < 40; count++) statuses.push(await follow(toPath('off_a', often), `192.0.2.${count}`))
  assert.deepEqual([statuses[0], statuses.at(-1)], [302, 429])
  assert.equal(await follow(toPath('off_plain', often), '192.0.2.1'), 302)
  // Guessed links from one network.
  for (let count = 0; count < 450; count++) statuses.push(await follow(`/r/guess-${count}`, `2001:db8::${count}`))
  assert.deepEqual([statuses.at(40), statuses.at(-1)], [404, 429])
  assert.equal(await follow('/r/guess', '2001:db8:0:1::1'), 404)
})
