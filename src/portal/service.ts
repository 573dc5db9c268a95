import { randomBytes } from 'node:crypto'
import { findConstraint, type Reader, type Tx } from '../platform/db/database.ts'
import { hashKey } from '../platform/http/callers/key-cache.ts'
import { decodeId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import { endSessions, openSession } from '../tenants/accounts/index.ts'
import { findMoving, getPublisher, type Publisher } from '../tenants/publishers/index.ts'
import { getUser, type UserRefusal } from '../users/users/index.ts'
import type { PortalRefusal } from './errors.ts'
import { detectLogoType, LOGO_BYTES_MAX } from './logo.ts'
import { createDefaultPortal, type Portal, type PortalChange, RESERVED_SLUGS, SLUG_PATTERN } from './portal.ts'
import * as queries from './queries.ts'

// Long enough to follow a link in an email the user has just requested.
const LINK_MS = 15 * 60_000
const SLUG = new RegExp(SLUG_PATTERN)

export async function readPortal(reader: Reader, publisher: Publisher): Promise<Portal> {
  return (await queries.findPortal(reader, publisher.id)) ?? createDefaultPortal(publisher)
}

/**
 * Returns the publisher and portal at an address; null if there is none, or if the publisher is moving or has moved to
 * another installation. The publisher's ID always works as an address, regardless of the slug.
 */
export async function findPortalAt(
  reader: Reader,
  slug: string,
): Promise<{ readonly publisher: Publisher; readonly portal: Portal } | null> {
  const known = decodeId<'publisher'>('pub', slug)
  if (known === null && !SLUG.test(slug)) return null
  const publisherId = known ?? (await queries.findPublisherBySlug(reader, slug))
  if (publisherId === null || (await findMoving(reader, publisherId))) return null
  const publisher = await getPublisher(reader, publisherId).catch((error: unknown) => {
    if (error instanceof Refusal) return null
    throw error
  })
  return publisher === null ? null : { publisher, portal: { ...(await readPortal(reader, publisher)), slug } }
}

/** @throws Refusal portal_setting_invalid, portal_slug_taken */
export async function changePortal(tx: Tx, publisher: Publisher, portal: PortalChange, now: Date): Promise<Portal> {
  if (RESERVED_SLUGS.includes(portal.slug) || portal.slug.startsWith('pub_'))
    throw new Refusal<PortalRefusal>('portal_setting_invalid', 'This slug is reserved for the service.', {
      field: 'slug',
    })
  const wrong = portal.frameAncestors.find((one) => !mayFrame(publisher, one))
  if (wrong !== undefined)
    throw new Refusal<PortalRefusal>(
      'portal_setting_invalid',
      `"${wrong}" is not an https origin such as https://app.example.com.`,
      { field: 'frame_ancestors' },
    )
  refuseLogo(portal.logo ?? null)
  // Ends these sessions for good, even if accounts are allowed again later.
  if (portal.allowsAccounts === false) await endSessions(tx, { allAccountsAt: publisher.id }, null)
  return queries.storePortal(tx, publisher.id, portal, now).catch((error: unknown) => {
    if (findConstraint(error) !== queries.SLUG_TAKEN) throw error
    throw new Refusal<PortalRefusal>('portal_slug_taken', 'Another portal has this slug.', { field: 'slug' })
  })
}

function refuseLogo(logo: string | null): void {
  if (logo === null) return
  const image = Buffer.from(logo, 'base64')
  if (detectLogoType(image) !== null && image.length <= LOGO_BYTES_MAX) return
  throw new Refusal<PortalRefusal>(
    'portal_setting_invalid',
    `The logo must be a PNG, JPEG or WebP image of at most ${LOGO_BYTES_MAX} bytes.`,
    { field: 'logo' },
  )
}

/** Returns the logo as an image; null if there is none. */
export async function readLogo(
  reader: Reader,
  publisher: Publisher,
): Promise<{ readonly type: string; readonly image: Buffer } | null> {
  const image = Buffer.from((await queries.findLogo(reader, publisher.id)) ?? '', 'base64')
  const type = detectLogoType(image)
  return type === null ? null : { type, image }
}

// Nobody else can serve pages from this host, so sandbox portals can be developed without HTTPS.
const OWN_MACHINE = /^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?$/

/**
 * Returns true if the origin may frame the portal. It must use HTTPS, except on a sandbox developer's own machine,
 * because anyone on the network could forge an unencrypted page that frames a user's session.
 */
function mayFrame({ environment }: Publisher, origin: string): boolean {
  return isOrigin(origin) && (origin.startsWith('https:') || (environment === 'sandbox' && OWN_MACHINE.test(origin)))
}

/**
 * Returns true if the text is exactly what a browser would send as an origin, and contains only characters with no
 * special meaning in the header. A URL's host could otherwise contain asterisks, or semicolons that would start another
 * directive.
 */
function isOrigin(text: string): boolean {
  return /^https?:\/\/[a-z0-9.-]+(:\d+)?$/.test(text) && URL.canParse(text) && new URL(text).origin === text
}

type NewLink = { readonly publisherUserId: string; readonly returnPath: string }

/**
 * Creates a link that signs a user in to the portal once.
 * @param now the publisher's time, for the user's status
 * @param realNow the real time, for the link's expiry
 * @throws Refusal user_not_found, or user_not_active if the user is deactivated
 */
export async function createLink(
  tx: Tx,
  publisher: Publisher,
  { publisherUserId, returnPath }: NewLink,
  { now, realNow }: { readonly now: Date; readonly realNow: Date },
): Promise<{ readonly token: string; readonly expiresAt: Date }> {
  const { user, status } = await getUser(tx, publisher, publisherUserId, now)
  if (status === 'INACTIVE')
    throw new Refusal<UserRefusal>('user_not_active', 'This user is deactivated and cannot use the portal.', {
      field: 'publisher_user_id',
      members: { account_status: status },
    })
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(realNow.getTime() + LINK_MS)
  const link = { publisherId: publisher.id, userId: user.userId, returnPath, expiresAt }
  await queries.insertLink(tx, publisher.id, link, hashKey(token))
  return { token, expiresAt }
}

/** Consumes a link. Returns null if it was already used, has expired or never existed. */
export async function enter(
  tx: Tx,
  publisher: Publisher,
  token: string,
  origin: Parameters<typeof openSession>[2],
  now: Date,
): Promise<{ readonly token: string; readonly expiresAt: Date; readonly returnPath: string } | null> {
  const link = await queries.takeLink(tx, publisher.id, hashKey(token))
  if (link === null || link.expiresAt <= now) return null
  const who = { kind: 'user', publisherId: publisher.id, userId: link.userId, accountId: null } as const
  return { ...(await openSession(tx, who, origin, now)), returnPath: link.returnPath }
}
