import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coalescedRefresh } from './coalesced-refresh.ts'

test('concurrent calls share one refresh, and calls made during it share the next', async () => {
  const looks: PromiseWithResolvers<void>[] = []
  const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const ask = coalescedRefresh(() => {
    const look = Promise.withResolvers<void>()
    begun[looks.push(look) - 1]?.resolve()
    return look.promise
  })
  const first = Promise.all(Array.from({ length: 1_000 }, ask))
  await begun[0]?.promise
  const second = Promise.all(Array.from({ length: 1_000 }, ask))
  looks[0]?.resolve()
  await first
  await begun[1]?.promise
  looks[1]?.resolve()
  await second
  assert.equal(looks.length, 2)
})

test('a failed refresh rejects for all its callers, but the next one still runs', async () => {
  const answers = [Promise.reject(new Error('away')), Promise.resolve()]
  const ask = coalescedRefresh(() => answers.shift() ?? Promise.reject(new Error('asked too often')))
  await assert.rejects(ask(), { message: 'away' })
  await ask()
})
