import { randomUUID } from 'node:crypto'
import { filterAccounts } from '../accounts.ts'
import { shareAccounts } from '../bank-accounts.ts'
import { ControlError, ProviderError } from '../errors.ts'
import { getInstitution, type Institution } from '../institutions.ts'
import { draftItem, getLinkToken, issuePublicToken, listSharedAccounts } from '../linking.ts'
import { refuseWhenRevoked, repairLogin } from '../logins.ts'
import { type Item, lookUp } from '../state.ts'
import { type SignInOutcome, signInOutcome } from '../users.ts'
import type { World } from '../world.ts'
import { isHosted, recordEvent, recordResult } from './link-record.ts'
import type { Credentials, LinkSession, Sessions } from './session.ts'

/** Far more sessions than one developer would open. The oldest session is dropped first. */
const MOST_SESSIONS = 1000

/**
 * Starts a session. Unlike in production, a link token can be used several times. With Hosted Link, however, it
 * connects only one login.
 */
export function startSession(world: World, sessions: Sessions, token: string, embedder: string | null): LinkSession {
  const linkToken = getLinkToken(world, token)
  if (isHosted({ linkToken, embedder }) && linkToken.sessions?.some(({ result }) => result !== null)) {
    throw new ProviderError('INVALID_LINK_TOKEN', 'a login has already been connected with this link token')
  }
  const session: LinkSession = {
    id: randomUUID(),
    linkToken,
    startedAt: world.now().toISOString(),
    embedder,
    login: null,
    item: null,
    consent: null,
    result: null,
    exit: null,
    view: null,
    address: '',
    bank: null,
    error: null,
    foundNoBank: false,
    events: [],
    sentCount: 0,
    firstEventIndex: 0,
  }
  sessions.set(session.id, session)
  const [oldest] = sessions.keys()
  if (sessions.size > MOST_SESSIONS && oldest !== undefined) sessions.delete(oldest)
  recordEvent(world, session, 'OPEN')
  return session
}

/**
 * Finds the session to continue when the app reopens the page after the user returns from the bank. The app must send
 * the session's link token and the full address the user returned to.
 */
export function resumeSession(world: World, sessions: Sessions, { token, receivedRedirectUri, embedder }: Return) {
  const linkToken = getLinkToken(world, token)
  const received = URL.parse(receivedRedirectUri)
  const expected = linkToken.redirectUri === null ? null : URL.parse(linkToken.redirectUri)
  if (received === null || received.origin + received.pathname !== `${expected?.origin}${expected?.pathname}`) {
    throw new ControlError(400, 'INVALID_REDIRECT', 'received_redirect_uri is not the redirect_uri of this link token.')
  }
  const stateId = received.searchParams.get('oauth_state_id')
  const session = [...sessions.values()].find(({ consent }) => consent?.oauthStateId === stateId)
  if (session === undefined) {
    throw new ControlError(404, 'STATE_NOT_FOUND', 'This return from the bank matches no session; please start again.')
  }
  if (session.linkToken.token !== linkToken.token) {
    const text = 'A session resumes only with the link token that started it; this is a different one.'
    throw new ControlError(409, 'OTHER_LINK_TOKEN', text)
  }
  // The app shows a new page, which gets only the events that the previous page did not receive.
  session.firstEventIndex = session.sentCount
  session.embedder = embedder
  return session
}

type Return = { readonly token: string; readonly receivedRedirectUri: string; readonly embedder: string | null }

/**
 * Returns the item that update mode should repair; null for a new link. Rejects an item that has been removed or
 * revoked in the meantime.
 */
export function findItemToRepair(world: World, { linkToken }: LinkSession): Item | null {
  if (linkToken.itemId === null) return null
  const item = lookUp(world.state.items, linkToken.itemId)
  if (item === undefined)
    throw new ControlError(409, 'ITEM_NOT_FOUND', 'This bank connection has been removed in the meantime.')
  refuseWhenRevoked(item)
  return item
}

/** Returns the session's bank: fixed in update mode, otherwise chosen by the user. */
export function getSessionInstitution(world: World, session: LinkSession, chosen: string): Institution {
  return getInstitution(findItemToRepair(world, session)?.institutionId ?? chosen)
}

/** Signs in to the bank. Update mode accepts only the item's username. A successful sign-in sets the session's item. */
export function signIn(
  world: World,
  session: LinkSession,
  credentials: Credentials,
  code: string | null,
): SignInOutcome | 'other_login' {
  const broken = findItemToRepair(world, session)
  const outcome = signInOutcome(credentials.username, credentials.password, code)
  session.login = outcome === 'code_needed' || outcome === 'wrong_code' ? credentials : null
  if (outcome !== 'signed_in') return outcome
  if (broken !== null && broken.username !== credentials.username) return 'other_login'
  session.item = broken ?? draft(world, session, credentials)
  session.consent = null
  const { oauth } = getInstitution(session.item.institutionId)
  if (broken !== null && !oauth) {
    repairLogin(world, broken, 'in update mode')
    if (!session.linkToken.accountSelection) finish(world, session, broken)
  }
  return outcome
}

/** Drafts the item. The page of an OAuth bank shows all accounts, so the client's filters apply only afterward. */
function draft(world: World, { linkToken }: LinkSession, { institutionId, username }: Credentials): Item {
  const { clientId, clientUserId, products, webhook, daysRequested } = linkToken
  const accountFilters = getInstitution(institutionId).oauth ? null : linkToken.accountFilters
  const asked = { clientId, clientUserId, products, webhook, accountFilters, daysRequested }
  return draftItem(world, { ...asked, username, institutionId })
}

/** Shares exactly the given accounts and completes the session. */
export function chooseAccounts(world: World, session: LinkSession, item: Item, accountIds: readonly string[]): void {
  shareAccounts(world, item, accountIds)
  finish(world, session, item)
}

/** Records the user's answer on the bank's page: the allowed accounts, or null for none. The last answer wins. */
export function recordConsent(session: LinkSession, accountIds: readonly string[] | null): void {
  session.consent = { oauthStateId: session.consent?.oauthStateId ?? randomUUID(), accountIds }
}

/**
 * Completes the link after the user returns from the bank, or returns the reason it cannot be completed. The client's
 * filters may exclude every allowed account.
 */
export function finishOAuth(world: World, session: LinkSession): 'done' | 'denied' | 'no_accounts' {
  const { item, consent, linkToken } = session
  if (session.result !== null) return 'done'
  if (item === null || consent === null) {
    throw new ControlError(409, 'NOT_SIGNED_IN', 'Please sign in at the bank first.')
  }
  const { accountIds } = consent
  if (accountIds === null) return 'denied'
  const kept = filterAccounts(item.accounts, linkToken.accountFilters).filter(({ accountId }) =>
    accountIds.includes(accountId),
  )
  if (kept.length === 0) return 'no_accounts'
  if (linkToken.itemId !== null) repairLogin(world, item, 'in update mode')
  chooseAccounts(
    world,
    session,
    item,
    kept.map(({ accountId }) => accountId),
  )
  return 'done'
}

/** True if the user chooses accounts: always for a new link; in update mode, only if the client requested it. */
export function canChooseAccounts({ linkToken }: LinkSession): boolean {
  return linkToken.itemId === null || linkToken.accountSelection
}

function finish(world: World, session: LinkSession, item: Item): void {
  const { itemId } = session.linkToken
  const link = itemId === null ? ({ kind: 'new', item } as const) : ({ kind: 'update', itemId } as const)
  const { id, name } = getInstitution(item.institutionId)
  recordResult(world, session, {
    public_token: issuePublicToken(world, link).token,
    institution: { institution_id: id, name },
    accounts: listSharedAccounts(item).map(({ accountId, name, mask, type, subtype }) => {
      return { id: accountId, name, mask, type, subtype }
    }),
  })
}
