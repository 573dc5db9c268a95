import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Call, startTestApp, type TestApp } from '../../../test/support/app.ts'
import { findConstraint } from '../../platform/db/database.ts'
import { toUserId } from '../../platform/ids.ts'

let app: TestApp

before(async () => {
  app = await startTestApp()
})
after(() => app.close())

const purchase = (publisher_user_id: string) => ({
  publisher_user_id,
  external_id: `of ${publisher_user_id}`,
  source: 'OTHER',
  kind: 'CLEARING',
  amount: 5,
  merchant_name: 'Corner Market',
  order_id: 'A-1',
})

async function buyer(name: string, call: Call = app.call) {
  assert.equal((await call('POST', '/users', { publisher_user_id: name })).status, 200)
  assert.equal((await call('POST', '/transactions', purchase(name))).status, 200)
  return toUserId(app.publisher.id, name)
}

/**
 * Returns the constraint that makes the database refuse a statement, even one from the table's owner, or null if it
 * succeeds.
 */
const tryStatement = (statement: string): Promise<string | null> =>
  app.owner.reader.unsafe(statement).then(
    () => null,
    (error: unknown) => findConstraint(error),
  )

test('a marketing choice is immutable, except that an erasure replaces its wording', async () => {
  const userId = await buyer('max')
  const said = { agreed: true, wording: 'Max, may we write to you?', language: 'en' }
  assert.equal((await app.call('POST', '/users/max/marketing-choices', said)).status, 200)
  const change = (set: string) => tryStatement(`update marketing_choices set ${set} where user_id = '${userId}'`)
  const erased = `wording = 'erased'`
  assert.equal(await change(erased), 'marketing_choices_are_kept')
  await app.owner.reader`
    insert into erasures (user_id, erasure_id, publisher_id, pseudonym, requested_at, requested_by, salt, due_at)
    values (${userId}, gen_random_uuid(), ${app.publisher.id}, 'erased-max', now(), 'key', '\\x00', 'infinity')`
  for (const set of [`${erased}, agreed = false`, `${erased}, chosen_at = now()`, `wording = 'other'`])
    assert.equal(await change(set), 'marketing_choices_are_kept', set)
  assert.equal(
    await tryStatement(`delete from marketing_choices where user_id = '${userId}'`),
    'marketing_choices_are_kept',
  )
  assert.equal(await change(erased), null)
})

const ERASED = `external_id = 'erased-1', input_hash = decode(repeat('00', 16), 'hex'), facts = '{"isErased": true}'`

test("a source event can only change to its erased form, and only after its user's erasure is recorded", async () => {
  const userId = await buyer('ann')
  const change = (set: string) => tryStatement(`update source_events set ${set} where user_id = '${userId}'`)
  assert.equal(await change(ERASED), 'source_events_are_kept')
  await app.owner.reader`
    insert into erasures (user_id, erasure_id, publisher_id, pseudonym, requested_at, requested_by, salt, due_at)
    values (${userId}, gen_random_uuid(), ${app.publisher.id}, 'erased-ann', now(), 'key', '\\x00', 'infinity')`
  for (const set of [
    `${ERASED}, amount = 1`,
    `${ERASED}, occurred_at = now()`,
    `external_id = 'erased-1'`,
    `external_id = 'other', input_hash = decode(repeat('00', 16), 'hex'), facts = '{"isErased": true}'`,
    `${ERASED.replace('true}', 'true, "merchantName": "Shop"}')}`,
  ])
    assert.equal(await change(set), 'source_events_are_kept', set)
  assert.equal(await tryStatement(`delete from source_events where user_id = '${userId}'`), 'source_events_are_kept')
  assert.equal(await change(ERASED), null)
})

test('an audit log entry can only lose its reasons, and only if it is marked as erased', async () => {
  await app.owner.reader`
    insert into audit_log (audit_id, at, actor, actor_name, action, subject, after)
    values (gen_random_uuid(), now(), 'opr', 'Ada', 'adjustment.proposed', 'adj_1', '{"kind": "goodwill", "reason": "x"}')`
  const change = (set: string) => tryStatement(`update audit_log set ${set} where subject = 'adj_1'`)
  for (const set of [
    `action = 'other'`,
    `after = '{"kind": "goodwill", "reason": "x", "erased": true}'`,
    `after = '{"kind": "correction", "erased": true}'`,
    `actor = 'somebody', after = '{"kind": "goodwill", "erased": true}'`,
  ])
    assert.equal(await change(set), 'audit_is_append_only', set)
  assert.equal(await change(`after = '{"kind": "goodwill", "erased": true}'`), null)
})

test("a claim note can only lose its text, and only after its user's erasure is recorded", async () => {
  const userId = await buyer('cleo')
  const claim = {
    publisher_user_id: 'cleo',
    external_ref: 'ticket',
    kind: 'missing',
    amount: 5,
    evidence: 'Receipt 17',
  }
  assert.equal((await app.call('POST', '/claims', claim)).status, 200)
  const change = (set: string) => tryStatement(`update claim_notes set ${set} where user_id = '${userId}'`)
  assert.equal(await change(`text = 'erased'`), 'claim_notes_are_kept')
  await app.owner.reader`
    insert into erasures (user_id, erasure_id, publisher_id, pseudonym, requested_at, requested_by, salt, due_at)
    values (${userId}, gen_random_uuid(), ${app.publisher.id}, 'erased-cleo', now(), 'key', '\\x00', 'infinity')`
  for (const set of [`text = 'other'`, `text = 'erased', author = 'somebody'`])
    assert.equal(await change(set), 'claim_notes_are_kept', set)
  assert.equal(await change(`text = 'erased'`), null)
})
