import { systemClock } from '../../platform/clock.ts'
import { isFault, type LinkTokenWish, type Provider, ProviderFault } from '../provider.ts'
import { asAccount, asFeedPage, asInstitution, asItem, asWebhookKey, text } from './answers.ts'
import { canReach } from './api.ts'
import { type Call, type CallsOptions, openCalls } from './calls.ts'
import { faultOf } from './faults.ts'

export type PlaidOptions = CallsOptions & {
  /** Shown to the user while linking; the provider shows at most 30 characters. */
  readonly clientName: string
  /** Whether the address is the simulator's, which also serves a link page and has a clock that can be moved. */
  readonly hasLinkPage: boolean
}

// A clock that cannot be moved now is moved later; no caller should wait for it.
const CLOCK_DEADLINE_MS = 2_000
// The longest the provider can look back, so that "new customer" means something; it cannot be changed after linking.
const HISTORY_DAYS = 730
const PAGE_SIZE = 500

/** The provider behind its official SDK. The address decides whether it is the real one or the simulator. */
export function openPlaid(options: PlaidOptions): Provider {
  const calls = openCalls(options)
  const common = {
    linkPage: linkPageOf(options),
    ...(options.hasLinkPage ? { followClock: followClockOf(options) } : {}),
    under: (account: Parameters<Provider['under']>[0]) => openPlaid({ ...options, ...account }),
    canReach: (address: string) => canReach(options.address, address),
  }
  const patient: Provider = {
    ...common,
    ...callsOn(calls.patient, options),
    get patient() {
      return patient
    },
  }
  return { ...common, ...callsOn(calls.prompt, options), patient }
}

function callsOn(call: Call, options: PlaidOptions) {
  return { ...linkingCalls(options, call), ...itemCalls(call), ...institutionCalls(call), ...feedCalls(call) }
}

function linkPageOf(options: PlaidOptions): Provider['linkPage'] {
  return (linkToken) => (options.hasLinkPage ? `${options.address}/link?token=${encodeURIComponent(linkToken)}` : null)
}

/** A call of the simulator's own, which the provider's SDK does not know. */
function followClockOf({ address }: PlaidOptions): NonNullable<Provider['followClock']> {
  const operation = '_sim/item-clock'
  return async (access_token, offset_seconds) => {
    const answer = await fetch(`${address}/${operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ access_token, offset_seconds }),
      redirect: 'error',
      signal: AbortSignal.timeout(CLOCK_DEADLINE_MS),
    }).catch((error: unknown) => {
      throw faultOf(error, operation, systemClock.now())
    })
    await answer.body?.cancel()
    if (!answer.ok)
      throw new ProviderFault(
        answer.status >= 500 ? 'unavailable' : 'refused',
        `HTTP_${answer.status}`,
        operation,
        null,
      )
  }
}

function linkingCalls(options: PlaidOptions, call: Call): Pick<Provider, 'createLinkToken' | 'exchangePublicToken'> {
  return {
    createLinkToken: async (wish) => {
      const request = await linkTokenRequest(options.clientName, wish)
      return call(
        { operation: 'link/token/create' },
        (api, how) => api.linkTokenCreate(request, how),
        (answer) => ({ linkToken: text(answer.link_token), expiration: text(answer.expiration) }),
      )
    },
    exchangePublicToken: (public_token) =>
      call(
        { operation: 'item/public_token/exchange', isOnce: true },
        (api, how) => api.itemPublicTokenExchange({ public_token }, how),
        (answer) => ({ accessToken: text(answer.access_token), itemId: text(answer.item_id) }),
      ),
  }
}

function itemCalls(
  call: Call,
): Pick<Provider, 'getItem' | 'listAccounts' | 'setWebhook' | 'removeItem' | 'replaceToken'> {
  const done = (): void => undefined
  return {
    getItem: (access_token) =>
      call({ operation: 'item/get' }, (api, how) => api.itemGet({ access_token }, how), asItem),
    listAccounts: (access_token) =>
      call(
        { operation: 'accounts/get' },
        (api, how) => api.accountsGet({ access_token }, how),
        (answer) => answer.accounts.map(asAccount),
      ),
    setWebhook: (access_token, webhook) =>
      call(
        { operation: 'item/webhook/update' },
        (api, how) => api.itemWebhookUpdate({ access_token, webhook }, how),
        done,
      ),
    replaceToken: (access_token) =>
      call(
        { operation: 'item/access_token/invalidate', isOnce: true },
        (api, how) => api.itemAccessTokenInvalidate({ access_token }, how),
        (answer) => text(answer.new_access_token),
      ),
    removeItem: async (access_token) => {
      try {
        const ask = { operation: 'item/remove' }
        await call(ask, (api, how) => api.itemRemove({ access_token }, how), done)
      } catch (error) {
        // Gone is gone, even if an earlier try removed it and its answer was lost.
        if (!isFault(error, 'ITEM_NOT_FOUND', 'ITEM_CONCURRENTLY_DELETED')) throw error
      }
    },
  }
}

function institutionCalls(call: Call): Pick<Provider, 'getInstitution'> {
  return {
    getInstitution: async (institution_id) => {
      const { CountryCode } = await import('plaid')
      const options = { include_optional_metadata: true }
      const request = { institution_id, country_codes: [CountryCode.Us], options }
      return call(
        { operation: 'institutions/get_by_id' },
        (api, how) => api.institutionsGetById(request, how),
        (answer) => asInstitution(answer.institution),
      )
    },
  }
}

function feedCalls(call: Call): Pick<Provider, 'readFeed' | 'getWebhookKey'> {
  return {
    readFeed: (access_token, cursor) => {
      const request = {
        access_token,
        ...(cursor === null ? {} : { cursor }),
        count: PAGE_SIZE,
        options: { include_original_description: true },
      }
      const ask = { operation: 'transactions/sync' }
      return call(ask, (api, how) => api.transactionsSync(request, how), asFeedPage)
    },
    getWebhookKey: async (key_id) => {
      const ask = { operation: 'webhook_verification_key/get' }
      try {
        return await call(
          ask,
          (api, how) => api.webhookVerificationKeyGet({ key_id }, how),
          (answer) => asWebhookKey(answer.key),
        )
      } catch (error) {
        if (isFault(error, ...UNKNOWN_KEY)) return null
        throw error
      }
    },
  }
}

// Other refusals, such as of our own credentials, say nothing about the key.
const UNKNOWN_KEY = ['INVALID_WEBHOOK_VERIFICATION_KEY_ID', 'INVALID_FIELD']

async function linkTokenRequest(clientName: string, wish: LinkTokenWish) {
  const { CountryCode, CreditAccountSubtype, DepositoryAccountSubtype, Products } = await import('plaid')
  const common = {
    client_name: clientName,
    language: 'en',
    country_codes: [CountryCode.Us],
    user: { client_user_id: wish.clientUserId },
    ...(wish.redirectUri === null ? {} : { redirect_uri: wish.redirectUri }),
    ...(wish.androidPackageName === null ? {} : { android_package_name: wish.androidPackageName }),
  }
  if (wish.accessToken !== null)
    return { ...common, access_token: wish.accessToken, update: { account_selection_enabled: true } }
  return {
    ...common,
    products: [Products.Transactions],
    transactions: { days_requested: HISTORY_DAYS },
    ...(wish.webhook === null ? {} : { webhook: wish.webhook }),
    account_filters: {
      credit: { account_subtypes: [CreditAccountSubtype.CreditCard] },
      depository: { account_subtypes: [DepositoryAccountSubtype.Checking, DepositoryAccountSubtype.Savings] },
    },
  }
}
