import Type from 'typebox'
import { ProviderError } from '../errors.ts'
import { getItemByToken } from '../items.ts'
import { createLinkToken, exchangePublicToken, findLinkToken, type LinkTokenInput } from '../linking.ts'
import { refuseWhenRevoked } from '../logins.ts'
import type { FinishedSession } from '../state.ts'
import type { World } from '../world.ts'
import { type App, type Call, call, readClient } from './door.ts'

const Filter = Type.Object({ account_subtypes: Type.Array(Type.String(), { minItems: 1 }) })

/** The supported fields. The provider has some forty more, so only this call accepts unknown fields. */
const LINK_TOKEN_FIELDS = {
  client_name: Type.String({ minLength: 1 }),
  language: Type.String({ minLength: 2 }),
  country_codes: Type.Array(Type.String(), { minItems: 1 }),
  user: Type.Object({ client_user_id: Type.String({ minLength: 1 }) }),
  products: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
  transactions: Type.Optional(
    Type.Object({ days_requested: Type.Optional(Type.Integer({ minimum: 1, maximum: 730 })) }),
  ),
  webhook: Type.Optional(Type.String()),
  redirect_uri: Type.Optional(Type.String()),
  android_package_name: Type.Optional(Type.String()),
  account_filters: Type.Optional(Type.Record(Type.String(), Filter)),
  access_token: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  update: Type.Optional(Type.Object({ account_selection_enabled: Type.Optional(Type.Boolean()) })),
  hosted_link: Type.Optional(
    Type.Object({
      completion_redirect_uri: Type.Optional(Type.String()),
      url_lifetime_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 21 * 86_400 })),
    }),
  ),
}

export function linkRoutes(app: App, world: World): void {
  app.post(
    '/link/token/create',
    { schema: { body: Type.Object({ ...call(LINK_TOKEN_FIELDS).properties }) } },
    async (request) => {
      const linkToken = createLinkToken(world, readLinkTokenInput(world, request.body, readClient(request)))
      const { token, expiresAt, hosted } = linkToken
      return {
        link_token: token,
        expiration: expiresAt,
        ...(hosted === undefined ? {} : { hosted_link_url: `${world.addressFor(request.host)}/link?token=${token}` }),
      }
    },
  )

  app.post('/link/token/get', { schema: { body: call({ link_token: Type.String() }) } }, async (request) => {
    const linkToken = findLinkToken(world, request.body.link_token)
    return {
      link_token: linkToken.token,
      created_at: linkToken.createdAt,
      expiration: linkToken.expiresAt,
      link_sessions: (linkToken.sessions ?? []).map(presentSession),
      metadata: {
        client_name: linkToken.clientName,
        language: linkToken.language,
        country_codes: linkToken.countryCodes,
        initial_products: linkToken.products,
        account_filters: linkToken.accountFilters ?? {},
        webhook: linkToken.webhook,
        redirect_uri: linkToken.redirectUri,
      },
    }
  })

  const exchange = call({ public_token: Type.String() })
  app.post('/item/public_token/exchange', { schema: { body: exchange } }, async (request) => {
    const item = exchangePublicToken(world, request.body.public_token)
    return { access_token: item.accessToken, item_id: item.itemId }
  })
}

function presentSession({ sessionId, startedAt, finishedAt, events, result, exit }: FinishedSession) {
  const { public_token, ...shared } = result ?? { public_token: '' }
  return {
    link_session_id: sessionId,
    started_at: startedAt,
    finished_at: finishedAt,
    events,
    exit,
    on_exit: exit,
    on_success: result === null ? null : { public_token, metadata: { ...shared, link_session_id: sessionId } },
    results: result === null ? null : { ...NO_RESULTS, item_add_results: [result] },
  }
}

const NO_RESULTS = {
  cra_item_add_results: [],
  cra_update_results: [],
  bank_income_results: [],
  payroll_income_results: [],
  document_income_results: null,
}

/**
 * Reads the settings of a new link token. In update mode, the token is for an existing item, accepts no products, and
 * keeps the item's webhook.
 */
function readLinkTokenInput(world: World, body: Call<typeof LINK_TOKEN_FIELDS>, clientId: string): LinkTokenInput {
  const accessToken = body.access_token ?? null
  const products = body.products ?? []
  const item = accessToken === null ? null : getItemByToken(world, accessToken)
  if (item !== null) refuseWhenRevoked(item)
  if (item === null && products.length === 0) {
    throw new ProviderError('MISSING_FIELDS', 'the following required fields are missing: products')
  }
  if (item !== null && products.length > 0) throw invalid('products must be left out in update mode')
  if (body.redirect_uri !== undefined) checkRedirectUri(body.redirect_uri)
  if (body.webhook !== undefined) checkWebhook(body.webhook)
  return {
    clientId,
    clientName: body.client_name,
    clientUserId: body.user.client_user_id,
    language: body.language,
    countryCodes: body.country_codes,
    products,
    accountFilters: body.account_filters ?? null,
    webhook: body.webhook ?? null,
    redirectUri: body.redirect_uri ?? null,
    itemId: item?.itemId ?? null,
    accountSelection: body.update?.account_selection_enabled ?? false,
    daysRequested: body.transactions?.days_requested,
    hosted: readHosted(body.hosted_link),
    urlLifetimeSeconds: body.hosted_link?.url_lifetime_seconds,
  }
}

function readHosted(hosted: Call<typeof LINK_TOKEN_FIELDS>['hosted_link']): LinkTokenInput['hosted'] {
  if (hosted === undefined) return undefined
  const { completion_redirect_uri = null } = hosted
  const scheme = completion_redirect_uri === null ? null : URL.parse(completion_redirect_uri)?.protocol
  // An app may use a custom scheme, but a URL with one of these schemes would run in the page instead of leaving it.
  if (scheme === undefined || ['javascript:', 'data:', 'blob:', 'vbscript:'].includes(scheme ?? ''))
    throw invalid('hosted_link.completion_redirect_uri must be a URL')
  return { completionRedirectUri: completion_redirect_uri }
}

/** Requires an exact https address (or http on this machine) without a query, fragment or wildcard. */
function checkRedirectUri(value: string): void {
  const uri = URL.parse(value)
  const local = uri?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(uri.hostname)
  if (uri === null || !(uri.protocol === 'https:' || local)) throw invalid('redirect_uri must be an https URL')
  if (/[?#*]/.test(value)) throw invalid('redirect_uri must have no query, no fragment and no wildcard')
}

export function checkWebhook(value: string): void {
  if (!/^https?:$/.test(URL.parse(value)?.protocol ?? '')) throw invalid('webhook must be an http or https URL')
}

function invalid(message: string): ProviderError {
  return new ProviderError('INVALID_FIELD', message)
}
