import { randomUUID } from 'node:crypto'
import { ControlError } from '../errors.ts'
import { getInstitution, type Institution } from '../institutions.ts'
import { repairLogin, shareAccounts } from '../items.ts'
import { draftItem, getLinkToken, issuePublicToken, passwordIsRight, sharedAccounts } from '../linking.ts'
import { type Item, type LinkToken, lookUp } from '../state.ts'
import type { World } from '../world.ts'

/**
 * One user's walk through the link page. It goes from choosing a bank (left out in update mode) to signing in, to
 * choosing accounts (in update mode only when the client asked for it), to the end. Kept in memory: who is halfway when
 * the simulator stops starts again.
 */
export type LinkSession = {
  readonly id: string
  readonly linkToken: LinkToken
  readonly returnTo: URL | null
  /** The login that is being linked or repaired, once the password was right. */
  item: Item | null
  result: LinkResult | null
}

export type LinkResult = {
  readonly public_token: string
  readonly institution: { readonly institution_id: string; readonly name: string }
  readonly accounts: readonly {
    readonly id: string
    readonly name: string
    readonly mask: string | null
    readonly type: string
    readonly subtype: string
  }[]
}

export type Sessions = Map<string, LinkSession>

/** Far more than one developer opens; the oldest goes first. */
const MOST_SESSIONS = 1000

export function startSession(world: World, sessions: Sessions, token: string, returnTo: string | undefined) {
  const linkToken = getLinkToken(world, token)
  const session: LinkSession = {
    id: randomUUID(),
    linkToken,
    returnTo: returnTo === undefined ? null : readReturnTo(returnTo),
    item: null,
    result: null,
  }
  sessions.set(session.id, session)
  const [oldest] = sessions.keys()
  if (sessions.size > MOST_SESSIONS && oldest !== undefined) sessions.delete(oldest)
  return session
}

/** The item that update mode is to repair, or null for a new link. */
export function itemToRepair(world: World, { linkToken }: LinkSession): Item | null {
  if (linkToken.itemId === null) return null
  const item = lookUp(world.state.items, linkToken.itemId)
  if (item === undefined) throw new ControlError(409, 'ITEM_NOT_FOUND', 'This bank connection was removed meanwhile.')
  return item
}

/** The bank of this walk: fixed in update mode, else the one that the user chose. */
export function institutionOf(world: World, session: LinkSession, chosen: string): Institution {
  return getInstitution(itemToRepair(world, session)?.institutionId ?? chosen)
}

export type Credentials = { readonly institutionId: string; readonly username: string; readonly password: string }

/** False when the bank refuses; true when the user is in. In update mode only the username of the item will do. */
export function signIn(world: World, session: LinkSession, credentials: Credentials): boolean {
  const { username, password } = credentials
  if (!passwordIsRight(username, password)) return false
  const { linkToken } = session
  const broken = itemToRepair(world, session)
  if (broken !== null) {
    if (username !== broken.username) return false
    repairLogin(world, broken, 'in update mode')
    session.item = broken
    if (!linkToken.accountSelection) finish(world, session, broken)
    return true
  }
  const { clientUserId, products, webhook, accountFilters } = linkToken
  session.item = draftItem(world, {
    ...{ clientUserId, products, webhook, accountFilters, username },
    institutionId: credentials.institutionId,
  })
  return true
}

/** Shares exactly the accounts named and ends the walk. */
export function chooseAccounts(world: World, session: LinkSession, item: Item, accountIds: readonly string[]): void {
  shareAccounts(world, item, accountIds)
  finish(world, session, item)
}

function finish(world: World, session: LinkSession, item: Item): void {
  const { itemId } = session.linkToken
  const link = itemId === null ? ({ kind: 'new', item } as const) : ({ kind: 'update', itemId } as const)
  const { id, name } = getInstitution(item.institutionId)
  session.result = {
    public_token: issuePublicToken(world, link).token,
    institution: { institution_id: id, name },
    accounts: sharedAccounts(item).map(({ accountId, name, mask, type, subtype }) => {
      return { id: accountId, name, mask, type, subtype }
    }),
  }
}

/** Only addresses on this machine: a link that hands its public token to anyone else is not to be had here. */
function readReturnTo(value: string): URL {
  const url = URL.parse(value)
  const loopback = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (!loopback || !['http:', 'https:'].includes(url.protocol)) {
    throw new ControlError(400, 'INVALID_RETURN_TO', 'return_to must be an http or https address on this machine.')
  }
  return url
}
