import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Benchmark } from './benchmark.ts'
import type { BenchServer } from './support/bench-server.ts'
import { fillCatalog } from './support/catalog.ts'
import { measureLoad } from './support/load.ts'
import { serve } from './support/processes.ts'
import { computeMedian } from './support/rounds.ts'
import { buildUserName, createTenant, createUsers } from './support/tenant.ts'

const ROUNDS = 5
const SECONDS = 3
const DATABASE = 'brands_page'

export const brandsPage: Benchmark = {
  name: 'brands-page',
  about:
    "GET /publishers/brands, 30 of 2,000 brands with their offers and the user's links, with a key, over 16 connections, from a process in the role api. The limit is a Fastify without hooks and schemas that sends the same bytes",
  measure: async (server) => {
    const { url, apiKey } = await prepare(server)
    const service = await serve('service.ts', [], { DATABASE_URL: url, PORT: '0', LAUREL_ROLE: 'api' })
    const page = `${service.url}/publishers/brands?publisher_user_id=${buildUserName(0)}`
    const file = join(server.dataDir, 'brands-page.json')
    await writeFile(file, await fetchBytes(page, apiKey))
    const bare = await serve('bare-fastify.ts', [file])
    try {
      const sides = {
        ours: () => measureLoad(page, { seconds: SECONDS, headers: [`X-API-Key=${apiKey}`] }),
        limit: () => measureLoad(`${bare.url}/publishers/brands`, { seconds: SECONDS }),
      }
      // The first round is a warm-up for both sides.
      const rounds: { ours: number; limit: number }[] = []
      for (let round = 0; round <= ROUNDS; round++) {
        rounds.push({ ours: await sides.ours(), limit: await sides.limit() })
      }
      const counted = rounds.slice(1)
      return [
        {
          name: 'brands-page',
          ours: computeMedian(counted.map((round) => round.ours)),
          limit: computeMedian(counted.map((round) => round.limit)),
          goal: { of: 'ratio', bound: 'at least', value: 0.7 },
          unit: 'requests/s',
        },
      ]
    } finally {
      await bare.stop()
      await service.stop()
      await server.drop(DATABASE)
    }
  },
}

async function prepare(server: BenchServer): Promise<{ url: string; apiKey: string }> {
  server.say('brands-page: 2,000 brands are made')
  const url = await server.create(DATABASE)
  const db = server.open(DATABASE)
  try {
    const tenant = await createTenant(db)
    await fillCatalog(db)
    await createUsers(db, tenant, 1)
    return { url, apiKey: tenant.apiKey }
  } finally {
    await db.close()
  }
}

async function fetchBytes(page: string, apiKey: string): Promise<string> {
  const answer = await fetch(page, { headers: { 'X-API-Key': apiKey } })
  if (answer.status !== 200) throw new Error(`the page of brands answered ${answer.status}`)
  return answer.text()
}
