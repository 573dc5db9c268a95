import { toDay } from '../../../platform/calendar.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Reader } from '../../../platform/db/database.ts'
import { invalidInput, type Problem } from '../../../platform/http/index.ts'
import { decodeId, type PublisherId, type TransactionId, type UserId } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { TrackingLinks } from '../../../sources/affiliate/index.ts'
import { type Publisher, publisherNow } from '../../../tenants/publishers/index.ts'
import { findUser, getNamedUser, USER_RENAMED } from '../../../users/users/index.ts'
import type { Assortment } from '../assortment/assortment.ts'
import type { CatalogRefusal } from '../errors.ts'
import type { CatalogStore } from '../loading/catalog-store.ts'
import type { BrandsQuery } from '../schema.ts'
import { type LocationFilter, RADIUS_DEFAULT, readLocation } from './location-filter.ts'
import { createLruCache } from './lru-cache.ts'
import type { BrandFilter, ListContext } from './select-brands.ts'
import { anyUser, buildUserFilter, findHome, type Home } from './user-filter.ts'

/** Looks up a transaction's brand. A higher-level module provides the implementation. */
export type BrandOfTransaction = (
  reader: Reader,
  publisherId: PublisherId,
  transactionId: TransactionId,
) => Promise<string | null>

/**
 * Looks up how the user has used the offers in an assortment. Higher-level modules provide the implementation, which is
 * called only if offers depend on it.
 */
export type OffersOfUser = (
  reader: Reader,
  publisher: Publisher,
  userId: UserId,
  assortment: Assortment,
  now: Date,
) => Promise<{
  /** Offers the user can no longer earn on, either today or at all. */
  readonly usedUp: ReadonlySet<string>
  readonly activated: ReadonlySet<string>
}>

// At most about 20 MB. Users are never deleted, so a remembered user stays valid until an erasure.
const USERS_REMEMBERED = 100_000

/** @throws Refusal user_not_found */
export function createUserCheck(db: Database) {
  let known = createLruCache<string, UserId>(USERS_REMEMBERED)
  const forgetAll = (): void => {
    known = createLruCache(USERS_REMEMBERED)
  }
  const check = async (publisher: Publisher, publisherUserId: string): Promise<UserId> => {
    const name = `${publisher.id} ${publisherUserId}`
    // A lookup that races an erasure must not be remembered after it, so its result goes into the discarded cache.
    const cache = known
    const remembered = cache.get(name)
    if (remembered !== undefined) return remembered
    const { userId } = await getNamedUser(db.reader, publisher, publisherUserId)
    cache.set(name, userId)
    return userId
  }
  return { check, listen: () => db.listen(USER_RENAMED, forgetAll) }
}

// Users make several requests as they page through a list. Caching their proofs takes at most about 10 MB and avoids
// computing them twice.
const PROOF_USERS_REMEMBERED = 2_000
const PROOFS_REMEMBERED = 50

/** Creates the proofs for tracking links, cached for recent users. */
export function createProofs(links: TrackingLinks): (userId: UserId) => (offerUid: string) => string {
  const users = createLruCache<UserId, (offerUid: string) => string>(PROOF_USERS_REMEMBERED)
  return (userId) =>
    users.getOrMake(userId, () => {
      const toProof = links.createProofs(userId)
      const proofs = new Map<string, string>()
      return (offerUid) => {
        const known = proofs.get(offerUid)
        if (known !== undefined) return known
        const made = toProof(offerUid)
        if (proofs.size >= PROOFS_REMEMBERED) proofs.clear()
        proofs.set(offerUid, made)
        return made
      }
    })
}

export type ContextDeps = {
  readonly db: Database
  readonly clock: Clock
  readonly catalog: CatalogStore
  /** If absent, no offer is ever used up. */
  readonly offersOfUser?: OffersOfUser
}

/**
 * Builds the context for a user's list today. Looks up user data only if offers depend on it, so most pages need no
 * query.
 */
export function createContexts({ db, clock, catalog, offersOfUser = async () => anyUser }: ContextDeps) {
  return async (publisher: Publisher, userId: UserId, needsHome: boolean): Promise<ListContext> => {
    const assortment = await catalog.getAssortment(publisher)
    const now = publisherNow(publisher, clock)
    const { blocks } = assortment.catalog.table
    const wantsHome = needsHome || blocks.some(({ stores }) => stores.localOffers.length > 0)
    const wantsFacts = blocks.some(({ hasPersonal }) => hasPersonal)
    const [user, facts] = await Promise.all([
      wantsHome ? findUser(db.reader, publisher.id, userId) : null,
      wantsFacts ? offersOfUser(db.reader, publisher, userId, assortment, now) : anyUser,
    ])
    const personal = buildUserFilter(facts.usedUp, facts.activated, findHome(user?.primaryZipCode ?? null))
    return { assortment, day: toDay(now, publisher.timeZone), personal }
  }
}

export function brandNotFound(): Refusal<CatalogRefusal> {
  return new Refusal<CatalogRefusal>('brand_not_found', 'There is no such brand.')
}

/** Returns true if distances are measured from the user's home because the query has no place to measure from. */
export function isSortedFromHome({ sort, location }: Pick<BrandsQuery, 'sort' | 'location'>): boolean {
  if (sort?.some((one) => one.endsWith('distance')) !== true) return false
  const read = readLocation(location ?? [], RADIUS_DEFAULT)
  return 'filter' in read && read.filter.origins.length === 0
}

/** @throws Problem invalid_input for `location`, `radius` or `sort`. */
export function buildFilter(
  query: BrandsQuery,
  sort: BrandFilter['sort'],
  home: Home | null,
  brandUid: string | null,
): BrandFilter {
  const read = query.location === undefined ? null : readLocation(query.location, query.radius ?? RADIUS_DEFAULT)
  if (read !== null && 'unknown' in read) {
    const message = 'must be IN_STORE, ONLINE, a two-letter state, a postal code or lat,lng'
    throw invalid('location', `${message}, not "${read.unknown}"`)
  }
  if (query.radius !== undefined && !read?.filter.points.length) {
    throw invalid('radius', 'needs a location of the form lat,lng')
  }
  return {
    categoryId: query.category_id === undefined ? null : Number(query.category_id),
    offerTypes: query.offer_type ?? [],
    location: read?.filter ?? null,
    searchText: brandUid === null && query.search_text?.trim() ? query.search_text : null,
    endsBy: null,
    brandUid,
    sort,
    origins: distancesFrom(read?.filter ?? null, sort, home),
  }
}

/**
 * Returns the points to measure distances from. Distances are included if the query has a point or sorts by distance.
 */
function distancesFrom(location: LocationFilter | null, sort: BrandFilter['sort'], home: Home | null): Float64Array {
  const sortsByDistance = sort.some(({ field }) => field === 'distance')
  const named = location?.origins ?? new Float64Array(0)
  if (!sortsByDistance && !location?.points.length) return new Float64Array(0)
  const origins = named.length === 0 && home !== null ? home.point : named
  if (sortsByDistance && origins.length === 0) {
    throw invalid('sort', 'by distance needs a location of the form lat,lng or a zip code, or a user with a zip code')
  }
  return origins
}

/** Parses the search text as a transaction id, in API format or as a bare UUID; null if it is neither. */
export function parseTransactionId(searchText: string | undefined): TransactionId | null {
  return searchText === undefined ? null : decodeId<'transaction'>('txn', searchText.trim())
}

function invalid(field: string, message: string): Problem {
  return invalidInput([{ field, code: 'not_allowed', message }])
}
