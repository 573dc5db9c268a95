import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runFor } from '../on-behalf.ts'
import { Refusal } from '../refusal.ts'
import { LIMITS } from './kinds-of-work.ts'
import { createTurns } from './pacing.ts'

const LIMIT = { ...LIMITS.calls, connections: 1, waitingMax: 2, waitMaxMs: 1_000 }

test('turns are granted in request order, and never more concurrently than there are connections', async () => {
  const turns = createTurns('test', LIMIT)
  const order: string[] = []
  const work = async (name: string): Promise<void> => {
    const end = await turns.take()
    order.push(`${name} begins`)
    await Promise.resolve()
    order.push(`${name} ends`)
    end()
  }
  await Promise.all([work('a'), work('b'), work('c')])
  assert.deepEqual(order, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})

test('work is refused if its queue is full or it waits too long, and later turns are unaffected', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const turns = createTurns('test', LIMIT)
  const isBusy = (error: unknown) => error instanceof Refusal && error.code === 'overloaded'
  const end = await turns.take()
  const waiting = [turns.take(), turns.take()].map((turn) => assert.rejects(turn, isBusy))
  await assert.rejects(turns.take(), isBusy)
  context.mock.timers.tick(1_000)
  await Promise.all(waiting)
  end()
  await turns.take()
})

test('owners are served round-robin, and each holds at most half of the connections', async () => {
  const turns = createTurns('test', { ...LIMIT, connections: 4, waitingMax: 100 })
  const begun: string[] = []
  const ends: (() => void)[] = []
  const ask = (owner: string): void => {
    const taken = runFor({ owner }, () => turns.take())
    void taken.then((end) => {
      begun.push(owner)
      ends.push(end)
    })
  }
  const settled = () => new Promise(setImmediate)
  for (let count = 0; count < 50; count++) ask('many')
  await settled()
  assert.deepEqual(begun, ['many', 'many'], 'half, though the others are free')
  for (const owner of ['few', 'few', 'one']) ask(owner)
  await settled()
  assert.deepEqual(begun.slice(2), ['few', 'few'])
  ends.shift()?.()
  ends.shift()?.()
  await settled()
  // Of the two freed connections, one went to the owner that had none, although the other owner had waited longer.
  assert.deepEqual(begun.slice(4).toSorted(), ['many', 'one'])
  for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
    end()
    await settled()
  }
  assert.equal(begun.length, 53, 'all had their turn')
})

test('only an owner whose queue is full is refused', async () => {
  const turns = createTurns('test', { ...LIMIT, connections: 2 })
  const asked = (owner: string) => runFor({ owner }, () => turns.take())
  const end = await asked('many')
  const [second, third] = [asked('many'), asked('many')]
  await assert.rejects(asked('many'), Refusal)
  const endOther = await asked('one')
  endOther()
  end()
  ;(await second)()
  ;(await third)()
})

test('an owner that has used up its time for one second waits for the next without delaying others', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  let nowMs = 0
  context.mock.method(performance, 'now', () => nowMs)
  const turns = createTurns('test', {
    ...LIMIT,
    connections: 2,
    waitMaxMs: 5_000,
    waitingMax: 100,
    ownerMsPerSecond: 300,
  })
  const begun: string[] = []
  const work = async (owner: string, ms: number): Promise<void> => {
    const end = await runFor({ owner }, () => turns.take())
    begun.push(owner)
    nowMs += ms
    end()
  }
  const settled = () => new Promise(setImmediate)
  for (const ms of [100, 199, 1, 1, 1]) void work('much', ms)
  await settled()
  assert.deepEqual(begun, ['much', 'much', 'much'])
  await work('other', 1)
  context.mock.timers.tick(999)
  await settled()
  assert.deepEqual(begun.slice(3), ['other'])
  context.mock.timers.tick(1)
  await settled()
  assert.deepEqual(begun.slice(4), ['much', 'much'])
})

test("a turn that exceeds its owner's time per second delays the owner in proportion", async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  let nowMs = 0
  context.mock.method(performance, 'now', () => nowMs)
  const turns = createTurns('test', { ...LIMIT, connections: 2, waitMaxMs: 5_000, ownerMsPerSecond: 250 })
  for (const [tookMs, waitsMs] of [
    [500, 2_000],
    [10_000, 4_000],
  ] as const) {
    const end = await runFor({ owner: 'owner' }, () => turns.take())
    nowMs += tookMs
    end()
    let begun: (() => void) | null = null
    void runFor({ owner: 'owner' }, () => turns.take()).then((ended) => {
      begun = ended
    })
    context.mock.timers.tick(waitsMs - 1)
    await new Promise(setImmediate)
    assert.equal(begun, null)
    context.mock.timers.tick(1)
    await new Promise(setImmediate)
    assert.notEqual(begun, null)
    ;(begun as unknown as () => void)()
    context.mock.timers.tick(1_000)
  }
})

test('members take turns within half of the owner’s share, and only a member that floods is refused', async () => {
  const turns = createTurns('test', { ...LIMIT, connections: 8, waitingMax: 4 })
  const begun: string[] = []
  const refused: string[] = []
  const ends: (() => void)[] = []
  const ask = (member: string): void => {
    const taken = runFor({ owner: 'portal', member }, () => turns.take())
    taken.then(
      (end) => {
        begun.push(member)
        ends.push(end)
      },
      () => refused.push(member),
    )
  }
  const settled = () => new Promise(setImmediate)
  for (let count = 0; count < 7; count++) ask('flooder')
  await settled()
  assert.deepEqual([begun, refused], [['flooder', 'flooder'], ['flooder']])
  for (const member of ['ada', 'ben', 'ada', 'ben', 'cleo']) ask(member)
  await settled()
  assert.deepEqual(begun.slice(2), ['ada', 'ben'], "the flooder's half is not theirs")
  assert.deepEqual(refused, ['flooder', 'flooder', 'flooder', 'flooder'], 'the queue is full of its work')
  for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
    end()
    await settled()
  }
  assert.deepEqual(begun.slice(4).toSorted(), ['ada', 'ben', 'cleo', 'flooder'])
})
