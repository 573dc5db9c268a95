import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import swagger from '@fastify/swagger'
import scalar from '@scalar/fastify-api-reference'
import helmet, { type HelmetOptions } from 'helmet'
import { described, type Words } from './descriptions.ts'
import type { App } from './http/index.ts'

const NOTHING = ["'none'"]

/** Headers for answers that are data: a browser that is shown one may do nothing with it. */
export async function guardAnswers(app: App): Promise<void> {
  sendHeaders(app, {
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: NOTHING, frameAncestors: NOTHING } },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
  })
}

/**
 * Helmet's headers do not depend on the request, so they are asked for once: worked out anew for every answer they took
 * half as long as sending a page of brands.
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

/** /openapi.json, gathered from the routes' schemas with their tags in this order, and /docs, which shows it. */
export async function referenceRoutes(
  app: App,
  { tags, words }: { readonly tags: readonly string[]; readonly words: Words },
  baseUrl: () => string,
): Promise<void> {
  await app.register(swagger, {
    transformObject: (document) =>
      'openapiObject' in document ? described(document.openapiObject, words) : document.swaggerObject,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Laurel',
        version: '2024-12-12',
        description:
          'Rewards for the users of a publisher: brands and offers, linked cards, transactions, cashback, webhooks.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'An API key: lrl_sandbox_… or lrl_live_…' },
          apiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'X-API-Key',
            description: 'The same key in a header of its own.',
          },
        },
      },
      security: [{ bearer: [] }, { apiKey: [] }],
      tags: tags.map((name) => ({ name })),
    },
  })
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) =>
    reply.send({ ...app.swagger(), servers: [{ url: baseUrl() }] }),
  )
  await app.register(async (docs: App) => {
    sendHeaders(docs, {
      contentSecurityPolicy: {
        directives: {
          scriptSrc: ["'self'", "'unsafe-inline'", "'unsafe-eval'"],
          styleSrc: ["'self'", "'unsafe-inline'"],
          upgradeInsecureRequests: null,
        },
      },
    })
    await docs.register(scalar, {
      routePrefix: '/docs',
      configuration: {
        url: '/openapi.json',
        pageTitle: 'Laurel API',
        hideClientButton: true,
        // What these offer lives at another company's hosts, which the page would call.
        agent: { disabled: true },
        mcp: { disabled: true },
        showDeveloperTools: 'never',
        // Few enough to be read down at a glance.
        defaultOpenAllTags: true,
        telemetry: false,
        withDefaultFonts: false,
      },
    })
  })
}
