import type { Reader, Tx } from '../platform/db/database.ts'
import type { Retained } from '../platform/db/retention.ts'
import type { PublisherId, UserId } from '../platform/ids.ts'
import type { Portal, PortalChange } from './portal.ts'

const columns = (reader: Reader) => reader`
  slug, shown_name, hue, chroma, frame_ancestors, welcome, left(md5(logo), 16) as logo_version, allows_accounts`

export async function findPortal(reader: Reader, publisherId: PublisherId): Promise<Portal | null> {
  const [row] = await reader<Portal[]>`select ${columns(reader)} from portals where publisher_id = ${publisherId}`
  return row ?? null
}

export async function findPublisherBySlug(reader: Reader, slug: string): Promise<PublisherId | null> {
  // all publishers: the address identifies the portal
  const [row] = await reader<{ publisherId: PublisherId }[]>`select publisher_id from portals where slug = ${slug}`
  return row?.publisherId ?? null
}

/** The constraint that is violated if another publisher has the slug. */
export const SLUG_TAKEN = 'portals_slug_key'

/** Returns the logo in base64; null if there is none. */
export async function findLogo(reader: Reader, publisherId: PublisherId): Promise<string | null> {
  const [row] = await reader<{ logo: string | null }[]>`select logo from portals where publisher_id = ${publisherId}`
  return row?.logo ?? null
}

export async function storePortal(tx: Tx, publisherId: PublisherId, portal: PortalChange, now: Date): Promise<Portal> {
  const { slug, shownName, hue, chroma, frameAncestors, welcome = null, logo = null } = portal
  const { allowsAccounts = false } = portal
  const keepsAccounts = portal.allowsAccounts === undefined
  const keepsWelcome = portal.welcome === undefined
  const keepsLogo = portal.logo === undefined
  const [row] = await tx<[Portal]>`
    insert into portals (publisher_id, slug, shown_name, hue, chroma, frame_ancestors, welcome, logo, allows_accounts,
      updated_at)
    values (${publisherId}, ${slug}, ${shownName}, ${hue}, ${chroma}, ${frameAncestors as string[]}, ${welcome}, ${logo},
      ${allowsAccounts}, ${now})
    on conflict (publisher_id) do update set
      slug = excluded.slug, shown_name = excluded.shown_name, hue = excluded.hue, chroma = excluded.chroma,
      frame_ancestors = excluded.frame_ancestors, updated_at = excluded.updated_at,
      welcome = case when ${keepsWelcome} then portals.welcome else excluded.welcome end,
      logo = case when ${keepsLogo} then portals.logo else excluded.logo end,
      allows_accounts = case when ${keepsAccounts} then portals.allows_accounts else excluded.allows_accounts end
    returning ${columns(tx)}`
  return row
}

type PortalLink = {
  readonly publisherId: PublisherId
  readonly userId: UserId
  readonly returnPath: string
  readonly expiresAt: Date
}

export async function insertLink(tx: Tx, publisherId: PublisherId, link: PortalLink, sha256: Buffer): Promise<void> {
  await tx`
    insert into portal_links (sha256, publisher_id, user_id, return_path, expires_at)
    values (${sha256}, ${publisherId}, ${link.userId}, ${link.returnPath}, ${link.expiresAt})`
}

/** Deletes and returns the link with this token, so that nobody can use it again. */
export async function takeLink(
  tx: Tx,
  publisherId: PublisherId,
  sha256: Buffer,
): Promise<Omit<PortalLink, 'publisherId'> | null> {
  // all users: the token identifies the user
  const [row] = await tx<Omit<PortalLink, 'publisherId'>[]>`
    delete from portal_links where sha256 = ${sha256} and publisher_id = ${publisherId}
    returning user_id, return_path, expires_at`
  return row ?? null
}

/** Retains unused links for a day after they expire. */
export const retainedLinks: Retained = {
  table: 'portal_links',
  days: async () => 1,
  oldest: async (reader) => {
    const [row] = await reader<{ expiresAt: Date }[]>`
      -- all publishers: all users: totals for metrics
      select expires_at from portal_links order by expires_at limit 1`
    return row?.expiresAt ?? null
  },
  drop: async (tx, before, limit) => {
    // all publishers: all users: drops by age
    const { count } = await tx`
      delete from portal_links
      where sha256 in (
        select sha256 from portal_links where expires_at < ${before}
        order by expires_at
        limit ${limit}
        for update skip locked
      )`
    return count
  },
}
