import { createHash } from 'node:crypto'
import { DAY_MS } from '../../../platform/calendar.ts'
import type { Reader } from '../../../platform/db/database.ts'
import { createRateLimiter, type RateLimiter } from '../../../platform/http/callers/rate-limit.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import type { LinkerDeps } from '../deps.ts'
import { getProviderFor } from '../environments.ts'
import type { LinkerRefusal } from '../errors.ts'
import { type Provider, ProviderFault, type ProviderInstitution } from '../provider.ts'
import { type KnownInstitution, listInstitutions, upsertInstitution } from './queries.ts'

// Names, colors and logos rarely change, and the provider limits calls.
const KEPT_MS = 7 * DAY_MS
// The provider allows 400 calls a minute across all processes, of which there are usually two.
const ASKED_IN_ALL = { perSecond: 2.5, burst: 20 }
const ASKED_ABOUT_ONE = { perSecond: 1 / 60, burst: 1 }

/**
 * Returns the provider's data about a bank, cached for a week. Stale data is returned and refreshed in the background.
 * Returns null if nothing is cached and the provider does not respond, so that linking never fails for lack of a logo.
 */
export async function getInstitution(
  deps: LinkerDeps,
  publisher: Asker,
  institutionId: string,
): Promise<ProviderInstitution | null> {
  const find = async () => (await listInstitutions(deps.db.reader, publisher.environment, [institutionId]))[0]
  const known = await find()
  if (known === undefined) {
    const answer = await ask(deps, publisher, institutionId)
    // If the rate limit blocks this call, another call may have stored the data since the query above.
    return answer ?? (await find()) ?? null
  }
  if (isOld(deps, known)) void ask(deps, publisher, institutionId)
  return known
}

/**
 * Returns the cached data of these institutions. Missing or stale data is fetched in the background for the next
 * request.
 */
export async function listKnownInstitutions(
  deps: LinkerDeps,
  reader: Reader,
  publisher: Asker,
  ids: readonly string[],
): Promise<KnownInstitution[]> {
  const known = await listInstitutions(reader, publisher.environment, ids)
  const fresh = new Set(known.filter((one) => !isOld(deps, one)).map((one) => one.institutionId))
  for (const id of ids) if (!fresh.has(id)) void ask(deps, publisher, id)
  return known
}

function isOld(deps: LinkerDeps, { fetchedAt }: KnownInstitution): boolean {
  return deps.clock.now().getTime() - fetchedAt.getTime() >= KEPT_MS
}

/** The publisher that a lookup is for. Only banks in the countries where the publisher links cards are found. */
type Asker = Pick<Publisher, 'environment' | 'linkCountries'>
type Asking = { readonly limits: RateLimiter; readonly underWay: Map<string, Promise<ProviderInstitution | null>> }

/** This process's rate limits and in-flight calls for each provider. Concurrent lookups of one bank share a call. */
const askings = new WeakMap<Provider, Asking>()

/** Fetches an institution unless a rate limit prevents it. Never throws, because it may run in the background. */
function ask(deps: LinkerDeps, publisher: Asker, institutionId: string): Promise<ProviderInstitution | null> {
  const provider = deps.providers[publisher.environment]
  if (provider === null) return Promise.resolve(null)
  const asking = askings.get(provider) ?? { limits: createRateLimiter(), underWay: new Map() }
  askings.set(provider, asking)
  const underWay = asking.underWay.get(institutionId)
  if (underWay !== undefined) return underWay
  const nowMs = deps.clock.now().getTime()
  const isAllowed =
    asking.limits.take(`institution ${institutionId}`, ASKED_ABOUT_ONE, nowMs).allowed &&
    asking.limits.take('all', ASKED_IN_ALL, nowMs).allowed
  if (!isAllowed) return Promise.resolve(null)
  const asked = fetchInstitution(deps, publisher, institutionId).finally(() => asking.underWay.delete(institutionId))
  asking.underWay.set(institutionId, asked)
  return asked
}

async function fetchInstitution(
  deps: LinkerDeps,
  { environment, linkCountries }: Asker,
  institutionId: string,
): Promise<ProviderInstitution | null> {
  try {
    const provider = getProviderFor(deps.providers, environment)
    const institution = { ...(await provider.getInstitution(institutionId, linkCountries)), institutionId }
    await upsertInstitution(deps.db.reader, environment, institution, deps.clock.now())
    return institution
  } catch (error) {
    const isOurs = !(error instanceof ProviderFault)
    deps.log[isOurs ? 'error' : 'warn'](
      { err: error, institution_id: institutionId },
      'an institution could not be looked up',
    )
    return null
  }
}

type Logo = { readonly type: string; readonly bytes: Buffer; readonly version: string }

/**
 * Returns the logo of this version or, failing that, production's or the sandbox's.
 * @throws Refusal institution_not_found if the institution or its logo is unknown
 */
export async function getLogo(reader: Reader, institutionId: string, version: string | undefined): Promise<Logo> {
  const logos: Logo[] = []
  for (const environment of ['production', 'sandbox'] as const) {
    const [institution] = await listInstitutions(reader, environment, [institutionId])
    const logo = parseImage(institution?.logo ?? null)
    if (logo !== null) logos.push(logo)
  }
  const logo = logos.find((one) => one.version === version) ?? logos[0]
  if (logo === undefined)
    throw new Refusal<LinkerRefusal>('institution_not_found', 'There is no logo for an institution with this id.')
  return logo
}

/**
 * Returns the image with its type and a hash of its content; null unless it is PNG or JPEG, because other types, such
 * as SVG, can run scripts.
 */
export function parseImage(base64: string | null): Logo | null {
  const bytes = Buffer.from(base64 ?? '', 'base64')
  const type = bytes.subarray(0, 4).equals(PNG) ? 'image/png' : bytes.subarray(0, 3).equals(JPEG) ? 'image/jpeg' : null
  if (type === null) return null
  return { type, bytes, version: createHash('sha256').update(bytes).digest('hex').slice(0, 16) }
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47])
const JPEG = Buffer.from([0xff, 0xd8, 0xff])
