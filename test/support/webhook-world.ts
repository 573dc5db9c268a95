import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { pino } from 'pino'
import { createDeliverer } from '../../src/events/delivery/deliverer.ts'
import { createPoster } from '../../src/events/delivery/post.ts'
import { resumeRecovered } from '../../src/events/delivery/recovery.ts'
import { createEndpoint } from '../../src/events/endpoints/endpoints.ts'
import { recordEvents, sequenceEvents } from '../../src/events/index.ts'
import type { EventType } from '../../src/events/record.ts'
import type { Clock } from '../../src/platform/clock.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { deriveUuid, type UserId } from '../../src/platform/ids.ts'
import { type LeasedWork, workOff } from '../../src/platform/queue/leased-work.ts'
import { createVault } from '../../src/platform/vault/vault.ts'
import { createPublisher, type Publisher } from '../../src/tenants/publishers/index.ts'
import { LOCAL } from './egress.ts'
import { testDatabase } from './postgres.ts'

/** A clock that only tests advance, so what is due does not depend on the machine's speed. */
type MovableClock = Clock & { advance(ms: number): void }

function movableClock(): MovableClock {
  let nowMs = Date.now()
  return {
    now: () => new Date(nowMs),
    advance: (ms) => {
      nowMs += ms
    },
  }
}

/** Opens a database with everything that event delivery needs, for one test file. */
export async function startEventWorld(name: string) {
  const { url } = await testDatabase(name)
  const db = openDatabase(url)
  const clock = movableClock()
  const vault = createVault(Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7)).toString('base64'))
  const egress = LOCAL
  const errors: string[] = []
  const log = pino({ level: 'error' }, { write: (line) => errors.push(line) })
  // Calls end only when their receivers end them, even on a slow machine. Calls still open at the end of the file are
  // aborted.
  const poster = createPoster(egress, { deadlineMs: 600_000 })
  after(async () => {
    await poster.close()
    await db.close()
  })
  const { retentionDays } = readConfig({})
  const deps = { db, clock, vault, egress, retentionDays, log, poster, random: () => 0.5 }
  return {
    ...deps,
    /** The errors that were logged, as lines. */
    errors,
    newDeliverer: (): LeasedWork => createDeliverer(deps),
    newPublisher: (environment: Publisher['environment'] = 'sandbox') =>
      db.transaction((tx) => createPublisher(tx, { name: 'A publisher', environment }, clock.now())),
    newEndpoint: (publisher: Publisher, target: string, eventTypes: EventType[] | null = null) =>
      db.transaction((tx) =>
        createEndpoint(
          tx,
          deps,
          publisher,
          { url: target, eventTypes, description: null, decidesOutcomes: false, mayDecide: false },
          clock.now(),
        ),
      ),
    /** Records events about these users in this order, in one commit. */
    record: (publisher: Publisher, users: readonly string[], type: EventType = 'user.updated') =>
      db.transaction((tx) =>
        recordEvents(
          tx,
          publisher,
          users.map((user, index) => ({
            type,
            userId: userNamed(user),
            data: { publisher_user_id: user, index, version: 1 },
          })),
          clock.now(),
        ),
      ),
    /** Numbers all events and delivers until nothing is due. */
    settle: async (deliverer: LeasedWork) => {
      while (await sequenceEvents(db));
      await resumeRecovered(db, clock.now())
      await workOff(deliverer)
      await resumeRecovered(db, clock.now())
      await workOff(deliverer)
    },
    /** Waits until a transaction is blocked by another's lock. */
    untilSomethingWaits: async () => {
      const isWaiting = async () =>
        (
          await db.reader`
          select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        ).length > 0
      for (let looks = 0; looks < 10_000 && !(await isWaiting()); looks++);
    },
  }
}

export function userNamed(name: string): UserId {
  return deriveUuid<'user'>('test', name)
}

export type Received = {
  readonly headers: Record<string, string>
  readonly body: string
  readonly event: { id: string; type: string; sequence: number; data: { publisher_user_id: string; index: number } }
}
type Receiver = { readonly url: string; readonly received: Received[] }
type Answering = (request: Received, response: ServerResponse, count: number) => void

/** Starts a receiver on a real socket, which responds with 200 by default. */
export async function startReceiver(answer: Answering = (_request, response) => response.end()): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const one = { headers: request.headers as Record<string, string>, body, event: JSON.parse(body) }
      received.push(one)
      answer(one, response, received.length)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received }
}

/** Responds with these statuses in turn, then repeats the last one. */
export function statuses(...codes: readonly number[]): Answering {
  return (_request, response, count) => {
    response.statusCode = codes[Math.min(count, codes.length) - 1] ?? 200
    response.end()
  }
}
