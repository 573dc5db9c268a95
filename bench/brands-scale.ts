import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'undici'
import { createOperator } from '../src/tenants/access/index.ts'
import { toLocalActor } from '../src/tenants/accounts/index.ts'
import type { Benchmark, Reading } from './benchmark.ts'
import type { BenchServer } from './support/bench-server.ts'
import { fillLargeCatalog } from './support/large-catalog.ts'
import { type Serving, serve } from './support/processes.ts'
import { computeMedian, measureSeconds } from './support/rounds.ts'
import { buildUserName, createTenant, createUsers } from './support/tenant.ts'

const SIZE = { brands: 100_000, offers: 500_000, stores: 100_000 }
const DATABASE = 'brands_scale'
const USERS = 40
const ROUNDS = 8
const CHANGES = 10

// Every round sends a different query, so no response comes from a cache.
const KINDS: Readonly<Record<string, (round: number) => string>> = {
  shallow: (round) => `page=${round}`,
  deep: (round) => `page=${3_000 + round * 7}`,
  category: (round) => `category_id=${1 + (round % 20)}&page=${round}`,
  types: (round) => `offer_type=GIFT_CARD,VOUCHER_CODE&page=${round * 11}`,
  stores: (round) => `location=IN_STORE&page=${round}`,
  state: (round) => `location=NY&page=${round}`,
  zip: (round) => `location=${10_000 + round * 20}`,
  point: (round) => `location=${35 + round / 10},${-90 - round / 10}&radius=200000`,
  exact: (round) => `search_text=${WORDS[round % WORDS.length]}`,
  typo: (round) => `search_text=${slip(WORDS[round % WORDS.length] ?? '')}`,
  words: (round) => `search_text=weekend deal ${WORDS[round % WORDS.length]} kitchn`,
  beginning: (round) => `search_text=${(WORDS[round % WORDS.length] ?? '').slice(0, 2)}&page=${round}`,
  'by-name': (round) => `sort=${round % 2 === 0 ? 'name' : '-name'}&page=${round * 300}`,
  'by-category': (round) => `sort=category,desc&sort=name&page=${round * 300}`,
  'by-offer': (round) => `sort=-max_customer_offer&page=${round * 300}`,
  'by-uid': (round) => `sort=brand_uid&page=${round * 300}`,
  'by-distance': (round) => `sort=distance&page=${round}`,
}
const OPERATOR_KINDS: Readonly<Record<string, (round: number) => string>> = {
  brands: (round) => `brands?page=${round * 200}`,
  'brands-by-text': (round) => `brands?search_text=${WORDS[round % WORDS.length]}`,
  categories: () => 'categories',
  'all-stores': () => 'stores',
  'stores-of-a-state': (round) => `stores?state=${round % 2 === 0 ? 'NY' : 'CA'}`,
  'stores-by-text': (round) => `stores?search_text=${WORDS[round % WORDS.length]}`,
}
const WORDS = ['barbanor', 'celcepel', 'dordoquil', 'fenferos', 'galgased', 'holhotam', 'junjuvel', 'keskewim']

export const brandsScale: Benchmark = {
  name: 'brands-scale',
  about:
    "95th percentile of pages of 30 of GET /publishers/brands at 100,000 brands, 500,000 offers and 100,000 stores, one request after the other, each for a page that no request has fetched before: shallow and deep pages, each filter, searches that are exact, half typed or misspelled, and each sort, half of them for users with a known zip code. The limit is the median of the slowest kind of page. `brands-scale-changed`: the same right after a change of the catalog. `brands-scale-seen`: from the commit of a change until a second process shows it; the limit is the median. `brands-scale-memory`: the memory of the process after all of this; the limit is its memory after the first load. `brands-scale-load`: from spawning a process until it listens, with catalog and names indexed; the limit is reading only the rows. `brands-scale-operator`: operators' reads of the same catalog: pages and searches of all brands, categories with their counts, and stores for a map; the limit is the median of the slowest kind",
  measure: async (server) => {
    const { url, apiKey, operatorKey } = await prepare(server)
    // Both processes open the same secrets, so they share a master key.
    const key = randomBytes(32).toString('base64')
    const env = {
      DATABASE_URL: url,
      PORT: '0',
      LAUREL_ROLE: 'api',
      LAUREL_MASTER_KEY: key,
      LAUREL_OPERATOR_CALLS_PER_SECOND: '1000',
    }
    const rows = await measureSeconds(() => readRows(server))
    const beganMs = performance.now()
    const service = await serve('service.ts', [], env)
    const loaded = (performance.now() - beganMs) / 1000
    const memoryAtFirst = await readMemory(service)
    const other = await serve('service.ts', [], env)
    try {
      await askAll(service, apiKey, 0)
      server.say('brands-scale: measuring')
      const still = await askAll(service, apiKey, ROUNDS)
      const operators = await askAsOperator(service, operatorKey, ROUNDS * 4)
      const { seen, taken } = await measureChanges(server, [service, other], apiKey)
      for (const [kind, times] of Object.entries({ ...still, ...operators }))
        server.say(
          `brands-scale: ${kind} ${computeMedian(times).toFixed(1)} ms, at most ${Math.max(...times).toFixed(1)} ms`,
        )
      return [
        latencies('brands-scale', still, 25),
        latencies('brands-scale-changed', taken, 25),
        latencies('brands-scale-operator', operators, 50),
        {
          name: 'brands-scale-seen',
          ours: quantile(seen, 0.95),
          limit: computeMedian(seen),
          goal: atMost(1_000),
          unit: 'ms',
        },
        {
          name: 'brands-scale-memory',
          ours: mebibytes(await readMemory(service)),
          limit: mebibytes(memoryAtFirst),
          goal: atMost(1_500),
          unit: 'MiB',
        },
        { name: 'brands-scale-load', ours: loaded, limit: rows, goal: atMost(20), unit: 's' },
      ]
    } finally {
      await service.stop()
      await other.stop()
      await server.drop(DATABASE)
    }
  },
}

const atMost = (value: number): Reading['goal'] => ({ of: 'ours', bound: 'at most', value })
const mebibytes = (bytes: number): number => Math.round(bytes / 2 ** 20)

function latencies(name: string, kinds: Readonly<Record<string, number[]>>, maxMs: number): Reading {
  const slowest = Math.max(...Object.values(kinds).map((times) => computeMedian(times)))
  return { name, ours: quantile(Object.values(kinds).flat(), 0.95), limit: slowest, goal: atMost(maxMs), unit: 'ms' }
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

async function prepare(server: BenchServer): Promise<{ url: string; apiKey: string; operatorKey: string }> {
  const url = await server.create(DATABASE)
  const db = server.open(DATABASE)
  try {
    const tenant = await createTenant(db)
    await fillLargeCatalog(db, SIZE, (message) => server.say(`brands-scale: ${message}`))
    await createUsers(db, tenant, USERS)
    // Every other user has no zip code.
    await db.reader`
      update users set primary_zip_code = case when right(publisher_user_id, 1) in ('1', '3', '5', '7', '9') then '62701' end`
    const operator = { name: 'Ada', role: 'catalog', by: toLocalActor('bench') } as const
    const { key } = await db.transaction((tx) => createOperator(tx, operator, new Date()))
    return { url, apiKey: tenant.apiKey, operatorKey: key }
  } finally {
    await db.close()
  }
}

/** Reads only the catalog's rows, which is the minimum that any load must do. */
async function readRows(server: BenchServer): Promise<void> {
  const db = server.open(DATABASE)
  try {
    await db.transaction(async (tx) => {
      for (const table of ['brands', 'stores', 'offers']) {
        for await (const _ of tx`select * from ${tx(table)}`.cursor(500));
      }
    })
  } finally {
    await db.close()
  }
}

async function readMemory({ child }: Serving): Promise<number> {
  child.send('memory')
  const [bytes] = (await once(child, 'message')) as [number]
  return bytes
}

type Times = Record<string, number[]>

/** Times a page of every kind in each round. Round 0 is a warm-up. */
async function askAll(service: Serving, apiKey: string, rounds: number): Promise<Times> {
  const times: Times = {}
  for (let round = 0; round <= rounds; round++) {
    for (const [kind, buildQuery] of Object.entries(KINDS)) {
      const taken = await measureMilliseconds(service, apiKey, kind, buildQuery(round), round)
      if (round > 0 || rounds === 0) times[kind] = [...(times[kind] ?? []), taken]
    }
  }
  return times
}

async function askAsOperator({ url }: Serving, key: string, rounds: number): Promise<Times> {
  const times: Times = {}
  for (let round = 0; round <= rounds; round++)
    for (const [kind, buildPath] of Object.entries(OPERATOR_KINDS)) {
      const taken = await answerTime(`${url}/operator/${buildPath(round)}`, { authorization: `Bearer ${key}` })
      if (round > 0) times[kind] = [...(times[kind] ?? []), taken]
    }
  return times
}

async function measureMilliseconds(
  service: Serving,
  apiKey: string,
  kind: string,
  query: string,
  round: number,
): Promise<number> {
  // Sorting by distance starts from the user's zip code, and only odd-numbered users have one.
  const user = buildUserName(kind === 'by-distance' ? 2 * round + 1 : round)
  const url = `${service.url}/publishers/brands?publisher_user_id=${user}&${encodeURI(query)}`
  return answerTime(url, { 'x-api-key': apiKey })
}

async function answerTime(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const beganMs = performance.now()
  const answer = await request(url, { headers })
  const body = await answer.body.arrayBuffer()
  const tookMs = performance.now() - beganMs
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}: ${Buffer.from(body)}`)
  return tookMs
}

/**
 * Changes one brand at a time, as an import would, waits until both processes show the change, and then times a page of
 * each kind.
 */
async function measureChanges(
  server: BenchServer,
  services: readonly [Serving, Serving],
  apiKey: string,
): Promise<{ seen: number[]; taken: Times }> {
  const db = server.open(DATABASE)
  const seen: number[] = []
  const taken: Times = {}
  try {
    for (let change = 0; change < CHANGES; change++) {
      const name = `Changed ${change}`
      await db.transaction(async (tx) => {
        await tx`update brands set name = ${name} where ordinal = (select min(ordinal) + ${change * 5_000}::int from brands)`
        await tx`update catalog_version set version = version + 1`
        await tx`select pg_notify('laurel_catalog_changed', '')`
      })
      const committedMs = performance.now()
      for (const service of services) await shown(service, apiKey, name)
      seen.push(performance.now() - committedMs)
      for (const [kind, buildQuery] of Object.entries(KINDS)) {
        const time = await measureMilliseconds(services[0], apiKey, kind, buildQuery(change), change)
        taken[kind] = [...(taken[kind] ?? []), time]
      }
    }
    return { seen, taken }
  } finally {
    await db.close()
  }
}

async function shown(service: Serving, apiKey: string, name: string): Promise<void> {
  const url = `${service.url}/publishers/brands?publisher_user_id=${buildUserName(0)}&size=1&search_text=${encodeURI(name)}`
  for (;;) {
    const answer = await request(url, { headers: { 'x-api-key': apiKey } })
    const page = (await answer.body.json()) as { content: { name: string }[] }
    if (page.content[0]?.name === name) return
  }
}

/** Makes a common typo by swapping two letters. */
function slip(word: string): string {
  return `${word.slice(0, 3)}${word[4]}${word[3]}${word.slice(5)}`
}
