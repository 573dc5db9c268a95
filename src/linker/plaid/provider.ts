import type { AxiosResponse } from 'axios'
import type { PlaidApi } from 'plaid'
import { type FaultKind, type LinkTokenWish, type Provider, ProviderFault } from '../provider.ts'
import { asAccount, asFeedPage, asInstitution, asItem, asWebhookKey } from './shapes.ts'

export type PlaidOptions = {
  /** The provider's address, or the simulator's: one adapter, two addresses. Without a slash at the end. */
  readonly address: string
  readonly clientId: string
  readonly secret: string
  /** Shown to the user while linking; the provider shows at most 30 characters. */
  readonly clientName: string
  /** Whether the address also serves a page to link at, as the simulator does. */
  readonly hasLinkPage: boolean
  /** The longest a call may take, whatever hangs. */
  readonly deadlineMs?: number
}

const SOCKET_TIMEOUT_MS = 10_000
// A body that stalls does not count as a timeout of the socket; this deadline covers the whole call.
const CALL_DEADLINE_MS = 15_000
// A clock that cannot be told now is told another time; nobody should wait for it.
const CLOCK_DEADLINE_MS = 2_000
const ANSWER_BYTES_MAX = 32 * 1024 * 1024
const READ_TRIES = 3
const RETRY_AFTER_MS = 150
// The longest the provider can look back, so that "new customer" means something; it cannot be changed after linking.
const HISTORY_DAYS = 730
const PAGE_SIZE = 500

type Call = <T>(
  operation: string,
  call: (api: PlaidApi, options: { signal: AbortSignal }) => Promise<AxiosResponse<T>>,
) => Promise<T>

/** The provider behind its official SDK, which is loaded at the first call: it takes 40 MB and a quarter of a second. */
export function openPlaid(options: PlaidOptions): Provider {
  let opened: Promise<PlaidApi> | null = null
  const once: Call = async (operation, call) => {
    opened ??= openApi(options)
    const answer = await call(await opened, {
      signal: AbortSignal.timeout(options.deadlineMs ?? CALL_DEADLINE_MS),
    }).catch((error) => {
      throw faultOf(error, operation)
    })
    if (typeof answer.data !== 'object' || answer.data === null)
      throw new ProviderFault('garbled', 'NOT_JSON', operation, null)
    return answer.data
  }
  const read: Call = (operation, call) => withRetries(() => once(operation, call))
  return {
    linkPage: linkPageOf(options),
    ...linkingCalls(options, once),
    ...itemCalls(once, read),
    ...feedCalls(read),
    ...(options.hasLinkPage ? { followClock: followClockOf(options) } : {}),
    under: (account) => openPlaid({ ...options, ...account }),
  }
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
      throw faultOf(error, operation)
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

function linkingCalls(options: PlaidOptions, once: Call): Pick<Provider, 'createLinkToken' | 'exchangePublicToken'> {
  return {
    createLinkToken: async (wish) => {
      const request = await linkTokenRequest(options.clientName, wish)
      const answer = await once('link/token/create', (api, call) => api.linkTokenCreate(request, call))
      return { linkToken: answer.link_token, expiration: answer.expiration }
    },
    exchangePublicToken: async (publicToken) => {
      const answer = await once('item/public_token/exchange', (api, call) =>
        api.itemPublicTokenExchange({ public_token: publicToken }, call),
      )
      return { accessToken: answer.access_token, itemId: answer.item_id }
    },
  }
}

function itemCalls(
  once: Call,
  read: Call,
): Pick<Provider, 'getItem' | 'listAccounts' | 'setWebhook' | 'removeItem' | 'getInstitution'> {
  return {
    getItem: async (access_token) => asItem(await read('item/get', (api, call) => api.itemGet({ access_token }, call))),
    listAccounts: async (access_token) =>
      (await read('accounts/get', (api, call) => api.accountsGet({ access_token }, call))).accounts.map(asAccount),
    setWebhook: async (access_token, webhook) => {
      await read('item/webhook/update', (api, call) => api.itemWebhookUpdate({ access_token, webhook }, call))
    },
    removeItem: async (access_token) => {
      await once('item/remove', (api, call) => api.itemRemove({ access_token }, call))
    },
    getInstitution: async (institution_id) => {
      const { CountryCode } = await import('plaid')
      const answer = await read('institutions/get_by_id', (api, call) =>
        api.institutionsGetById(
          { institution_id, country_codes: [CountryCode.Us], options: { include_optional_metadata: true } },
          call,
        ),
      )
      return asInstitution(answer.institution)
    },
  }
}

function feedCalls(read: Call): Pick<Provider, 'readFeed' | 'getWebhookKey'> {
  return {
    readFeed: async (access_token, cursor) => {
      const request = {
        access_token,
        ...(cursor === null ? {} : { cursor }),
        count: PAGE_SIZE,
        options: { include_original_description: true },
      }
      return asFeedPage(await read('transactions/sync', (api, call) => api.transactionsSync(request, call)))
    },
    getWebhookKey: async (key_id) => {
      try {
        const answer = await read('webhook_verification_key/get', (api, call) =>
          api.webhookVerificationKeyGet({ key_id }, call),
        )
        return asWebhookKey(answer.key)
      } catch (error) {
        if (error instanceof ProviderFault && error.kind === 'refused') return null
        throw error
      }
    },
  }
}

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
    webhook: wish.webhook,
    account_filters: {
      credit: { account_subtypes: [CreditAccountSubtype.CreditCard] },
      depository: { account_subtypes: [DepositoryAccountSubtype.Checking, DepositoryAccountSubtype.Savings] },
    },
  }
}

async function openApi({ address, clientId, secret }: PlaidOptions): Promise<PlaidApi> {
  const [{ Configuration, PlaidApi }, { default: axios }] = await Promise.all([import('plaid'), import('axios')])
  const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(address).hostname)
  const instance = axios.create({
    timeout: SOCKET_TIMEOUT_MS,
    maxContentLength: ANSWER_BYTES_MAX,
    maxRedirects: 0,
    // A proxy of the environment would be asked for this machine's own address, too.
    ...(loopback ? { proxy: false as const } : {}),
  })
  // The HTTP client's errors carry the whole request, secrets and tokens included; none of them leaves this instance.
  instance.interceptors.response.use(undefined, (error: unknown) => {
    throw faultOf(error, pathOf(error))
  })
  const headers = { 'PLAID-CLIENT-ID': clientId, 'PLAID-SECRET': secret }
  // The SDK is typed against the CommonJS declarations of the same axios.
  const client = instance as unknown as ConstructorParameters<typeof PlaidApi>[2]
  return new PlaidApi(new Configuration({ basePath: address, baseOptions: { headers } }), undefined, client)
}

function pathOf(error: unknown): string {
  const address = (error as { config?: { url?: unknown } }).config?.url
  return typeof address === 'string' && URL.canParse(address) ? new URL(address).pathname.slice(1) : 'call'
}

const TIMEOUTS = new Set(['ECONNABORTED', 'ETIMEDOUT', 'ERR_CANCELED'])
// Codes that say "later", whatever status they come with.
const PASSING = new Set(['RATE_LIMIT_EXCEEDED', 'API_ERROR', 'INSTITUTION_ERROR'])

function faultOf(error: unknown, operation: string): ProviderFault {
  if (error instanceof ProviderFault) return error
  const { code, response } = error as { code?: unknown; response?: { status: number; data: unknown } }
  const fault = (kind: FaultKind, text: unknown, requestId: unknown = null): ProviderFault =>
    new ProviderFault(kind, wordOf(text), operation, requestId === null ? null : wordOf(requestId))
  if (response === undefined) return fault(TIMEOUTS.has(String(code)) ? 'timeout' : 'unavailable', code)
  const told = (typeof response.data === 'object' ? response.data : null) as Readonly<Record<string, unknown>> | null
  if (told === null || typeof told['error_code'] !== 'string')
    return fault(
      response.status >= 500 || response.status === 429 ? 'unavailable' : 'garbled',
      `HTTP_${response.status}`,
    )
  const passing = response.status >= 500 || response.status === 429 || PASSING.has(String(told['error_type']))
  return fault(passing ? 'unavailable' : 'refused', told['error_code'], told['request_id'])
}

/** Codes and ids are single words; anything else could carry what was sent back to us. */
function wordOf(value: unknown): string {
  return typeof value === 'string' && /^[\w-]{1,80}$/.test(value) ? value : 'UNKNOWN'
}

/** Reads may be asked again: twice, and soon, for a moment's fault must not cost the user the link. */
async function withRetries<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      const passing = error instanceof ProviderFault && (error.kind === 'unavailable' || error.kind === 'garbled')
      if (!passing || tries >= READ_TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS * tries * (0.5 + Math.random())))
    }
  }
}
