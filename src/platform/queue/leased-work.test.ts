import assert from 'node:assert/strict'
import { afterEach, mock, test } from 'node:test'
import postgres from 'postgres'
import { createLog } from '../telemetry/log.ts'
import { registry } from '../telemetry/metrics.ts'
import { type Capacity, createLeasedWork, type LeasedWorkOptions, workOff } from './leased-work.ts'

type Job = { readonly key: string; readonly name: string }

afterEach(() => mock.timers.reset())

/** Creates work over a list of due jobs. Each job runs until the test ends it. */
function workOn(due: Job[], options: Partial<LeasedWorkOptions<Job, string>> = {}) {
  const ends = new Map<string, (error?: Error) => void>()
  const capacities: Capacity[] = []
  const clock = { ms: 0, now: () => new Date(clock.ms) }
  const work = createLeasedWork<Job, string>(
    { clock, log: createLog('silent') },
    {
      name: 'test',
      everyMs: 50,
      heldMax: 8,
      toKey: ({ key }) => key,
      claim: async (capacity) => {
        capacities.push(capacity)
        return due.splice(0, capacity.free)
      },
      process: ({ name }) =>
        new Promise((resolve, reject) => {
          ends.set(name, (error) => {
            ends.delete(name)
            if (error === undefined) resolve(name)
            else reject(error)
          })
        }),
      ...options,
    },
  )
  return {
    work,
    capacities,
    clock,
    running: () => [...ends.keys()],
    end: (name: string, error?: Error) => ends.get(name)?.(error),
  }
}

const job = (name: string, key = 'one'): Job => ({ name, key })
const turnOfEvents = () => new Promise(setImmediate)

test('a freed slot is filled while a slow job is still running', async () => {
  const { work, running, end } = workOn([job('slow'), job('a'), job('b'), job('c')], { heldMax: 2 })
  for (const name of ['a', 'b', 'c']) {
    const passing = work.pass()
    await turnOfEvents()
    assert.deepEqual(running(), ['slow', name])
    end(name)
    assert.equal(await passing, true)
  }
  const passing = work.pass()
  await turnOfEvents()
  end('slow')
  await passing
  assert.equal(await work.pass(), false)
})

test('a pass ends even when every slot is taken, and draining waits for running jobs', async () => {
  const { work, capacities, running, end } = workOn([job('slow')], { heldMax: 1 })
  assert.equal(await work.pass(), true)
  assert.equal(await work.pass(), true)
  assert.equal(capacities.length, 1)
  assert.deepEqual(running(), ['slow'])
  let isDrained = false
  const draining = work.drain().then(() => {
    isDrained = true
  })
  await turnOfEvents()
  assert.equal(isDrained, false)
  end('slow')
  await draining
  assert.equal(await work.pass(), false)
  assert.equal(capacities.length, 1, 'nothing is claimed after draining')
})

test('a job that outlasts several passes is followed by the next job that is due', async () => {
  const { work, running, end } = workOn([job('slow'), job('next')], { heldMax: 1 })
  await work.pass()
  const passing = work.pass()
  await turnOfEvents()
  end('slow')
  assert.equal(await passing, true)
  await work.pass()
  assert.deepEqual(running(), ['next'])
  end('next')
  await workOff(work)
})

test('a claim receives the free capacity and the number of jobs held per key', async () => {
  const { work, capacities, end } = workOn([job('a'), job('b', 'two'), job('c')])
  const passing = work.pass()
  await turnOfEvents()
  end('a')
  await passing
  await work.pass()
  const capacity = capacities.at(-1)
  assert.equal(capacity?.free, 6)
  assert.deepEqual(Object.fromEntries(capacity?.held ?? []), { one: 1, two: 1 })
  assert.equal(Number(capacity?.leasedUntil) - Number(capacity?.now), 30_000)
  end('b')
  end('c')
})

test('a key never exceeds its slots but always gets at least one', async () => {
  const { work, running, end } = workOn(
    [...[1, 2, 3, 4].map((number) => job(`a${number}`)), job('b1', 'two'), job('b2', 'two')],
    { runningMax: 4, placesOfKey: (free) => Math.floor(free / 2) },
  )
  await work.pass()
  assert.deepEqual(running(), ['a1', 'b1'])
  end('a1')
  await work.pass()
  assert.deepEqual(running(), ['b1', 'a2'])
  for (const name of ['b1', 'b2', 'a2', 'a3', 'a4']) {
    end(name)
    await turnOfEvents()
  }
  await workOff(work)
  assert.deepEqual(running(), [])
})

test('the keys of a group share its slots, and each gets at least one', async () => {
  const named = (group: string, keys: number, each: number) =>
    Array.from({ length: keys * each }, (_, index) => job(`${group}${index}`, `${group}/${index % keys}`))
  const due = [...named('many', 5, 20), ...named('one', 1, 20)]
  const { work, running, end } = workOn(due, {
    heldMax: 120,
    runningMax: 64,
    toGroup: ({ key }) => key.split('/')[0] ?? '',
    placesOfGroup: (free) => Math.floor(free / 2),
    placesOfKey: (free) => Math.floor(free / 2),
  })
  await work.pass()
  const countRunning = (group: string) => running().filter((name) => name.startsWith(group)).length
  assert.deepEqual([countRunning('many'), countRunning('one')], [20, 6])
  while (running().length > 0) {
    for (const name of running()) end(name)
    await turnOfEvents()
    await work.pass()
  }
  assert.equal(await work.pass(), false)
})

const failedJobs = async (): Promise<number> => {
  const { values } = (await registry.getSingleMetric('laurel_loop_failures_total')?.get()) ?? { values: [] }
  return values.find(({ labels }) => labels['loop'] === 'test')?.value ?? 0
}

test('a job that throws frees its slot, does not stop other jobs, and counts as a loop failure', async () => {
  const before = await failedJobs()
  const { work, running, end } = workOn([job('bad'), job('good')])
  const passing = work.pass()
  await turnOfEvents()
  end('bad', new Error('the database is away'))
  await passing
  assert.deepEqual(running(), ['good'])
  end('good')
  await workOff(work)
  assert.equal(await failedJobs(), before + 1)
})

test('results are settled together and retried after a failure, and draining releases waiting jobs', async () => {
  const settled: string[][] = []
  let isAway = true
  const due = [1, 2, 3].map((number) => job(`j${number}`))
  const { work } = workOn(due, {
    process: async ({ name }, isStopping) => (isStopping() ? `${name} given back` : name),
    settle: async (results) => {
      if (isAway) throw new Error('the database is away')
      settled.push([...results])
    },
  })
  await work.pass()
  await assert.rejects(work.pass(), /the database is away/)
  isAway = false
  await workOff(work)
  assert.deepEqual(settled, [['j1', 'j2', 'j3']])

  let release: () => void = () => undefined
  const first = new Promise<void>((resolve) => {
    release = resolve
  })
  const held = workOn(
    [1, 2].map((number) => job(`k${number}`)),
    {
      placesOfKey: () => 1,
      process: async ({ name }, isStopping) => {
        if (isStopping()) return `${name} given back`
        await first
        return name
      },
      settle: async (results) => void settled.push([...results]),
    },
  )
  await held.work.pass()
  const draining = held.work.drain()
  release()
  await draining
  assert.deepEqual(settled.slice(1).flat(), ['k1', 'k2 given back'])
})

test('a result that the database rejects does not hold up the others', async () => {
  const settled: string[] = []
  const due = [1, 2, 3, 4, 5].map((number) => job(`j${number}`))
  const refused = Object.assign(new postgres.PostgresError('smallint out of range'), { code: '22003' })
  const { work } = workOn(due, {
    process: async ({ name }) => name,
    settle: async (results) => {
      if (results.includes('j2')) throw refused
      settled.push(...results)
    },
  })
  await workOff(work)
  assert.deepEqual(settled.toSorted(), ['j1', 'j3', 'j4', 'j5'])
})

test('leases are renewed while jobs are held, except for a job that hangs', async () => {
  mock.timers.enable({ apis: ['setInterval'] })
  const renewed: string[][] = []
  const { work, clock, end } = workOn([job('long')], {
    renew: async (jobs, until, now) => {
      assert.equal(until.getTime() - now.getTime(), 30_000)
      renewed.push(jobs.map(({ name }) => name))
      if (renewed.length === 1) throw new Error('the database is away')
    },
  })
  await work.pass()
  for (let count = 0; count < 2; count++) {
    clock.ms += 10_000
    mock.timers.tick(10_000)
    await turnOfEvents()
  }
  assert.deepEqual(renewed, [['long'], ['long']])
  clock.ms += 5 * 60_000
  mock.timers.tick(10_000)
  await turnOfEvents()
  assert.equal(renewed.length, 2)
  end('long')
  await workOff(work)
})
