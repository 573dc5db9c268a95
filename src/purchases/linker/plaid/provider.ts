import type { CountryCode, LinkTokenAccountFilters, LinkTokenCreateRequest, Products } from 'plaid'
import { systemClock } from '../../../platform/clock.ts'
import { refuseForeignTokens } from '../environments.ts'
import { isFault, type LinkTokenRequest, type Provider, ProviderFault } from '../provider.ts'
import { asAccounts, asFeedPage, asHostedResults, asInstitution, asItem, asWebhookKey, requireText } from './answers.ts'
import { canReach } from './api.ts'
import { type CallsOptions, openCalls, type ProviderCall } from './calls.ts'
import { toFault } from './faults.ts'

export type PlaidOptions = CallsOptions & {
  /** True if the address is the simulator's, which also has a clock that can be moved. */
  readonly isSimulator: boolean
}

// If the clock cannot be moved now, it is moved later, so callers need not wait long.
const CLOCK_DEADLINE_MS = 2_000
// The longest history the provider offers, to recognize new customers. It cannot be changed after linking.
const HISTORY_DAYS = 730
const PAGE_SIZE = 500

// The provider has one script for all its environments. The simulator serves its own.
const SCRIPTS = 'https://cdn.plaid.com'
const LINK_SCRIPT = '/link/v2/stable/link-initialize.js'

/**
 * Opens the provider through its official SDK. The address determines whether it is the real provider or the simulator.
 */
export function openPlaid(options: PlaidOptions): Provider {
  const calls = openCalls(options)
  const { address, isSimulator } = options
  const common = {
    ...(isSimulator ? { followClock: createFollowClock(options) } : {}),
    under: (account: Parameters<Provider['under']>[0]) => openPlaid({ ...options, ...account }),
    linkScript: new URL(LINK_SCRIPT, isSimulator ? address : SCRIPTS).href,
    canReach: (target: string) => canReach(address, target),
  }
  const patient: Provider = {
    ...common,
    ...linkingCalls(calls.patient),
    ...itemCalls(calls.patient),
    get patient() {
      return patient
    },
  }
  return { ...common, ...linkingCalls(calls.prompt), ...itemCalls(calls.prompt), patient }
}

/** Creates the call to a simulator endpoint that is not in the provider's SDK. */
function createFollowClock({ environment, address }: PlaidOptions): NonNullable<Provider['followClock']> {
  const operation = '_sim/item-clock'
  return async (access_token, offset_seconds) => {
    const body = JSON.stringify({ access_token, offset_seconds })
    refuseForeignTokens(environment, operation, body)
    const answer = await fetch(`${address}/${operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(CLOCK_DEADLINE_MS),
    }).catch((error: unknown) => {
      throw toFault(error, operation, systemClock.now())
    })
    await answer.body?.cancel()
    const kind = answer.status >= 500 ? 'unavailable' : 'refused'
    if (!answer.ok) throw new ProviderFault(kind, `HTTP_${answer.status}`, operation, null)
  }
}

/** Calls that need no access token. */
function linkingCalls(call: ProviderCall) {
  return {
    createLinkToken: (wanted: LinkTokenRequest) => {
      const request = linkTokenRequest(wanted)
      return call(
        'link/token/create',
        (api, how) => api.linkTokenCreate(request, how),
        (answer) => ({
          linkToken: requireText(answer.link_token),
          expiration: requireText(answer.expiration),
          // Also absent if the provider has not enabled Hosted Link for the account.
          linkUrl: answer.hosted_link_url ?? null,
        }),
      )
    },
    listHostedResults: (link_token: string) =>
      call('link/token/get', (api, how) => api.linkTokenGet({ link_token }, how), asHostedResults),
    exchangePublicToken: (public_token: string) =>
      call(
        'item/public_token/exchange',
        (api, how) => api.itemPublicTokenExchange({ public_token }, how),
        (answer) => ({ accessToken: requireText(answer.access_token), itemId: requireText(answer.item_id) }),
      ),
    getInstitution: (institution_id: string, countries: readonly string[]) => {
      const options = { include_optional_metadata: true }
      const request = { institution_id, country_codes: [...countries] as CountryCode[], options }
      return call(
        'institutions/get_by_id',
        (api, how) => api.institutionsGetById(request, how),
        (answer) => asInstitution(answer.institution),
      )
    },
    getWebhookKey: (key_id: string) =>
      call(
        'webhook_verification_key/get',
        (api, how) => api.webhookVerificationKeyGet({ key_id }, how),
        (answer) => asWebhookKey(answer.key),
      ).catch((error: unknown) => {
        // Other refusals, such as a rejection of our credentials, do not mean that the key is unknown.
        if (isFault(error, 'INVALID_WEBHOOK_VERIFICATION_KEY_ID', 'INVALID_FIELD')) return null
        throw error
      }),
  }
}

function itemCalls(call: ProviderCall) {
  const done = (): void => undefined
  return {
    getItem: (access_token: string) => call('item/get', (api, how) => api.itemGet({ access_token }, how), asItem),
    listAccounts: (access_token: string) =>
      call(
        'accounts/get',
        (api, how) => api.accountsGet({ access_token }, how),
        (answer) => asAccounts(answer.accounts),
      ),
    setWebhook: (access_token: string, webhook: string | null) =>
      call('item/webhook/update', (api, how) => api.itemWebhookUpdate({ access_token, webhook }, how), done),
    replaceToken: (access_token: string) =>
      call(
        'item/access_token/invalidate',
        (api, how) => api.itemAccessTokenInvalidate({ access_token }, how),
        (answer) => requireText(answer.new_access_token),
      ),
    removeItem: (access_token: string) =>
      call('item/remove', (api, how) => api.itemRemove({ access_token }, how), done).catch((error: unknown) => {
        // An earlier attempt may have removed the item even though its response was lost.
        if (!isFault(error, 'ITEM_NOT_FOUND', 'ITEM_CONCURRENTLY_DELETED')) throw error
      }),
    breakLogin: (access_token: string) =>
      call('sandbox/item/reset_login', (api, how) => api.sandboxItemResetLogin({ access_token }, how), done),
    readFeed: (access_token: string, cursor: string | null) => {
      const from = cursor === null ? {} : { cursor }
      const request = { access_token, ...from, count: PAGE_SIZE, options: { include_original_description: true } }
      return call('transactions/sync', (api, how) => api.transactionsSync(request, how), asFeedPage)
    },
  }
}

function linkTokenRequest(wanted: LinkTokenRequest): LinkTokenCreateRequest {
  const { name, language, countries, products, accountFilters } = wanted.client
  const common = {
    client_name: name,
    language,
    country_codes: [...countries] as CountryCode[],
    user: { client_user_id: wanted.clientUserId },
    ...buildReturn(wanted),
    ...(wanted.androidPackageName === null ? {} : { android_package_name: wanted.androidPackageName }),
  }
  // In update mode, a webhook address applies only to sessions on the provider's own page.
  const webhook = wanted.webhook === null ? {} : { webhook: wanted.webhook }
  if (wanted.accessToken !== null) {
    const update = { access_token: wanted.accessToken, update: { account_selection_enabled: true } }
    return { ...common, ...update, ...(wanted.hosted === null ? {} : webhook) }
  }
  return {
    ...common,
    products: [...products] as Products[],
    transactions: { days_requested: HISTORY_DAYS },
    ...webhook,
    account_filters: accountFilters as LinkTokenAccountFilters,
  }
}

/**
 * Builds the fields for returning to the app. Hosted Link handles the bank's OAuth redirect itself and redirects to the
 * app's address at the end.
 */
function buildReturn({ hosted, redirectUri }: LinkTokenRequest) {
  if (hosted === null) return redirectUri === null ? {} : { redirect_uri: redirectUri }
  const { lifetimeSeconds } = hosted
  return {
    hosted_link: {
      ...(redirectUri === null ? {} : { completion_redirect_uri: redirectUri }),
      ...(lifetimeSeconds === null ? {} : { url_lifetime_seconds: lifetimeSeconds }),
    },
  }
}
