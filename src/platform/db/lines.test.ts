import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runFor, runInLines } from '../on-behalf.ts'
import { Refusal } from '../refusal.ts'
import { createLines } from './lines.ts'

const settled = () => new Promise(setImmediate)
const isBusy = (error: unknown) => error instanceof Refusal && error.code === 'overloaded'

/** Creates work that records its start and runs until the test ends it. */
function createPlay() {
  const { inLine } = createLines()
  const running = new Map<string, () => void>()
  const begin = (name: string, lines: string[], owner = 'publisher') =>
    runFor({ owner, lines }, () =>
      inLine(() => new Promise<void>((resolve) => running.set(name, resolve)).then(() => running.delete(name))),
    )
  const end = async (name: string) => {
    running.get(name)?.()
    await settled()
  }
  return { inLine, begin, end, running: () => [...running.keys()] }
}

test('work in one line runs sequentially, in order of arrival, without blocking other lines', async () => {
  const { begin, end, running } = createPlay()
  const all = [begin('a1', ['a']), begin('a2', ['a']), begin('b1', ['b']), begin('none', [])]
  await settled()
  assert.deepEqual(running(), ['a1', 'b1', 'none'])
  await end('a1')
  assert.deepEqual(running(), ['b1', 'none', 'a2'])
  for (const name of ['a2', 'b1', 'none']) await end(name)
  await Promise.all(all)
})

test('work in several lines waits for all of them and cannot deadlock, regardless of their order', async () => {
  const { begin, end, running } = createPlay()
  const all = [begin('first', ['b']), begin('both', ['b', 'a']), begin('reversed', ['a', 'b', 'a'])]
  await settled()
  assert.deepEqual(running(), ['first'])
  await end('first')
  assert.deepEqual(running(), ['both'])
  await end('both')
  assert.deepEqual(running(), ['reversed'])
  await end('reversed')
  await Promise.all(all)
})

test('a line moves on when work fails, and nested work does not wait for itself', async () => {
  const { inLine, begin, end } = createPlay()
  await runInLines(['a'], async () => {
    await assert.rejects(inLine(() => Promise.reject(new Error('failed'))))
    assert.equal(await inLine(() => inLine(async () => 'inner')), 'inner')
  })
  const last = begin('last', ['a'])
  await settled()
  await end('last')
  await last
})

test('a line has at most 400 waiters and an owner at most 1,000, and waits time out after 50 s', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const { begin, end, running } = createPlay()
  const fronts = ['a', 'b', 'c', 'd'].map((line) => begin(line, [line]))
  const waiting = ['a', 'b'].flatMap((line) => Array.from({ length: 400 }, () => begin(`behind ${line}`, [line])))
  await assert.rejects(begin('a', ['a']), isBusy)
  const more = Array.from({ length: 200 }, () => begin('behind c', ['c']))
  await assert.rejects(begin('c', ['c']), isBusy)
  const other = begin('other', ['c'], 'another publisher')
  const late = Promise.all([...waiting, ...more, other].map((one) => assert.rejects(one, isBusy)))
  context.mock.timers.tick(50_000)
  await late
  for (const line of running()) await end(line)
  await Promise.all(fronts)
})
