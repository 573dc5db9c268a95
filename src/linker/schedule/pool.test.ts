import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPool, type Room } from './pool.ts'

type Run = { readonly publisherId: string; readonly name: string }

/** A pool over a list of due runs; each ends when the test says so. */
function poolOf(size: number, due: Run[]) {
  const ends = new Map<string, (error?: Error) => void>()
  const rooms: Room[] = []
  const pool = createPool<Run>({
    size,
    claim: async (room) => {
      rooms.push(room)
      return due.splice(0, room.free)
    },
    work: (run) =>
      new Promise((resolve, reject) => {
        ends.set(run.name, (error) => {
          ends.delete(run.name)
          if (error === undefined) resolve()
          else reject(error)
        })
      }),
  })
  return {
    pool,
    rooms,
    underWay: () => [...ends.keys()],
    end: (name: string, error?: Error) => ends.get(name)?.(error),
  }
}

const run = (name: string, publisherId = 'one'): Run => ({ name, publisherId })

test('a place that becomes free is filled while a slow run goes on', async () => {
  const { pool, underWay, end } = poolOf(2, [run('slow'), run('a'), run('b'), run('c')])
  for (const name of ['a', 'b', 'c']) {
    const passing = pool.pass()
    await new Promise(setImmediate)
    assert.deepEqual(underWay(), ['slow', name])
    end(name)
    assert.equal(await passing, true)
  }
  const passing = pool.pass()
  await new Promise(setImmediate)
  end('slow')
  await passing
  assert.equal(await pool.pass(), false)
})

test('a pass with every place taken ends all the same, so that the loop can be stopped', async () => {
  const { pool, rooms, underWay, end } = poolOf(1, [run('slow')])
  assert.equal(await pool.pass(), true)
  assert.equal(await pool.pass(), true)
  assert.equal(rooms.length, 1)
  assert.deepEqual(underWay(), ['slow'])
  let drained = false
  const draining = pool.drain().then(() => {
    drained = true
  })
  await new Promise(setImmediate)
  assert.equal(drained, false)
  end('slow')
  await draining
})

test('whoever claims is told what each publisher has under way', async () => {
  const { pool, rooms, end } = poolOf(8, [run('a'), run('b', 'two'), run('c')])
  const passing = pool.pass()
  await new Promise(setImmediate)
  end('a')
  await passing
  await pool.pass()
  assert.deepEqual(rooms.at(-1), {
    free: 6,
    underWay: new Map([
      ['two', 1],
      ['one', 1],
    ]),
    perPublisher: 6,
  })
  end('b')
  end('c')
})

test('a fault of ours in one run is thrown by the next pass, and stops no other run', async () => {
  const { pool, underWay, end } = poolOf(2, [run('bad'), run('good')])
  const passing = pool.pass()
  await new Promise(setImmediate)
  end('bad', new Error('the database is away'))
  await passing
  await assert.rejects(pool.pass(), /the database is away/)
  assert.deepEqual(underWay(), ['good'])
  end('good')
})
