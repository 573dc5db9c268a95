import type { Clock } from './clock.ts'
import { isAboutData } from './database.ts'
import type { Log } from './log.ts'
import type { Loop } from './loops.ts'
import { traced } from './tracing.ts'

/**
 * Background work on rows that are claimed by lease (docs/decisions/0023-linker-scheduling.md). Jobs run
 * concurrently, and one that ends is replaced at once, whatever the others do. Leases are short and renewed, so that
 * the jobs of a process that dies are taken over soon; a process that lost a lease must store nothing, which is for
 * `process` and `settle` to check.
 */
export type LeasedWork = Loop & { readonly drain: () => Promise<void> }

/** How much a claim may take. */
export type Capacity = {
  readonly free: number
  /** How many jobs of each key this process holds. */
  readonly held: ReadonlyMap<string, number>
  readonly now: Date
  readonly leasedUntil: Date
}

export type LeasedWorkOptions<Job, Result> = {
  readonly name: string
  /** How often to look for due jobs when none has ended. */
  readonly everyMs: number
  /** Jobs that this process holds at most, running or waiting for a place. */
  readonly heldMax: number
  /** Jobs that run at most; all that are held unless given. */
  readonly runningMax?: number
  readonly keyOf: (job: Job) => string
  /** How many jobs of one key may run while so many places are free to it; at least one always runs. */
  readonly placesOfKey?: (free: number) => number
  /** Keys that share a part of the places, such as the endpoints of one publisher. */
  readonly groupOf?: (job: Job) => string
  /** How many jobs of one group may run while so many places are free. */
  readonly placesOfGroup?: (free: number) => number
  readonly leaseMs?: number
  /** Longer than any job takes; one that hangs loses its lease. */
  readonly runMaxMs?: number
  /** Claims due jobs in one statement with `for update skip locked`. */
  readonly claim: (capacity: Capacity) => Promise<readonly Job[]>
  /** Extends leases that are still valid. Leave out where leases outlast the work. */
  readonly renew?: (jobs: readonly Job[], leasedUntil: Date, now: Date) => Promise<unknown>
  /** Does one job. What it throws is logged, and the job is due again when its lease ends. */
  readonly process: (job: Job, isStopping: () => boolean) => Promise<Result>
  /**
   * Records results and releases leases, several in one commit. When it fails, the next pass tries again. A result that
   * the database refuses is logged, and its job is due again when its lease ends.
   */
  readonly settle?: (results: readonly Result[]) => Promise<unknown>
}

/** When the lease of a dead process ends, another process takes over its job. */
const LEASE_MS = 30_000
const RENEW_EVERY_MS = 10_000
const RUN_MAX_MS = 5 * 60_000
/** Jobs that end at about the same time are settled by one commit and replaced by one claim. */
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

  /** A result that cannot be recorded must not hold up the others: it is found by halving, and given up. */
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
      // Concurrently, and neither waits for jobs: the database and the jobs are both kept busy.
      const [settled, claimed] = await Promise.all([settle(), claim()])
      if (isBusy()) await places.someEnd(endedBefore)
      return settled > 0 || claimed > 0 || isBusy()
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

/** Runs passes until nothing is due, for a caller that waits for it. */
export async function workOff(work: LeasedWork): Promise<void> {
  while (await work.pass());
}

type Sharing = { readonly key: string; running: number }
type Queue<Job> = { readonly waiting: Job[]; readonly group: Sharing; running: number }

/** The queue of each key, for as long as it has jobs. */
function createQueues<Job, Result>({ keyOf, groupOf = keyOf }: LeasedWorkOptions<Job, Result>) {
  const queues = new Map<string, Queue<Job>>()
  const groups = new Map<string, Sharing>()
  return {
    all: queues,
    of: (job: Job): Queue<Job> => {
      const known = queues.get(keyOf(job))
      if (known !== undefined) return known
      const group = groups.get(groupOf(job)) ?? { key: groupOf(job), running: 0 }
      const queue = { waiting: [], group, running: 0 }
      groups.set(group.key, group)
      queues.set(keyOf(job), queue)
      return queue
    },
    dropEmpty: (key: string, { waiting, running, group }: Queue<Job>): void => {
      if (waiting.length === 0 && running === 0) queues.delete(key)
      // A queue that waits has a job running, so a group without one has no queue.
      if (group.running === 0) groups.delete(group.key)
    },
  }
}

/** The places in which jobs run. */
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
      traced(`work ${name}`, () => process(job), { isRoot: true })
        .then((result) => {
          if (options.settle !== undefined) finished.push(result)
        })
        .catch((error: unknown) => log.error({ err: error, work: name, key }, 'leased work failed'))
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
    /** Returns soon after a job has ended, or after `everyMs`. */
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

/** Renews the leases of jobs between their begin and end. */
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
      // The next renewal comes before the leases end, and a job whose lease was lost stores nothing.
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
