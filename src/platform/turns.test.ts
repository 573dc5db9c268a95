import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from './kinds-of-work.ts'
import { Refusal } from './refusal.ts'
import { createTurns } from './turns.ts'

const LIMIT = { ...LIMITS.calls, connections: 1, waitingMax: 2, waitMaxMs: 1_000 }

test('turns come in the order in which they were asked for, and no more at once than there are connections', async () => {
  const turns = createTurns('test', LIMIT)
  const order: string[] = []
  const work = async (name: string): Promise<void> => {
    await turns.take()
    order.push(`${name} begins`)
    await Promise.resolve()
    order.push(`${name} ends`)
    turns.end()
  }
  await Promise.all([work('a'), work('b'), work('c')])
  assert.deepEqual(order, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})

test('a queue that is full, or does not move, refuses; later turns are as before', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const turns = createTurns('test', LIMIT)
  const isBusy = (error: unknown) => error instanceof Refusal && error.code === 'overloaded'
  await turns.take()
  const waiting = [turns.take(), turns.take()].map((turn) => assert.rejects(turn, isBusy))
  await assert.rejects(turns.take(), isBusy)
  context.mock.timers.tick(1_000)
  await Promise.all(waiting)
  turns.end()
  await turns.take()
})
