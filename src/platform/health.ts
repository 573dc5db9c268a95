import Type from 'typebox'
import type { Database } from './database.ts'
import { type App, countingStrangers } from './http/index.ts'
import { metricsText } from './metrics.ts'

const HealthSchema = Type.Object({
  status: Type.String(),
  database: Type.Optional(Type.String()),
  not_ready: Type.Optional(Type.Array(Type.String())),
})

type Deps = {
  readonly db: Database
  readonly isDraining: () => boolean
  readonly showsMetrics: boolean
  readonly notReady: ReadonlySet<string>
  readonly strangerCallsPerSecond: number
}

/** Liveness, readiness and metrics, for the supervisor of the process. */
export function healthRoutes(app: App, { db, isDraining, showsMetrics, notReady, strangerCallsPerSecond }: Deps): void {
  // Newcomers open this address first.
  app.get('/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/docs/', 302))

  // Load balancers ask by HEAD, too.
  app.get('/healthz', { exposeHeadRoute: true, schema: { hide: true, response: { 200: HealthSchema } } }, async () => ({
    status: 'ok',
  }))

  app.get(
    '/readyz',
    { exposeHeadRoute: true, schema: { hide: true, response: { 200: HealthSchema, 503: HealthSchema } } },
    async (_request, reply) => {
      const database = await databaseState(db)
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

  if (!showsMetrics) return
  const onRequest = countingStrangers(strangerCallsPerSecond)
  app.get('/metrics', { schema: { hide: true }, onRequest }, async (_request, reply) => {
    const { text, contentType } = await metricsText()
    return reply.header('Content-Type', contentType).send(text)
  })
}

/** Checks the returned value, because a pooler may answer for an unreachable database. */
async function databaseState(db: Database): Promise<'ok' | 'unreachable'> {
  try {
    const [row] = await db.reader<{ one: number }[]>`select 1 as one`
    return row?.one === 1 ? 'ok' : 'unreachable'
  } catch {
    return 'unreachable'
  }
}
