import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startTestApp } from '../../test/support/app.ts'
import { eventually } from '../../test/support/eventually.ts'
import { listFailedFacts, recordFact, runFact } from '../platform/queue/outbox.ts'

const app = await startTestApp({ settings: { LAUREL_ROLE: 'api' } })
const { db } = app.service
after(() => app.close())

const fails = async () => {
  throw new Error('the offer of this sale is unknown')
}
/** Attempts the fact immediately, regardless of its backoff. */
async function attempt(work: () => Promise<void>): Promise<boolean> {
  await db.reader`update facts set due_at = now() where due_at < 'infinity'`
  return runFact(db, { after: null }, work)
}

test('a fact that keeps failing is set aside with its reason until an operator retries it', async () => {
  await db.transaction((tx) => recordFact(tx, app.publisher.id, 'sale.reported', { postbackId: 'p' }))
  let attempts = 0
  while ((await listFailedFacts(db.reader)).length === 0) {
    await assert.rejects(attempt(fails), /unknown/)
    assert(++attempts <= 50)
  }
  assert.equal(await attempt(fails), false)
  const { body } = await app.operator('GET', '/operator/facts/failed')
  const [{ fact_id, ...failed }] = body.content
  assert.deepEqual(
    [body.content.length, failed.name, failed.payload, failed.attempts, failed.error],
    [1, 'sale.reported', { postbackId: 'p' }, attempts, 'the offer of this sale is unknown'],
  )

  const retried = await app.operator('POST', `/operator/facts/${fact_id}/retry`)
  assert.deepEqual([retried.status, retried.body], [200, { fact_id }])
  assert.deepEqual((await app.operator('GET', '/operator/facts/failed')).body.content, [])
  const { body: audited } = await app.operator('GET', `/operator/audit?subject=${fact_id}`)
  assert.deepEqual(audited.content[0].action, 'facts.retried')
  assert.equal(await runFact(db, { after: null }, async () => undefined), true)

  const again = await app.operator('POST', `/operator/facts/${fact_id}/retry`)
  assert.deepEqual([again.status, again.body.code], [404, 'fact_not_found'])
})

test('a failing fact does not block other facts', async () => {
  const world = await startTestApp()
  try {
    const failing = Array.from({ length: 25 }, (_, index) => ({ postbackId: `none-${index}` }))
    await world.service.db.transaction(async (tx) => {
      for (const payload of failing) await recordFact(tx, world.publisher.id, 'sale.reported', payload)
    })
    const other = await world.tenant()
    await other.call('POST', '/users', { publisher_user_id: 'ada' })
    await other.call('POST', '/terms/accept', { publisher_user_id: 'ada', tnc_id: world.tncId })
    assert.equal((await other.call('DELETE', '/users/ada')).status, 200)
    await eventually(async () => {
      const left = await world.owner.reader`select from facts where publisher_id = ${other.publisher.id}`
      return left.length === 0
    })
  } finally {
    await world.close()
  }
})
