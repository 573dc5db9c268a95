import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { eventually } from '../../../../test/support/eventually.ts'

let app: TestApp

before(async () => {
  app = await startTestApp()
})
after(() => app.close())

const YES = { agreed: true, wording: 'Acorn Pay may write to me about offers.', language: 'en' }
const NO = { ...YES, agreed: false, wording: 'No more email about offers, please.' }

test('marketing choices are stored and listed latest first, and repeating the latest changes nothing', async () => {
  await app.call('POST', '/users', { publisher_user_id: 'mia' })
  const path = '/users/mia/marketing-choices'
  assert.deepEqual((await app.call('GET', path)).body, { content: [] })
  const { body: first } = await app.call('POST', path, YES)
  assert.deepEqual({ ...first, chosen_at: '' }, { ...YES, via: 'api', chosen_at: '', version: 1 })
  assert.deepEqual((await app.call('POST', path, YES)).body, first)
  const { body: withdrawn } = await app.call('POST', path, NO)
  const { body: again } = await app.call('POST', path, { ...YES, language: 'de-CH' })
  assert.deepEqual((await app.call('GET', path)).body, { content: [again, withdrawn, first] })
  // Events are numbered in the background.
  const told = await eventually(async () => {
    const { body } = await app.call('GET', '/events?limit=100')
    const found = body.content.filter(({ type }: { type: string }) => type === 'user.marketing_chosen')
    return found.length >= 3 ? found : undefined
  })
  assert.deepEqual(
    told.map(({ data }: { data: object }) => data),
    [first, withdrawn, again].map((choice) => ({ ...told[0].data, ...choice })),
  )
})

test("unknown users and other publishers' users are not found, and a refusal identifies the invalid field", async () => {
  const other = await app.tenant()
  for (const [call, name] of [
    [other.call, 'mia'],
    [app.call, 'nobody'],
  ] as const) {
    const path = `/users/${name}/marketing-choices`
    assert.equal((await call('GET', path)).body.code, 'user_not_found')
    assert.equal((await call('POST', path, YES)).body.code, 'user_not_found')
  }
  for (const [field, value] of Object.entries({ agreed: 'yes', wording: '', language: 'English!' })) {
    const { status, body } = await app.call('POST', '/users/mia/marketing-choices', { ...YES, [field]: value })
    assert.deepEqual([status, body.errors?.[0]?.field], [400, field])
  }
})

test('two concurrent choices are both stored, in sequence', async () => {
  await app.call('POST', '/users', { publisher_user_id: 'tim' })
  const path = '/users/tim/marketing-choices'
  const answers = await Promise.all([app.call('POST', path, YES), app.call('POST', path, NO)])
  assert.deepEqual(answers.map(({ body }) => body.version).sort(), [1, 2])
})
