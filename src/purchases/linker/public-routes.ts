import Type from 'typebox'
import { toNetwork } from '../../platform/http/callers/caller-address.ts'
import {
  type App,
  createNetworkLimit,
  limitStrangers,
  operationsOn,
  STRANGER_LIMITS,
} from '../../platform/http/index.ts'
import type { LinkerDeps } from './deps.ts'
import { getLogo } from './institutions/institutions.ts'
import { InstitutionParams, LogoQuery } from './schema.ts'
import { createWebhookDoor } from './webhooks/intake.ts'

// The provider's webhooks are a few hundred bytes.
const WEBHOOK_BYTES_MAX = 64 * 1024
const DAY_S = 86_400
// Browsers cache logos, but the limit must be high, because homes, offices and mobile networks share addresses.
const LOGOS_OF_ADDRESS = { perSecond: 20, burst: 400 }
const TAG = 'Card linking'

type PublicDeps = LinkerDeps & { readonly strangerCallsPerSecond?: number }

/** Registers the routes that need no API key: the provider's webhooks, and logos for browsers. */
export function linkerPublicRoutes(app: App, deps: PublicDeps): void {
  app.register(async (scope: App) => webhookRoute(scope, deps))
  app.register(async (scope: App) => logoRoute(scope, deps))
}

function webhookRoute(scope: App, deps: PublicDeps): void {
  const door = createWebhookDoor(deps)
  scope.addHook('onClose', door.drain)
  // The provider's webhooks come in bursts, and the provider resends rejected ones.
  scope.addHook('onRequest', limitStrangers(deps.strangerCallsPerSecond, STRANGER_LIMITS.file))
  // The signature covers the raw bytes.
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: string | Buffer) => body)
  const operation = operationsOn(scope, TAG, () => ({}))
  operation('POST /linker/webhooks', {
    bodyLimit: WEBHOOK_BYTES_MAX,
    id: 'takeLinkerWebhook',
    summary: 'Receive webhooks from the linking provider',
    description:
      'Signed by the provider in the Plaid-Verification header. A webhook only makes the service query the provider again.',
    open: true,
    answer: Type.Object({ received: Type.Boolean() }),
    example: { received: true },
    refusals: ['webhook_unverified', 'linker_failed', 'linker_unavailable', 'linker_not_configured', 'linker_timeout'],
    handler: async ({ request }) => {
      const signature = request.headers['plaid-verification']
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      await door.accept(typeof signature === 'string' ? signature : undefined, body, toNetwork(request.ip))
      return { received: true }
    },
  })
}

function logoRoute(scope: App, deps: LinkerDeps): void {
  const { onRequest } = createNetworkLimit(
    LOGOS_OF_ADDRESS,
    'Too many logos were fetched from this address.',
    deps.clock,
  )
  scope.addHook('onRequest', onRequest)
  const operation = operationsOn(scope, TAG, () => ({}))
  operation('GET /institutions/:institution_id/logo', {
    id: 'getInstitutionLogo',
    summary: 'Get the logo of an institution',
    description: 'PNG or JPEG. Browsers cache it permanently at the URL in logo_url, and for a day at any other.',
    open: true,
    params: InstitutionParams,
    query: LogoQuery,
    content: {
      'image/png': { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }), example: '(image)' },
    },
    refusals: ['institution_not_found'],
    handler: async ({ params, query, reply }) => {
      const { type, bytes, version } = await getLogo(deps.db.reader, params.institution_id, query.v)
      const isNamed = query.v === version
      return reply
        .header('Cache-Control', isNamed ? `public, max-age=${365 * DAY_S}, immutable` : `public, max-age=${DAY_S}`)
        .header('X-Content-Type-Options', 'nosniff')
        .header('Content-Security-Policy', "default-src 'none'")
        .type(type)
        .send(bytes)
    },
  })
}
