import type { Clock } from '../clock.ts'
import { isAboutData } from '../db/database.ts'
import { trace } from '../http/tracing.ts'
import type { Log } from '../telemetry/log.ts'
import { countFailedJob, type Loop } from './loops.ts'

/**
 * Background work on rows that are claimed by lease (docs/decisions/0023-linker-scheduling.md). Jobs run concurrently,
 * and each job that ends is replaced immediately, regardless of the others. Leases are short and renewed, so the jobs
 * of a dead process are soon taken over. A process that has lost a lease must not store anything, which `process` and
 * `settle` must check.
 */
export type LeasedWork = Loop & { readonly drain: () => Promise<void> }

/** The limits of a claim. */
export type Capacity = {
  readonly free: number
  /** The number of jobs this process holds for each key. */
  readonly held: ReadonlyMap<string, number>
  readonly now: Date
  readonly leasedUntil: Date
}

export type LeasedWorkOptions<Job, Result> = {
  readonly name: string
  /** The polling interval for due jobs while no job ends. */
  readonly everyMs: number
  /** The maximum number of jobs this process holds, running or waiting for a slot. */
  readonly heldMax: number
  /** The maximum number of jobs that run concurrently. Defaults to `heldMax`. */
  readonly runningMax?: number
  readonly toKey: (job: Job) => string
  /** Returns how many jobs of one key may run, given the number of free slots. At least one always runs. */
  readonly placesOfKey?: (free: number) => number
  /** Groups keys that share a portion of the slots, such as the endpoints of one publisher. */
  readonly toGroup?: (job: Job) => string
  /** Returns how many jobs of one group may run, given the number of free slots. */
  readonly placesOfGroup?: (free: number) => number
  readonly leaseMs?: number
  /**
   * The maximum time for which a job's lease is renewed. Must exceed the duration of any job, so that only a hung job
   * loses its lease.
   */
  readonly runMaxMs?: number
  /** Claims due jobs in one statement with `for update skip locked`. */
  readonly claim: (capacity: Capacity) => Promise<readonly Job[]>
  /** Extends leases that are still valid. Omit if leases outlast the work. */
  readonly renew?: (jobs: readonly Job[], leasedUntil: Date, now: Date) => Promise<unknown>
  /** Runs one job. Errors are logged and counted, and the job becomes due again when its lease expires. */
  readonly process: (job: Job, isStopping: () => boolean) => Promise<Result>
  /**
   * Records several results and releases their leases in one commit. A failed commit is retried in the next pass. A
   * result that the database rejects is logged, and its job becomes due again when its lease expires.
   */
  readonly settle?: (results: readonly Result[]) => Promise<unknown>
}

/** After this time, another process takes over the jobs of a dead one. */
const LEASE_MS = 30_000
const RENEW_EVERY_MS = 10_000
const RUN_MAX_MS = 5 * 60_000
/** Jobs that end within this window are settled in one commit and replaced in one claim. */
const GATHER_MS = 5

export function createLeasedWork<Job, Result>(
  deps: { readonly clock: Clock; readonly log: Log },
  options: LeasedWorkOptions<Job, Result>,
): LeasedWork {
  const { name, everyMs, heldMax, leaseMs = LEASE_MS } = options
  const places = createPlaces(deps.log, options)
  const renewal = createRenewal(deps, options)
  let stopping = false

  const claim = async (): Promise<number> => {
    const held = places.held()
    const free = heldMax - held.values().reduce((sum, jobs) => sum + jobs, 0)
    if (stopping || free <= 0) return 0
    const now = deps.clock.now()
    const jobs = await options.claim({ free, held, now, leasedUntil: new Date(now.getTime() + leaseMs) })
    for (const job of jobs) renewal.begin(job, now)
    places.add(jobs, (job) => options.process(job, () => stopping).finally(() => renewal.end(job)))
    return jobs.length
  }

  const settle = async (): Promise<number> => {
    const results = places.finished.splice(0)
    if (results.length > 0) await settleAll(results)
    return results.length
  }

  /**
   * Settles results. A result that cannot be recorded must not hold up the others, so it is located by bisection and
   * dropped.
   */
  const settleAll = async (results: readonly Result[]): Promise<void> => {
    try {
      await options.settle?.(results)
    } catch (error) {
      if (!isAboutData(error)) {
        places.finished.unshift(...results)
        throw error
      }
      if (results.length === 1) return deps.log.error({ err: error, work: name }, 'a result could not be recorded')
      const middle = Math.ceil(results.length / 2)
      try {
        await settleAll(results.slice(0, middle))
      } finally {
        await settleAll(results.slice(middle))
      }
    }
  }

  const isBusy = (): boolean => places.running() > 0 || places.finished.length > 0
  return {
    name,
    everyMs,
    pass: async () => {
      const endedBefore = places.ended()
      // Neither waits for jobs, so the database and the jobs both stay busy.
      const [settled, claimed] = await Promise.all([settle(), claim()])
      if (isBusy()) await places.someEnd(endedBefore)
      // A job that has ended might have freed another job's slot or made another job due.
      return settled > 0 || claimed > 0 || isBusy() || places.ended() > endedBefore
    },
    drain: async () => {
      stopping = true
      while (isBusy()) {
        const endedBefore = places.ended()
        await settle()
        await places.someEnd(endedBefore)
      }
    },
  }
}

/** Runs passes until nothing is due, for callers that wait for completion. */
export async function workOff(work: LeasedWork): Promise<void> {
  while (await work.pass());
}

type Sharing = { readonly key: string; running: number }
type Queue<Job> = { readonly waiting: Job[]; readonly group: Sharing; running: number }

/** Maintains a queue for each key that has jobs. */
function createQueues<Job, Result>({ toKey, toGroup = toKey }: LeasedWorkOptions<Job, Result>) {
  const queues = new Map<string, Queue<Job>>()
  const groups = new Map<string, Sharing>()
  return {
    all: queues,
    of: (job: Job): Queue<Job> => {
      const known = queues.get(toKey(job))
      if (known !== undefined) return known
      const group = groups.get(toGroup(job)) ?? { key: toGroup(job), running: 0 }
      const queue = { waiting: [], group, running: 0 }
      groups.set(group.key, group)
      queues.set(toKey(job), queue)
      return queue
    },
    dropEmpty: (key: string, { waiting, running, group }: Queue<Job>): void => {
      if (waiting.length === 0 && running === 0) queues.delete(key)
      // A waiting queue always has a running job, so a group without running jobs has no queues.
      if (group.running === 0) groups.delete(group.key)
    },
  }
}

/** Creates the slots that jobs run in. */
function createPlaces<Job, Result>(log: Log, options: LeasedWorkOptions<Job, Result>) {
  const { name, everyMs, runningMax = options.heldMax } = options
  const { placesOfKey = () => Infinity, placesOfGroup = () => Infinity } = options
  const queues = createQueues(options)
  const finished: Result[] = []
  let running = 0
  let ended = 0
  let wake: () => void = () => undefined

  const hasPlace = ({ running: ofKey, group }: Queue<Job>): boolean => {
    const free = runningMax - running
    const freeToKey = Math.min(free, placesOfGroup(free) - group.running)
    return ofKey < Math.max(1, placesOfKey(freeToKey))
  }

  const start = (key: string, queue: Queue<Job>, process: (job: Job) => Promise<Result>): void => {
    while (queue.waiting.length > 0 && hasPlace(queue)) {
      const job = queue.waiting.shift() as Job
      queue.running++
      queue.group.running++
      running++
      trace(`work ${name}`, () => process(job), { isRoot: true })
        .then((result) => {
          if (options.settle !== undefined) finished.push(result)
        })
        .catch((error: unknown) => {
          countFailedJob(name)
          log.error({ err: error, work: name, key }, 'leased work failed')
        })
        .finally(() => {
          queue.running--
          queue.group.running--
          running--
          ended++
          start(key, queue, process)
          wake()
        })
    }
    queues.dropEmpty(key, queue)
  }

  return {
    finished,
    running: () => running,
    ended: () => ended,
    held: () => new Map([...queues.all].map(([key, queue]) => [key, queue.waiting.length + queue.running])),
    add: (jobs: readonly Job[], process: (job: Job) => Promise<Result>): void => {
      for (const job of jobs) queues.of(job).waiting.push(job)
      for (const [key, queue] of queues.all) start(key, queue, process)
    },
    /** Resolves shortly after a job has ended, or after `everyMs`. */
    someEnd: async (endedBefore: number): Promise<void> => {
      if (ended === endedBefore && running > 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, everyMs)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      await new Promise((resolve) => setTimeout(resolve, GATHER_MS))
    },
  }
}

/** Renews the lease of each job until the job ends or exceeds `runMaxMs`. */
function createRenewal<Job, Result>(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  { name, renew, leaseMs = LEASE_MS, runMaxMs = RUN_MAX_MS }: LeasedWorkOptions<Job, Result>,
) {
  const beganAtMs = new Map<Job, number>()
  let timer: NodeJS.Timeout | undefined
  const renewAll = async (): Promise<void> => {
    const now = clock.now()
    const jobs = [...beganAtMs].flatMap(([job, sinceMs]) => (now.getTime() - sinceMs < runMaxMs ? [job] : []))
    try {
      if (jobs.length > 0) await renew?.(jobs, new Date(now.getTime() + leaseMs), now)
    } catch (error) {
      // The next renewal is due before the leases expire, and a job that has lost its lease stores nothing.
      log.warn({ err: error, work: name, jobs: jobs.length }, 'leases could not be renewed')
    }
  }
  return {
    begin: (job: Job, now: Date): void => {
      beganAtMs.set(job, now.getTime())
      if (renew !== undefined) timer ??= setInterval(() => void renewAll(), RENEW_EVERY_MS)
    },
    end: (job: Job): void => {
      beganAtMs.delete(job)
      if (beganAtMs.size > 0) return
      clearInterval(timer)
      timer = undefined
    },
  }
}
