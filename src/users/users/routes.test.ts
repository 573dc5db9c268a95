import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { changeSettings } from '../../tenants/publishers/index.ts'
import { publishTerms } from '../terms/index.ts'
import { acceptTerms, createUser, deactivateUser, reactivateUser } from './service.ts'

let app: TestApp

before(async () => {
  app = await startTestApp()
})

after(() => app.close())

const accept = (publisher_user_id: string, tnc_id = app.tncId) =>
  app.call('POST', '/terms/accept', { publisher_user_id, tnc_id })

async function register(publisher_user_id: string, active = true): Promise<void> {
  assert.equal((await app.call('POST', '/users', { publisher_user_id })).status, 200)
  if (active) assert.equal((await accept(publisher_user_id)).status, 200)
}

async function refusedWith(answer: ReturnType<TestApp['call']>, status: number, code: string) {
  const { status: answered, body } = await answer
  assert.deepEqual([answered, body.code], [status, code])
  return body
}

test('a user is returned as registered, with attributes as a JSON string', async () => {
  const given = { publisher_user_id: 'ada', email: 'Ada@example.com', primary_zip_code: '10001-1234' }
  const { body } = await app.call('POST', '/users', { ...given, attributes: { b: [1], a: 'é' } })
  assert.deepEqual(
    { ...body, svc_user_id: '', created_at: '', updated_at: '' },
    {
      ...given,
      account_status: 'PENDING',
      attributes: '{"b":[1],"a":"é"}',
      svc_user_id: '',
      created_at: '',
      updated_at: '',
    },
  )
  const asText = await app.call('POST', '/users', { publisher_user_id: 'bob', attributes: ' {"x": 1} ' })
  assert.equal(asText.body.attributes, '{"x":1}')
  assert.deepEqual((await app.call('GET', '/users/ada')).body, body)
})

test("a user's accepted terms are listed, and an unknown user is not found", async () => {
  await register('accepting')
  assert.deepEqual((await app.call('GET', '/users/nobody/acceptances')).body.code, 'user_not_found')
  const { body } = await app.call('GET', '/users/accepting/acceptances')
  assert.deepEqual(
    body.content.map(({ tnc_id }: { tnc_id: number }) => tnc_id),
    [app.tncId],
  )
  assert(Date.parse(body.content[0].accepted_at) <= Date.now() && body.content[0].url.startsWith('https://'))
})

test("registering an existing user is refused with that user's ID and status and changes nothing", async () => {
  await register('twice')
  const existing = (await app.call('GET', '/users/twice')).body
  const body = await refusedWith(
    app.call('POST', '/users', { publisher_user_id: 'twice', email: 'x@example.com' }),
    409,
    'user_already_exists',
  )
  assert.deepEqual([body.svc_user_id, body.account_status], [existing.svc_user_id, 'ACTIVE'])
  assert.equal(body.errors, undefined)
  assert.deepEqual((await app.call('GET', '/users/twice')).body, existing)
})

test("a user's fields can be changed and cleared independently", async () => {
  await app.call('POST', '/users', { publisher_user_id: 'changing', email: 'a@example.com', attributes: { a: 1 } })
  const changed = await app.call('PATCH', '/users/changing', { email: null, primary_zip_code: '20002' })
  assert.deepEqual(
    [changed.body.email, changed.body.primary_zip_code, changed.body.attributes],
    [null, '20002', '{"a":1}'],
  )
  const emptied = await app.call('PATCH', '/users/changing', { attributes: null })
  assert.deepEqual([emptied.body.primary_zip_code, emptied.body.attributes], ['20002', null])
  await refusedWith(app.call('PATCH', '/users/changing', {}), 400, 'invalid_input')
  await refusedWith(app.call('PATCH', '/users/changing', { publisher_user_id: 'other' }), 400, 'invalid_input')
  await refusedWith(app.call('PATCH', '/users/nobody', { email: null }), 404, 'user_not_found')
})

test('users are found by email address, ignoring case', async () => {
  await app.call('POST', '/users', { publisher_user_id: 'mail-1', email: 'Same@Example.com' })
  await app.call('POST', '/users', { publisher_user_id: 'mail-2', email: 'same@example.com' })
  const { body } = await app.call('GET', '/users?email=SAME@example.com&sort=publisher_user_id')
  assert.deepEqual(
    body.content.map((user: { publisher_user_id: string }) => user.publisher_user_id),
    ['mail-1', 'mail-2'],
  )
  assert.equal(body.total_elements, 2)
  assert.equal((await app.call('GET', '/users?email=none@example.com')).body.total_elements, 0)
})

test('ACTIVE users can be deleted, PENDING ones only on request, and reactivated users must accept again', async () => {
  await register('leaving', false)
  assert.equal(
    (await refusedWith(app.call('DELETE', '/users/leaving'), 409, 'user_not_active')).account_status,
    'PENDING',
  )
  await refusedWith(app.call('POST', '/users/leaving/reactivate'), 409, 'user_not_inactive')
  await accept('leaving')
  await register('undecided', false)
  assert.equal((await app.call('DELETE', '/users/undecided?pending=true')).body.account_status, 'INVALID')
  assert.equal((await app.call('GET', '/users/status/undecided')).body.account_status, 'INACTIVE')
  await refusedWith(app.call('DELETE', '/users/undecided?pending=true'), 409, 'user_not_active')
  assert.equal((await app.call('DELETE', '/users/leaving')).body.account_status, 'INVALID')
  assert.equal((await app.call('GET', '/users/status/leaving')).body.account_status, 'INACTIVE')
  await refusedWith(app.call('DELETE', '/users/leaving'), 409, 'user_not_active')
  await refusedWith(accept('leaving'), 409, 'user_not_active')
  assert.equal((await app.call('POST', '/users/leaving/reactivate')).body.account_status, 'PENDING')
  assert.equal((await accept('leaving')).body.account_status, 'ACTIVE')
  for (const [method, path] of [
    ['DELETE', '/users/nobody'],
    ['POST', '/users/nobody/reactivate'],
    ['GET', '/users/nobody'],
  ] as const)
    await refusedWith(app.call(method, path), 404, 'user_not_found')
})

test('only one of several concurrent deletions succeeds', async () => {
  await register('raced')
  const answers = await Promise.all([1, 2, 3, 4].map(() => app.call('DELETE', '/users/raced')))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409])
})

test('changes to a user at the same instant, or delayed by the lock, take effect in order', async () => {
  const { publisher, service, tncId } = app
  const instant = new Date(Date.now() - 60_000)
  const user = { publisherUserId: 'instant', email: null, primaryZipCode: null, attributes: null }
  await service.db.transaction((tx) => createUser(tx, publisher, user, instant))
  for (const at of [instant, instant, new Date(instant.getTime() - 10_000)]) {
    const accepted = await service.db.transaction((tx) => acceptTerms(tx, publisher, 'instant', tncId, at))
    const deactivated = await service.db.transaction((tx) => deactivateUser(tx, publisher, 'instant', at))
    const reactivated = await service.db.transaction((tx) => reactivateUser(tx, publisher, 'instant', at))
    assert.deepEqual([accepted.status, deactivated.status, reactivated.status], ['ACTIVE', 'INACTIVE', 'PENDING'])
    assert.equal((await app.call('GET', '/users/status/instant')).body.account_status, 'PENDING')
  }
})

test('accepting the same terms again is a no-op, and parameters may be in the query string', async () => {
  await register('repeating')
  const before_ = (await app.call('GET', '/users/repeating')).body
  assert.equal((await accept('repeating')).status, 200)
  assert.equal((await app.call('POST', `/terms/accept?publisher_user_id=repeating&tnc_id=${app.tncId}`)).status, 200)
  assert.deepEqual((await app.call('GET', '/users/repeating')).body, before_)
  await refusedWith(accept('repeating', 999), 404, 'terms_not_found')
  await refusedWith(accept('nobody'), 404, 'user_not_found')
  for (const query of [
    '?tnc_id=1',
    '?publisher_user_id=repeating',
    '?publisher_user_id=repeating&tnc_id=x',
    '?publisher_user_id=repeating&tnc_id=1.5',
  ])
    await refusedWith(app.call('POST', `/terms/accept${query}`), 400, 'invalid_input')
})

test('every change to a user emits an event with the previous values', async () => {
  const { call } = await app.tenant()
  await call('POST', '/users', { publisher_user_id: 'changed' })
  await call('POST', '/terms/accept', { publisher_user_id: 'changed', tnc_id: app.tncId })
  await call('PATCH', '/users/changed', { email: 'changed@example.com' })
  await call('DELETE', '/users/changed')
  await call('POST', '/sandbox/clock', { advance_seconds: 1 })
  const { body } = await call('GET', '/events')
  const events = body.content.map(
    ({
      type,
      data,
      previous,
    }: {
      type: string
      data: Record<string, unknown>
      previous: Record<string, unknown> | null
    }) => [type, data['account_status'], data['version'], previous?.['account_status'] ?? previous?.['email']],
  )
  assert.deepEqual(events, [
    ['user.created', 'PENDING', 1, undefined],
    ['user.terms_accepted', 'ACTIVE', 2, 'PENDING'],
    ['user.updated', 'ACTIVE', 3, null],
    ['user.deactivated', 'INACTIVE', 4, 'ACTIVE'],
  ])
})

test("timestamps use the API's format unless the publisher chooses RFC 3339", async () => {
  const { call, publisher } = await app.tenant()
  const pattern = (await call('POST', '/users', { publisher_user_id: 'timed' })).body.created_at
  assert.match(pattern, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d:Z$/)
  await app.service.db.transaction((tx) => changeSettings(tx, publisher.id, { timestampFormat: 'rfc3339' }))
  const wanted = pattern.replace(/:Z$/, 'Z')
  // Until the notification arrives, a call may still see the cached publisher.
  await eventually(async () => (await call('GET', '/users/timed')).body.created_at === wanted)
})

test('newer terms make users PENDING once required, and older terms can no longer be accepted', async () => {
  await register('patient')
  const { db } = app.service
  const inTwoDays = new Date(Date.now() + 2 * 86_400_000)
  const newer = await db.transaction((tx) =>
    publishTerms(tx, { url: 'https://example.com/terms-2', revision: '2', requiredFrom: inTwoDays }, new Date()),
  )
  const required = { id: app.tncId, url: 'https://example.com/terms', revision: '1' }
  const announced = { id: newer.documentId, url: 'https://example.com/terms-2', revision: '2' }
  assert.deepEqual((await app.call('GET', '/terms')).body, {
    ...required,
    announced: [{ ...announced, required_from: inTwoDays.toISOString() }],
  })
  const status = async () => (await app.call('GET', '/users/status/patient')).body.account_status
  assert.equal(await status(), 'ACTIVE')
  await app.call('POST', '/sandbox/clock', { advance_days: 3 })
  assert.equal(await status(), 'PENDING')
  await refusedWith(accept('patient'), 409, 'terms_superseded')
  assert.equal((await accept('patient', newer.documentId)).body.account_status, 'ACTIVE')
  await assert.rejects(
    db.transaction((tx) =>
      publishTerms(tx, { url: 'https://example.com/3', revision: '2', requiredFrom: inTwoDays }, new Date()),
    ),
    { code: 'terms_revision_exists' },
  )
})

test('a user whose ID equals a path segment of another route can be read', async () => {
  await app.call('POST', '/users', { publisher_user_id: 'status' })
  const { body } = await app.call('GET', '/users?publisher_user_id=status')
  assert.deepEqual(
    [body.total_elements, body.content.map((one: { publisher_user_id: string }) => one.publisher_user_id)],
    [1, ['status']],
  )
  assert.equal((await app.call('GET', '/users/status/status')).body.publisher_user_id, 'status')
  assert.equal((await app.call('GET', '/users?publisher_user_id=nobody')).body.total_elements, 0)
})
