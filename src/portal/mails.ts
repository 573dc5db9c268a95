import { encodeId, type UserId } from '../platform/ids.ts'
import type { LeasedWork } from '../platform/queue/leased-work.ts'
import type { Vault } from '../platform/vault/index.ts'
import {
  type ComposeUserMail,
  composeMail,
  createUserMails,
  listMailPreferences,
  NOTICES,
  type Notice,
} from '../tenants/accounts/index.ts'
import { getPublisher, type Publisher, publisherNow } from '../tenants/publishers/index.ts'
import { getKnownUser, getUser } from '../users/users/index.ts'
import { getShownName } from './schema.ts'
import { readPortal } from './service.ts'
import { isLanguage, WORDS } from './words/words.ts'

type Deps = Parameters<typeof createUserMails>[0] & { readonly vault: Vault }

// The path within the portal that each email links to.
const PATHS = {
  sign_up: '/you/sign-in',
  reset: '/reset',
  changed: '/reset',
  passkey_added: '/reset',
  passkey_removed: '/reset',
  account_opened: '/you/sign-in',
  account_removed: '/you/sign-in',
  reward_ready: '/redeem',
  redemption_paid: '/redemptions',
  card_broken: '/cards',
} as const

/**
 * Creates the work that sends users their sign-in emails and chosen notifications, in the publisher's name and the
 * user's language.
 */
export function createPortalMails(deps: Deps): LeasedWork {
  const compose: ComposeUserMail = async ({ publisherId, userId, kind, email, language }, secret) => {
    const publisher = await getPublisher(deps.db.reader, publisherId)
    const portal = await readPortal(deps.db.reader, publisher)
    if (!portal.allowsAccounts && kind !== 'account_removed') return null
    const { mails } = WORDS[isLanguage(language) ? language : 'en']
    const words = mails[kind](getShownName(publisher, portal), secret ?? '')
    const base = `${deps.baseUrl}/portal/${portal.slug}`
    const link = `${base}${PATHS[kind]}${kind === 'reset' ? `/${secret}` : ''}`
    const notice = NOTICES.find((one) => one === kind)
    if (notice === undefined || userId === null) return composeMail(words, email, link)
    if (!(await wantsToBeTold(deps, publisher, userId, notice))) return null
    return composeMail(words, email, link, { action: mails.stop, link: stopLink(deps, publisher, userId, notice) })
  }
  return createUserMails(deps, compose)
}

/**
 * Returns true if the user is not deactivated and still wants the email. Either may have changed while the email was
 * queued.
 */
async function wantsToBeTold(
  { db, clock }: Deps,
  publisher: Publisher,
  userId: UserId,
  notice: Notice,
): Promise<boolean> {
  if (!(await listMailPreferences(db.reader, { publisherId: publisher.id, userId })).includes(notice)) return false
  const { publisherUserId } = await getKnownUser(db.reader, publisher.id, userId)
  const { status } = await getUser(db.reader, publisher, publisherUserId, publisherNow(publisher, clock))
  return status !== 'INACTIVE'
}

/**
 * Returns the unsubscribe link. It contains the publisher's ID, which never changes, because another publisher could
 * take over the slug.
 */
function stopLink({ baseUrl, vault }: Deps, publisher: Publisher, userId: UserId, notice: Notice): string {
  const portal = `${baseUrl}/portal/${encodeId('pub', publisher.id)}`
  return `${portal}/unsubscribe/${encodeId('usr', userId)}/${notice}/${computeProof(vault, userId, notice)}`
}

/** Returns the signature of an unsubscribe link. The link never expires, because it can only stop one kind of email. */
export function computeProof(vault: Vault, userId: UserId, notice: Notice): string {
  return vault.fingerprint(`${encodeId('usr', userId)} ${notice}`, 'unsubscribe').toString('base64url')
}
