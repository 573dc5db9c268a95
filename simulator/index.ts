/**
 * The simulated linking provider. It implements the provider's HTTP API, serves the link page, lets developers make
 * purchases, and simulates the payout bank and the gift card supplier. It is a separate program and shares no code with
 * the service.
 */
import { Ajv, type ValidateFunction } from 'ajv'
import Fastify from 'fastify'
import { control } from './control/routes.ts'
import { giftCards } from './gift-cards/index.ts'
import { newRequestId } from './ids.ts'
import { buildAddress, findNetworkHost, isWildcard, refuseRemoteControl } from './network.ts'
import { pages, sendUnknownPage } from './pages/index.ts'
import { payouts } from './payouts/index.ts'
import type { App } from './provider/door.ts'
import { provider, unknownPath } from './provider/index.ts'
import { openStore } from './store.ts'
import { openWorld, type World } from './world.ts'

export type SimulatorOptions = {
  /** 0 picks any free port. If the port is taken, the next free one is used. */
  readonly port: number
  readonly host?: string
  /** The snapshot file. Without it, items do not survive a restart. */
  readonly dataFile?: string
  /** The service's address in the command that the link page shows at the end. */
  readonly serviceUrl?: string
  readonly webhookRetryDelaysMs?: readonly number[]
  /** The delay of slow calls to the bank or the gift card supplier. */
  readonly slowPayoutMs?: number
  /** Makes the simulator act as the provider's production environment in a test. */
  readonly environment?: 'production'
}

export type Simulator = {
  readonly url: string
  /** The address for phones and other machines on the network; null if only this machine can reach the link page. */
  readonly networkUrl: string | null
  readonly port: number
  close(): Promise<void>
}

/** The number of ports tried after the requested one. */
const PORTS_TRIED = 50
const MAX_BODY_BYTES = 1024 * 1024

export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { host = '127.0.0.1', serviceUrl = 'http://127.0.0.1:8080' } = options
  const store = await openStore(options.dataFile)
  const { webhookRetryDelaysMs, slowPayoutMs, environment } = options
  if (environment !== undefined) store.state.environment = environment
  let networkUrl: string | null = null
  const retries = webhookRetryDelaysMs === undefined ? {} : { webhookRetryDelaysMs }
  const slowness = slowPayoutMs === undefined ? {} : { slowPayoutMs }
  const world = openWorld(store, { ...retries, ...slowness, publicAddress: () => networkUrl })
  const app = openApp(world, serviceUrl)
  const port = await listen(app, host, options.port)
  const reached = findNetworkHost(host)
  if (reached !== null) networkUrl = buildAddress(reached, port)
  // Receivers fetch the signing key from the server, so it must be listening first.
  world.webhooks.resume()

  async function close(): Promise<void> {
    await app.close()
    await world.webhooks.close()
    await store.flush()
  }

  return { url: buildAddress(isWildcard(host) ? '127.0.0.1' : host, port), networkUrl, port, close }
}

function openApp(world: World, serviceUrl: string): App {
  const app: App = Fastify({
    genReqId: newRequestId,
    bodyLimit: MAX_BODY_BYTES,
    forceCloseConnections: true,
  })
  app.setValidatorCompiler(createSchemaCompiler())
  app.addHook('onRequest', refuseRemoteControl)
  app.register(async (room: App) => provider(room, world))
  app.register(async (room: App) => payouts(room, world))
  app.register(async (room: App) => giftCards(room, world))
  app.register(async (room: App) => control(room, world))
  app.register(async (room: App) => pages(room, world, serviceUrl))
  app.setNotFoundHandler((request, reply) => {
    if (request.headers.accept?.includes('text/html') === true) return sendUnknownPage(reply)
    return reply.status(404).send(unknownPath(request.id))
  })
  return app
}

/** Compiles each schema on first use, because compiling all of them would take up most of the startup time. */
function createSchemaCompiler(): (route: { readonly schema: object }) => ValidateFunction {
  // Rejects invalid requests instead of coercing them, so that callers notice their mistakes.
  const ajv = new Ajv({ useDefaults: true, allErrors: true, multipleOfPrecision: 6 })
  ajv.addFormat('date', isDay)
  ajv.addFormat('date-time', (text: string) => INSTANT.test(text) && isDay(text.slice(0, 10)) && isTime(text))
  return ({ schema }) => {
    // Ajv caches compiled schemas.
    const check = (data: unknown): boolean => {
      const validate = ajv.compile(schema)
      const isValid = validate(data)
      check.errors = validate.errors
      return isValid
    }
    check.errors = null as ValidateFunction['errors']
    return check as ValidateFunction
  }
}

const INSTANT = /^.{10}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && isTime(text) && new Date(text).toISOString().startsWith(text)
}

function isTime(text: string): boolean {
  return !Number.isNaN(Date.parse(text))
}

async function listen(app: App, host: string, wanted: number): Promise<number> {
  for (let port = wanted; ; port++) {
    try {
      await app.listen({ host, port })
      const address = app.server.address()
      return typeof address === 'object' && address !== null ? address.port : port
    } catch (error) {
      const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
      if (!taken || port >= wanted + PORTS_TRIED) throw error
    }
  }
}
