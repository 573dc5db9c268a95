import assert from 'node:assert/strict'
import type { Browser } from 'playwright-core'
import type { Database } from '../src/platform/db/database.ts'
import { consoleCookie, invitePerson, openSession, toLocalActor } from '../src/tenants/accounts/index.ts'
import { launchBrowser } from '../test/support/browser.ts'
import type { Benchmark } from './benchmark.ts'
import { serve } from './support/processes.ts'
import { computeMedian } from './support/rounds.ts'
import { createTenant } from './support/tenant.ts'

const ROUNDS = 20
const READY_MAX_MS = 300

export const consoleReady: Benchmark = {
  name: 'console-ready',
  about:
    "the console's first page in Chromium, from navigation until its figures are shown, for a returning person. The limit is a plain-text page of the same service",
  measure: async (server) => {
    const url = await server.create('console_ready')
    const db = server.open('console_ready')
    await createTenant(db)
    const token = await createAdminToken(db)
    const service = await serve('service.ts', ['console'], { DATABASE_URL: url, PORT: '0' })
    const browser = await launchBrowser()
    try {
      const ready = await openPages(browser, service.url, token)
      for (let warmUp = 0; warmUp < 3; warmUp++) await ready()
      server.say('console-ready: measuring')
      const rounds: { ours: number; limit: number }[] = []
      for (let round = 0; round < ROUNDS; round++) rounds.push(await ready())
      return [
        {
          name: 'console-ready',
          ours: computeMedian(rounds.map(({ ours }) => ours)),
          limit: computeMedian(rounds.map(({ limit }) => limit)),
          goal: { of: 'ours', bound: 'at most', value: READY_MAX_MS },
          unit: 'ms',
        },
      ]
    } finally {
      await browser.close()
      await service.stop()
      await db.close()
      await server.drop('console_ready')
    }
  },
}

function createAdminToken(db: Database): Promise<string> {
  return db.transaction(async (tx) => {
    const now = new Date()
    const admin = { email: 'mara@laurel.example', role: 'admin', publisherId: null } as const
    const { accountId } = await invitePerson(tx, admin, toLocalActor('bench'), now)
    const seen = { address: '127.0.0.1', userAgent: 'Chromium' }
    return (await openSession(tx, { kind: 'operator', accountId }, seen, now)).token
  })
}

/** Returns a function that opens both pages, one after the other, and reports how many milliseconds each took. */
async function openPages(browser: Browser, url: string, token: string) {
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 800 } })
  await context.addCookies([{ name: consoleCookie(url), value: token, url }])
  const page = await context.newPage()
  return async (): Promise<{ ours: number; limit: number }> => {
    const limit = await measureMilliseconds(async () => {
      const answer = await page.goto(`${url}/healthz`)
      assert.equal(answer?.status(), 200)
    })
    const ours = await measureMilliseconds(async () => {
      await page.goto(`${url}/console`, { waitUntil: 'commit' })
      await page.getByRole('heading', { level: 2, name: 'Waiting for a decision' }).waitFor()
    })
    return { ours, limit }
  }
}

async function measureMilliseconds(work: () => Promise<void>): Promise<number> {
  const beganMs = performance.now()
  await work()
  return performance.now() - beganMs
}
