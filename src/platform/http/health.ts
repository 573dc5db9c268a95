import Type from 'typebox'
import type { Database } from '../db/database.ts'
import { type App, limitStrangers, STRANGER_LIMITS } from './index.ts'

const HealthSchema = Type.Object({
  status: Type.String(),
  database: Type.Optional(Type.String()),
  not_ready: Type.Optional(Type.Array(Type.String())),
})

type Deps = {
  readonly db: Database
  readonly isDraining: () => boolean
  readonly notReady: ReadonlySet<string>
  readonly strangerCallsPerSecond: number
}

/** Serves liveness and readiness probes. */
export function healthRoutes(app: App, { db, isDraining, notReady, strangerCallsPerSecond }: Deps): void {
  const databaseState = createDatabaseState(db)
  app.addHook('onRequest', limitStrangers(strangerCallsPerSecond, STRANGER_LIMITS.probe))
  // New users open this address first.
  app.get('/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/docs/', 302))

  app.get('/healthz', { schema: { hide: true, response: { 200: HealthSchema } } }, async () => ({
    status: 'ok',
  }))

  app.get(
    '/readyz',
    { schema: { hide: true, response: { 200: HealthSchema, 503: HealthSchema } } },
    async (_request, reply) => {
      const database = await databaseState()
      const status = isDraining()
        ? 'draining'
        : database !== 'ok'
          ? 'not ready'
          : notReady.size > 0
            ? 'starting'
            : 'ready'
      return reply
        .code(status === 'ready' ? 200 : 503)
        .send({ status, database, ...(notReady.size > 0 ? { not_ready: [...notReady] } : {}) })
    },
  )
}

// Load balancers probe at most once a second.
const KEPT_MS = 1_000

/** Caches the result so that any number of probes causes at most one query a second. */
function createDatabaseState(db: Database): () => ReturnType<typeof askDatabase> {
  let known: ReturnType<typeof askDatabase> | null = null
  return () => {
    known ??= askDatabase(db).finally(() => {
      setTimeout(() => {
        known = null
      }, KEPT_MS).unref()
    })
    return known
  }
}

/** Checks the returned value, because a pooler might answer for an unreachable database. */
async function askDatabase(db: Database): Promise<'ok' | 'unreachable'> {
  try {
    const [row] = await db.reader<{ one: number }[]>`select 1 as one`
    return row?.one === 1 ? 'ok' : 'unreachable'
  } catch {
    return 'unreachable'
  }
}
