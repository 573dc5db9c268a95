import { Counter, Histogram } from 'prom-client'
import { getCurrentCaller, type WorkCaller } from '../on-behalf.ts'
import { overloaded } from '../refusal.ts'
import { registry } from '../telemetry/metrics.ts'
import type { WorkLimits } from './kinds-of-work.ts'

const waitSeconds = new Histogram({
  name: 'laurel_database_wait_seconds',
  help: 'How long work waited for a database connection or for a password check, if it had to wait.',
  labelNames: ['work'],
  buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30, 60],
  registers: [registry],
})
const refused = new Counter({
  name: 'laurel_database_refused_total',
  help: 'Work refused because too much was waiting, or because it had waited too long.',
  labelNames: ['work'],
  registers: [registry],
})

/**
 * Shares the connections of a pool fairly. Owners (publishers and operators) are served round-robin and hold at most
 * half of the connections each, so an owner waits for at most one turn of every other owner, regardless of their load.
 * Members of an owner, such as the users of a portal, share its portion in the same way. `ownerMsPerSecond` limits how
 * much of each second an owner may use. Beyond that, the owner's work waits.
 */
export type Turns = {
  /**
   * Waits for a connection and returns a function that releases it.
   * @throws Refusal overloaded if too much of the owner's work is waiting, or this work has waited too long. If the
   * owner's queue is full, the newest work of the member with the most work in it is refused, so that no member starves
   * the others.
   */
  take(): Promise<() => void>
}

type TurnLimits = Pick<WorkLimits, 'connections' | 'waitingMax' | 'waitMaxMs' | 'ownerConnections' | 'ownerMsPerSecond'>
type Waiting = { readonly start: () => void; readonly refuse: () => void }
type Member = { readonly name: string | null; running: number; readonly waiting: Set<Waiting> }
type Share = {
  readonly name: string | null
  running: number
  waiting: number
  /** Milliseconds of completed turns that still count against `ownerMsPerSecond`. */
  recentMs: number
  readonly members: Map<string | null, Member>
}
const SECOND_MS = 1_000
// The longest time for which a turn counts. Shorter than the maximum wait, so that the owner's next turn is late rather
// than refused.
const RECENT_MS_MAX = 4_000

export function createTurns(work: string, limits: TurnLimits): Turns {
  // The service itself is one more owner, limited only by the number of connections.
  const owners: Owners = new Map()
  let free = limits.connections
  const isAllowed = (owner: Share, member: Member): boolean =>
    free > 0 && (owner.name === null || isWithinLimits(owner, member, limits))
  const begin = (owner: Share, member: Member): void => {
    free--
    owner.running++
    member.running++
  }
  const wait = (owner: Share, member: Member): Promise<void> =>
    new Promise((resolve, reject) => {
      const since = performance.now()
      const one: Waiting = {
        start: () => {
          clearTimeout(timer)
          leaveQueue(owner, member, one)
          waitSeconds.observe({ work }, (performance.now() - since) / 1_000)
          begin(owner, member)
          resolve()
        },
        refuse: () => {
          clearTimeout(timer)
          leaveQueue(owner, member, one)
          forgetIdle(owners, owner, member)
          refused.inc({ work })
          reject(overloaded())
        },
      }
      const timer = setTimeout(one.refuse, limits.waitMaxMs)
      member.waiting.add(one)
      owner.waiting++
    })
  const startNext = (): void => {
    for (const owner of owners.values()) {
      for (const member of owner.members.values()) {
        const [first] = member.waiting
        if (first === undefined || !isAllowed(owner, member)) continue
        moveBehind(owners, owner)
        moveBehind(owner.members, member)
        first.start()
        return
      }
    }
  }
  const end = (owner: Share, member: Member, tookMs: number): void => {
    free++
    owner.running--
    member.running--
    const startNextAfter = (): void => {
      forgetIdle(owners, owner, member)
      startNext()
    }
    if (limits.ownerMsPerSecond !== undefined) countRecent(owner, tookMs, limits.ownerMsPerSecond, startNextAfter)
    startNextAfter()
  }
  return {
    take: async () => {
      const { owner, member } = findShare(owners, getCurrentCaller())
      if (isAllowed(owner, member)) begin(owner, member)
      else {
        if (owner.waiting >= limits.waitingMax) makeRoom(owner, member, () => refused.inc({ work }))
        await wait(owner, member)
      }
      const beganMs = performance.now()
      return () => end(owner, member, performance.now() - beganMs)
    },
  }
}

type Owners = Map<string | null, Share>

/** Finds or creates the share of a caller. */
function findShare(owners: Owners, caller: WorkCaller | null): { readonly owner: Share; readonly member: Member } {
  const name = caller?.owner ?? null
  const owner = owners.get(name) ?? { name, running: 0, waiting: 0, recentMs: 0, members: new Map() }
  owners.set(name, owner)
  const memberName = caller?.member ?? null
  const member = owner.members.get(memberName) ?? { name: memberName, running: 0, waiting: new Set() }
  owner.members.set(memberName, member)
  return { owner, member }
}

function forgetIdle(owners: Owners, owner: Share, member: Member): void {
  const isPresent = owner.members.get(member.name) === member
  if (isPresent && member.running === 0 && member.waiting.size === 0) owner.members.delete(member.name)
  if (owner.members.size === 0 && owner.recentMs === 0) owners.delete(owner.name)
}

function leaveQueue(owner: Share, member: Member, one: Waiting): void {
  member.waiting.delete(one)
  owner.waiting--
}

/** Moves an owner or member to the back of the rotation once it has been served. */
function moveBehind<Name, One extends { readonly name: Name }>(all: Map<Name, One>, one: One): void {
  all.delete(one.name)
  all.set(one.name, one)
}

/** Refuses the newest work of the member with the longest queue. @throws Refusal overloaded if that is this member */
function makeRoom(owner: Share, member: Member, countRefused: () => void): void {
  let longest = member
  for (const one of owner.members.values()) if (one.waiting.size > longest.waiting.size) longest = one
  if (longest === member) {
    countRefused()
    throw overloaded()
  }
  ;[...longest.waiting].at(-1)?.refuse()
}

/**
 * Returns true if the owner holds less than its share of the connections, the member less than half of that share, and
 * the owner has not used up its time in this second.
 */
function isWithinLimits({ running, recentMs }: Share, member: Member, limits: TurnLimits): boolean {
  const { connections, ownerConnections = Math.ceil(connections / 2), ownerMsPerSecond = Infinity } = limits
  const memberConnections = member.name === null ? ownerConnections : Math.ceil(ownerConnections / 2)
  return running < ownerConnections && member.running < memberConnections && recentMs < ownerMsPerSecond
}

/** Counts a turn for one second, or proportionally longer if it took more than the owner's time per second. */
function countRecent(owner: Share, tookMs: number, ownerMsPerSecond: number, then: () => void): void {
  const countedMs = Math.ceil(tookMs)
  owner.recentMs += countedMs
  const forget = (): void => {
    owner.recentMs -= countedMs
    then()
  }
  const forMs = Math.max(SECOND_MS, (countedMs * SECOND_MS) / ownerMsPerSecond)
  setTimeout(forget, Math.min(forMs, RECENT_MS_MAX)).unref()
}
