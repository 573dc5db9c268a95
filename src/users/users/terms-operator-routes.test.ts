import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { encodeId } from '../../platform/ids.ts'

const app = await startTestApp()
after(() => app.close())
const publisher_id = encodeId('pub', app.publisher.id)

test('the preview of a revision predicts the effect of publishing it', async () => {
  for (const publisher_user_id of ['ada', 'bob']) await app.call('POST', '/users', { publisher_user_id })
  await app.call('POST', '/terms/accept', { publisher_user_id: 'ada', tnc_id: app.tncId })
  const plan = await app.operator('POST', '/operator/terms/preview', { publisher_id })
  assert.deepEqual([plan.status, plan.body.publishers, plan.body.pending_users], [200, 1, 1])
  const required_from = '2998-01-01T00:00:00.000Z'
  const terms = { url: 'https://example.com/own', revision: '2', publisher_id, required_from }
  const { status, body } = await app.operator('POST', '/operator/terms', terms)
  assert.equal(status, 200)
  assert.deepEqual(body, { id: body.id, ...terms })
  const own = (await app.operator('GET', `/operator/terms?publisher_id=${publisher_id}`)).body.content
  assert.deepEqual(own, [body])
  assert.equal((await app.operator('GET', '/operator/terms')).body.content.length, 2)
  const [entry] = (await app.operator('GET', `/operator/audit?subject=terms%20${body.id}`)).body.content
  assert.deepEqual([entry.action, entry.actor_name, entry.after.pending_users], ['terms.published', 'Ada', 1])
  assert.equal((await app.operator('POST', '/operator/terms', terms)).status, 409)
})

test('terms are rejected if they are backdated, for an unknown publisher, or from an unauthorized role', async () => {
  const sound = { url: 'https://example.com/terms', revision: '9' }
  for (const [body, status, field] of [
    [{ ...sound, required_from: '2020-01-01T00:00:00Z' }, 400, 'required_from'],
    [{ ...sound, url: 'ftp://example.com' }, 400, 'url'],
    [{ ...sound, revision: '' }, 400, 'revision'],
    [{ ...sound, publisher_id: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v' }, 404, null],
  ] as const) {
    const answer = await app.operator('POST', '/operator/terms', body)
    assert.deepEqual([answer.status, answer.body.errors?.[0].field ?? null], [status, field])
  }
  for (const [role, status] of [
    ['support', 403],
    ['read-only', 403],
  ] as const)
    assert.equal((await (await app.staff(role))('POST', '/operator/terms', sound)).status, status)
  assert.equal((await (await app.staff('read-only'))('GET', '/operator/terms')).status, 200)
})
