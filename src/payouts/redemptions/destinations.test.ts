import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { CATALOG, startTestApp, type TestApp } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { CHECKING, openRedeemer } from '../../../test/support/redemptions.ts'

let app: TestApp
const logged: string[] = []

before(async () => {
  app = await startTestApp({ log: pino({ level: 'trace' }, { write: (line) => void logged.push(line) }) })
  await app.catalog(CATALOG)
})

after(() => app.close())

const SECRET = '9988776655443'
const GERMAN = { type: 'iban', holder_name: 'Änn Example', iban: 'DE89 3704 0044 0532 0130 00', bic: 'COBADEFFXXX' }

test('a destination is returned masked, and its number never appears in storage, logs or events', async () => {
  const { user, call, redeem, days } = await openRedeemer(app)
  const ada = await user('ada', 4)
  const path = `/users/${ada}/payout-destination`
  const set = await call('PUT', path, { ...CHECKING, account_number: SECRET })
  assert.deepEqual([set.status, set.body.type, set.body.masked], [200, 'us_bank_account', 'checking account ••••5443'])
  assert.deepEqual((await call('GET', path)).body, set.body)
  const asked = await redeem(ada, { method: 'simulated' })
  await days(3)
  assert.equal((await call('GET', `/redemptions/${asked.body.redemption_id}`)).body.destination, set.body.masked)
  await call('GET', '/events?limit=100')
  const tables = await app.owner.reader<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`
  for (const { name } of tables) {
    const [row] = await app.owner.reader`select string_agg(t::text, ' ') as text from ${app.owner.reader(name)} t`
    assert.doesNotMatch(String(row?.['text']), new RegExp(`${SECRET}|Ann Example`), name)
  }
  assert.doesNotMatch(logged.join(''), new RegExp(`${SECRET}|Ann Example`))
})

test('setting the same destination again changes nothing; a new one must cool down before payouts', async () => {
  const { user, call, redeem, days } = await openRedeemer(app, { destinationCoolDownHours: 48 })
  const ada = await user('ada', 4)
  const set = (body: object) => call('PUT', `/users/${ada}/payout-destination`, body)
  const first = (await set(CHECKING)).body
  assert.deepEqual((await set(CHECKING)).body, first)
  const renamed = (await set({ ...CHECKING, holder_name: 'Ann B. Example' })).body
  assert.equal(renamed.usable_from, first.usable_from)
  const second = (await set(GERMAN)).body
  assert.equal(second.masked, 'DE89 •••• 3000')
  const refused = await redeem(ada, { method: 'file' })
  assert.deepEqual([refused.status, refused.body.usable_from], [409, second.usable_from])
  await days(2)
  assert.equal((await redeem(ada, { method: 'file' })).body.status, 'approved')
  const events = await eventually(async () => {
    const { content } = (await call('GET', '/events?limit=100')).body
    const types = content.map(({ type }: { type: string }) => type)
    const about = types.filter((type: string) => type.startsWith('payout_destination'))
    return about.length === 3 ? about : null
  })
  assert.deepEqual(new Set(events), new Set(['payout_destination.updated']))
})

test("a removed destination's details are destroyed immediately, or once the payout to it ends", async () => {
  const { user, call, redeem, publisher } = await openRedeemer(app)
  const [ada, ben] = [await user('ada', 4), await user('ben', 4)]
  const path = (name: string) => `/users/${name}/payout-destination`
  const kept = async () => {
    const rows = await app.owner.reader<{ kept: boolean }[]>`
      select sealed_details is not null as kept from payout_destinations where publisher_id = ${publisher.id}
      order by created_at`
    return rows.map((row) => row.kept)
  }
  for (const name of [ada, ben]) await call('PUT', path(name), CHECKING)
  const { redemption_id } = (await redeem(ben, { method: 'file' })).body
  for (const name of [ada, ben]) assert.equal((await call('DELETE', path(name))).status, 200)
  assert.deepEqual(await kept(), [false, true])
  assert.equal((await call('DELETE', path(ada))).status, 404)
  assert.equal((await call('GET', path(ada))).status, 404)
  await call('POST', `/redemptions/${redemption_id}/cancel`)
  assert.deepEqual(await kept(), [false, false])
})

test('a destination that no bank would accept is rejected with an error for the field', async () => {
  const { user, call } = await openRedeemer(app)
  const ada = await user('ada', 0)
  const { holder_name: _, ...nameless } = CHECKING
  const cases: readonly [field: string, body: object][] = [
    ['routing_number', { ...CHECKING, routing_number: '021000022' }],
    ['account_number', { ...CHECKING, account_number: '12' }],
    ['iban', { ...GERMAN, iban: 'DE89370400440532013001' }],
    ['bic', { ...GERMAN, bic: 'COBA' }],
    ['holder_name', nameless],
    ['email', { ...CHECKING, email: 'ada@example.com' }],
    ['email', { type: 'email' }],
    ['type', { type: 'card', number: '4111111111111111' }],
  ]
  for (const [field, body] of cases) {
    const { status, body: problem } = await call('PUT', `/users/${ada}/payout-destination`, body)
    assert.equal(status, 400, JSON.stringify(problem))
    const named = problem.errors.map((error: { field: string }) => error.field)
    assert(named.includes(field), `${field}: ${JSON.stringify(problem.errors)}`)
  }
  assert.equal((await call('PUT', '/users/nobody/payout-destination', { type: 'email' })).status, 404)
})
