import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startTestApp } from '../../test/support/app.ts'
import { eventually } from '../../test/support/eventually.ts'

const app = await startTestApp()
after(() => app.close())

test('the work endpoint returns the loops, what is due in each queue, and the state of the database', async () => {
  const work = async () => {
    const { status, body } = await app.operator('GET', '/operator/work')
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
  await eventually(async () =>
    (await work()).loops.every(({ last_success_at }: { last_success_at: string | null }) => last_success_at !== null),
  )
  const { loops, queues, ledger, provider, database } = await work()
  const named = (name: string) => loops.find((loop: { name: string }) => loop.name === name)
  assert.deepEqual([named('facts').failures, named('daily sums').failures], [0, 0])
  assert.deepEqual(
    queues
      .map(({ what, due }: { what: string; due: number }) => [what, due])
      .filter(([, due]: [string, number]) => due > 0),
    [],
  )
  assert.equal(ledger.differences, 0)
  assert.deepEqual(provider.faults, [])
  const files = await app.owner.reader`select count(*)::int as count from schema_migrations`
  assert.equal(database.migrations, files[0]?.['count'])
})

test('facts that have exhausted their attempts are counted separately', async () => {
  await app.owner.reader`
    insert into facts (publisher_id, name, payload, recorded_at, due_at)
    values (${app.publisher.id}, 'nobody.knows', '{}', now(), 'infinity')`
  const { body } = await app.operator('GET', '/operator/work')
  assert.equal(body.failed_facts, 1)
})
