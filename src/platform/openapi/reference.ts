import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import fastify, { type FastifyContextConfig, type RouteOptions } from 'fastify'
import helmet, { type HelmetOptions } from 'helmet'
import { type App, compilersFactory, limitStrangers, PageSchema, type RefusalTable } from '../http/index.ts'
import { problemPages } from '../http/problem-pages.ts'
import { describeHeaders, type HeaderTraits } from './describe-headers.ts'
import { type Descriptions, describeOpenapi } from './describe-openapi.ts'
import { describeRefusals, type OperationRefusals, problemSchemas } from './describe-refusals.ts'
import { describeTimes } from './describe-times.ts'
import type { DocumentPart } from './document-parts.ts'
import { extendSchemas } from './extend-schemas.ts'
import { nameSchemas } from './name-schemas.ts'
import { shareParameters } from './share-parameters.ts'
import { moveExamples, shortenNullables } from './shorten-document.ts'

/** Written by `npm run openapi`. A test compares it with the routes. */
export const OPENAPI_FILE = new URL('../../../docs/reference/openapi.json', import.meta.url)

const NOTHING = ["'none'"]

/** Sets security headers for data, so that a browser that opens a response does nothing with it. */
export async function secureResponses(app: App): Promise<void> {
  sendHeaders(app, {
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: NOTHING, frameAncestors: NOTHING } },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
  })
}

/**
 * Sets security headers for a front end: its pages load from and call only this service, run no inline scripts, and
 * cannot be framed.
 */
export async function secureFront(app: App): Promise<void> {
  const own = ["'self'"]
  sendHeaders(app, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: NOTHING,
        scriptSrc: own,
        styleSrc: own,
        imgSrc: own,
        fontSrc: own,
        connectSrc: own,
        baseUri: NOTHING,
        formAction: own,
        frameAncestors: NOTHING,
      },
    },
    // The proxy in front of the service decides whether its address uses https.
    strictTransportSecurity: false,
  })
}

/**
 * Computes Helmet's headers once, since they do not depend on the request. Computing them for every response took half
 * as long as sending a page of brands.
 */
function sendHeaders(app: App, options: HelmetOptions): void {
  const blank = new ServerResponse(new IncomingMessage(new Socket()))
  helmet(options)(blank.req, blank, () => undefined)
  const headers = blank.getHeaders()
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

/** The parts of the document other than the operations. */
type Reference = {
  /** The tags in order, each with its description. */
  readonly tags: Readonly<Record<string, string>>
  /** The introduction to the document, in Markdown. */
  readonly introduction: string
  readonly descriptions: Descriptions
  /** Schemas that no operation contains in full. Each replaces an operation's schema of the same name. */
  readonly schemas: Readonly<Record<string, object>>
  readonly webhooks: Readonly<Record<string, object>>
}

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Generates the OpenAPI document. `npm run openapi` stores the result, because generating it takes a third of a
     * second.
     */
    makeOpenapi(): Promise<object>
  }
}

/**
 * Registers /openapi.json, its rendering at /docs, and a page for each problem. They require no key and are
 * rate-limited like other calls from strangers. The document covers routes that are registered after this call.
 */
export async function referenceRoutes(
  app: App,
  content: Reference,
  baseUrl: () => string,
  strangerCallsPerSecond: number,
): Promise<void> {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') routes.push(route)
  })
  app.decorate('makeOpenapi', () => generateOpenapi(routes, content, app.refusals))
  const writtenFor = keepWritten()
  const countCaller = limitStrangers(strangerCallsPerSecond)
  app.get('/openapi.json', { schema: { hide: true }, onRequest: countCaller }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(await writtenFor(baseUrl())),
  )
  await app.register(async (docs: App) => {
    docs.addHook('onRequest', countCaller)
    sendHeaders(docs, {
      contentSecurityPolicy: {
        directives: {
          scriptSrc: ["'self'", "'unsafe-inline'", "'unsafe-eval'"],
          styleSrc: ["'self'", "'unsafe-inline'"],
          upgradeInsecureRequests: null,
        },
      },
    })
    const hidden = { schema: { hide: true } }
    docs.get('/docs', hidden, async (_request, reply) => reply.type('text/html; charset=utf-8').send(PAGE))
    docs.get('/docs/js/scalar.js', hidden, async (_request, reply) =>
      reply.type('application/javascript; charset=utf-8').send(createReadStream(SCRIPT)),
    )
    problemPages(docs, routes)
  })
}

/** Returns the stored document with this service's address. Concurrent requests share a single read and buffer. */
function keepWritten(): (url: string) => Promise<Buffer> {
  const written = new Map<string, Promise<Buffer>>()
  return (url) => {
    const known = written.get(url)
    if (known !== undefined) return known
    const writing = writeDocument(url)
    written.set(url, writing)
    // If this fails, the next request tries again.
    writing.catch(() => written.delete(url))
    return writing
  }
}

async function writeDocument(url: string): Promise<Buffer> {
  const document = JSON.parse(await readFile(OPENAPI_FILE, 'utf8'))
  return Buffer.from(JSON.stringify({ ...document, servers: [{ url }] }))
}

/** Generates the document from the routes, with the tags in the given order. */
async function generateOpenapi(
  routes: readonly RouteOptions[],
  { tags, introduction, descriptions, schemas, webhooks }: Reference,
  table: RefusalTable,
): Promise<object> {
  const { default: swagger } = await import('@fastify/swagger')
  const described = fastify({ exposeHeadRoutes: false, schemaController: { compilersFactory } })
  await described.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Laurel',
        version: '2024-12-12',
        description: introduction,
        contact: { name: 'The operator of this service' },
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'An API key: lrl_sandbox_… or lrl_live_…' },
          apiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'X-API-Key',
            description: 'The same key in a separate header.',
          },
        },
      },
      security: [{ bearer: [] }, { apiKey: [] }],
      tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    },
  })
  for (const { method, url, schema } of routes)
    described.route({ method, url, ...(schema && { schema }), handler: () => undefined })
  await described.ready()
  const made = described.swagger() as unknown as DocumentPart
  const refusals = listRefusals(routes)
  const own = { Page: PageSchema, ...problemSchemas(refusals, table), ...schemas }
  const components = { ...(made['components'] as DocumentPart), schemas: own }
  const document = describeOpenapi({ ...made, webhooks, components }, descriptions)
  const named = extendSchemas(moveExamples(nameSchemas(shortenNullables(document))))
  const refused = describeRefusals(named, refusals, table)
  return describeTimes(describeHeaders(shareParameters(refused), listHeaders(routes)))
}

/** Returns the configuration of each operation beyond its schema, keyed by operationId. */
function listConfigs(routes: readonly RouteOptions[]): ReadonlyMap<string, FastifyContextConfig> {
  return new Map(
    routes.flatMap(({ schema, config = {} }) => {
      const { operationId } = (schema ?? {}) as { readonly operationId?: string }
      return operationId === undefined ? [] : [[operationId, config] as const]
    }),
  )
}

function listRefusals(routes: readonly RouteOptions[]): OperationRefusals {
  return new Map([...listConfigs(routes)].map(([id, { refusals = [] }]) => [id, refusals]))
}

function listHeaders(routes: readonly RouteOptions[]): ReadonlyMap<string, HeaderTraits> {
  const traits = ({ door, isKept = false }: FastifyContextConfig): HeaderTraits => ({
    isKept,
    requestHeaders: door?.requestHeaders ?? [],
    answerHeaders: door?.answerHeaders ?? [],
  })
  return new Map([...listConfigs(routes)].map(([id, config]) => [id, traits(config)]))
}

// The plugin that ships this script would serve the same page, but loading it takes a sixth of the startup time.
const SCRIPT = new URL('js/standalone.js', import.meta.resolve('@scalar/fastify-api-reference'))

const PAGE = `<!doctype html>
<html>
  <head>
    <title>Laurel API</title>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
  </head>
  <body>
    <div id="app"></div>
    <script src="/docs/js/scalar.js"></script>
    <script>Scalar.createApiReference('#app', ${JSON.stringify({
      url: '/openapi.json',
      hideClientButton: true,
      // These would call a third party's servers.
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      // Rendering all operations together takes seconds and 40,000 DOM nodes.
      defaultOpenAllTags: false,
      telemetry: false,
      withDefaultFonts: false,
    })})</script>
  </body>
</html>
`
