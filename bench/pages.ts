import { request } from 'undici'
import type { Benchmark, Reading } from './benchmark.ts'
import type { BenchServer } from './support/bench-server.ts'
import { fillUsers } from './support/many-users.ts'
import { type Serving, serve } from './support/processes.ts'
import { computeMedian } from './support/rounds.ts'
import { createTenant } from './support/tenant.ts'

const MANY = 1_000_000
const FEW = 1_000
const SIZE = 30
const WARM_UP = 50
const REQUESTS = 250

const LISTS = { users: '/users', status: '/users/status', transactions: '/transactions' } as const
// A thousand users end on page 33, so page 100 of the long list is compared with the last full page of the short one.
const PAGES = [
  { many: 0, few: 0 },
  { many: 100, few: 32 },
] as const

type Side = { readonly service: Serving; readonly apiKey: string }

export const pages: Benchmark = {
  name: 'pages',
  about:
    'median latency of a page of 30 of GET /users, /users/status and /transactions at 1,000,000 users with a purchase each, one request after the other. The limit is the same page at 1,000 users (for page 100, their last full page)',
  measure: async (server) => {
    const few = await openSide(server, 'pages_few', FEW)
    const many = await openSide(server, 'pages_many', MANY)
    try {
      server.say('pages: measuring')
      const readings: Reading[] = []
      for (const [name, path] of Object.entries(LISTS)) {
        for (const page of PAGES) {
          const to = (number: number): string => `${path}?size=${SIZE}&page=${number}`
          const medians = await race({ side: many, path: to(page.many) }, { side: few, path: to(page.few) })
          readings.push({
            name: `pages-${name}-${page.many}`,
            ...medians,
            goal: { of: 'ratio', bound: 'at most', value: 2 },
            unit: 'ms',
          })
        }
      }
      return readings
    } finally {
      await few.service.stop()
      await many.service.stop()
      await server.drop('pages_few')
      await server.drop('pages_many')
    }
  },
}

async function openSide(server: BenchServer, name: string, users: number): Promise<Side> {
  const url = await server.create(name)
  const db = server.open(name)
  try {
    const tenant = await createTenant(db)
    await fillUsers(db, tenant, users, server.say)
    return { service: await serve('service.ts', [], { DATABASE_URL: url, PORT: '0' }), apiKey: tenant.apiKey }
  } finally {
    await db.close()
  }
}

type Asked = { readonly side: Side; readonly path: string }

async function race(ours: Asked, limit: Asked): Promise<{ ours: number; limit: number }> {
  const taken = { ours: [] as number[], limit: [] as number[] }
  for (let count = 0; count < WARM_UP + REQUESTS; count++) {
    const both = { ours: await measureMilliseconds(ours), limit: await measureMilliseconds(limit) }
    if (count < WARM_UP) continue
    taken.ours.push(both.ours)
    taken.limit.push(both.limit)
  }
  return { ours: computeMedian(taken.ours), limit: computeMedian(taken.limit) }
}

async function measureMilliseconds({ side, path }: Asked): Promise<number> {
  const beganMs = performance.now()
  const answer = await request(side.service.url + path, { headers: { 'x-api-key': side.apiKey } })
  const page = (await answer.body.json()) as { number_of_elements?: number }
  const tookMs = performance.now() - beganMs
  if (page.number_of_elements !== SIZE)
    throw new Error(`${path} answered ${answer.statusCode} with ${page.number_of_elements} elements`)
  return tookMs
}
