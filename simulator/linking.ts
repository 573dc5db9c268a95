import { filterAccounts, openAccounts } from './accounts.ts'
import { type CustomUser, openCustomAccounts } from './custom-user.ts'
import { ProviderError } from './errors.ts'
import { put } from './feed.ts'
import { enterItem } from './find.ts'
import { newId, newToken } from './ids.ts'
import { getInstitution, type Institution } from './institutions.ts'
import { getItem } from './items.ts'
import { breakLogin } from './logins.ts'
import { restoreHistory } from './memory.ts'
import { createHistory, DEFAULT_DAYS, subtractDays } from './past.ts'
import { type Account, type AccountFilters, type Item, type LinkToken, lookUp, type PublicToken } from './state.ts'
import { toDay, type World } from './world.ts'

/**
 * The steps of linking: a client creates a link token, the user signs in with it on the link page (or a test does so in
 * one call), and the client exchanges the resulting public token. Only then does the item exist.
 */

const LINK_TOKEN_LIFE_MS = 4 * 3_600_000
/** For update mode and Hosted Link. */
const SHORT_TOKEN_LIFE_MS = 30 * 60_000
/** The retention period for the results of a link token's sessions. */
const SESSIONS_KEPT_MS = 6 * 3_600_000
const PUBLIC_TOKEN_LIFE_MS = 30 * 60_000

export type LinkTokenInput = Omit<LinkToken, 'token' | 'createdAt' | 'expiresAt' | 'sessions'> & {
  /** The lifetime of the Hosted Link address, if not the default. */
  readonly urlLifetimeSeconds?: number | undefined
}

export function createLinkToken(world: World, { urlLifetimeSeconds, ...input }: LinkTokenInput): LinkToken {
  const { state } = world
  const now = world.now()
  forgetExpired(world)
  const usualMs = input.itemId === null && input.hosted === undefined ? LINK_TOKEN_LIFE_MS : SHORT_TOKEN_LIFE_MS
  const lifeMs = urlLifetimeSeconds === undefined ? usualMs : urlLifetimeSeconds * 1_000
  const linkToken: LinkToken = {
    ...input,
    token: newToken(state, 'link'),
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + lifeMs).toISOString(),
  }
  state.linkTokens[linkToken.token] = linkToken
  world.changed()
  return linkToken
}

/**
 * Returns the link token.
 * @throws ProviderError INVALID_LINK_TOKEN if it is unknown or has expired
 */
export function getLinkToken(world: World, token: string): LinkToken {
  const linkToken = findLinkToken(world, token)
  if (hasExpired(world, linkToken)) throw unknownLinkToken()
  return linkToken
}

/** Returns the link token, even an expired one if its sessions can still be retrieved. */
export function findLinkToken(world: World, token: string): LinkToken {
  forgetExpired(world)
  const linkToken = lookUp(world.state.linkTokens, token)
  if (linkToken === undefined) throw unknownLinkToken()
  return linkToken
}

function unknownLinkToken(): ProviderError {
  return new ProviderError('INVALID_LINK_TOKEN', 'the link token is unknown or has expired')
}

export type Login = {
  readonly clientId: string | null
  readonly clientUserId: string
  readonly institutionId: string
  readonly username: string
  readonly products: readonly string[]
  readonly webhook: string | null
  readonly accountFilters: AccountFilters | null
  readonly daysRequested?: number | undefined
  /** The accounts described in user_custom's password. */
  readonly custom?: CustomUser
}

/** Creates an item for a successful sign-in, with the accounts that match the client's filters. */
export function draftItem(world: World, login: Login): Item {
  const institution = getInstitution(login.institutionId)
  const now = world.now()
  const createdAt = now.toISOString()
  const { accounts: all, rows } = openBank(institution, login, toDay(now))
  const accounts = filterAccounts(all, login.accountFilters)
  const daysRequested = login.daysRequested ?? DEFAULT_DAYS
  const item: Item = {
    itemId: newId(),
    accessToken: newToken(world.state, 'access'),
    clientId: login.clientId,
    clientUserId: login.clientUserId,
    institutionId: login.institutionId,
    username: login.username,
    products: login.products,
    createdAt,
    daysRequested,
    webhook: login.webhook,
    error: null,
    accounts,
    transactions: {},
    log: [],
    syncCalled: false,
    lastSuccessfulUpdate: createdAt,
    lastFailedUpdate: null,
    lastWebhook: null,
  }
  for (const stored of rows) {
    if (stored.row.date >= subtractDays(now, daysRequested)) put(item, stored)
  }
  const past = createHistory(item, now, daysRequested)
  if (past !== null) item.history = past
  return item
}

function openBank(institution: Institution, { username, custom }: Login, today: string) {
  if (custom !== undefined) return openCustomAccounts(institution, custom, today)
  return { accounts: openAccounts(institution, username), rows: [] }
}

export function issuePublicToken(world: World, link: PublicToken['link']): PublicToken {
  forgetExpired(world)
  const expiresAt = new Date(world.now().getTime() + PUBLIC_TOKEN_LIFE_MS).toISOString()
  const publicToken: PublicToken = { token: newToken(world.state, 'public'), expiresAt, link }
  world.state.publicTokens[publicToken.token] = publicToken
  if (link.kind === 'new') endOlderLogins(world, link.item)
  world.changed()
  return publicToken
}

/** Ends older logins at sign-in, whether or not the client then exchanges the token. */
function endOlderLogins(world: World, newer: Item): void {
  const { clientId, institutionId, username } = newer
  const { endsOlder } = getInstitution(institutionId)
  if (endsOlder === null) return
  for (const item of Object.values(world.state.items)) {
    if (item === newer || item.institutionId !== institutionId || item.username !== username) continue
    const isEnded = {
      'of the same client': item.clientId === clientId,
      'of any client': true,
      'with other accounts': joinNames(item) !== joinNames(newer),
    }[endsOlder]
    if (isEnded) breakLogin(world, item)
  }
}

/** Builds a key for the shared accounts from the properties that are the same in every link. */
function joinNames(item: Item): string {
  const shared = listSharedAccounts(item).map(({ subtype, name, mask }) => `${subtype} ${name} ${mask}`)
  return shared.toSorted().join(', ')
}

/**
 * Exchanges a public token, which can be exchanged only once. Update mode leaves the item and its access token
 * unchanged.
 */
export function exchangePublicToken(world: World, token: string): Item {
  const { state } = world
  const publicToken = lookUp(state.publicTokens, token)
  if (publicToken === undefined || hasExpired(world, publicToken)) {
    throw new ProviderError(
      'INVALID_PUBLIC_TOKEN',
      'the public token is unknown, has expired or has already been exchanged',
    )
  }
  const { link } = publicToken
  const item = link.kind === 'new' ? link.item : getItem(world, link.itemId)
  delete state.publicTokens[token]
  state.items[item.itemId] = item
  if (link.kind === 'new') restoreHistory(world, item)
  enterItem(state, item)
  world.changed()
  return item
}

export function listSharedAccounts(item: Item): Account[] {
  return item.accounts.filter((account) => account.shared)
}

function hasExpired(world: World, token: { readonly expiresAt: string }): boolean {
  return Date.parse(token.expiresAt) <= world.now().getTime()
}

/** Deletes expired tokens so that the snapshot does not grow forever. */
function forgetExpired(world: World): void {
  const { linkTokens, publicTokens } = world.state
  for (const [token, { expiresAt }] of Object.entries(publicTokens)) {
    if (hasExpired(world, { expiresAt })) delete publicTokens[token]
  }
  for (const [token, { expiresAt, sessions = [] }] of Object.entries(linkTokens)) {
    const ends = sessions.map(({ finishedAt }) => Date.parse(finishedAt) + SESSIONS_KEPT_MS)
    if (Math.max(Date.parse(expiresAt), ...ends) <= world.now().getTime()) delete linkTokens[token]
  }
}
