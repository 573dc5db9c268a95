import type { Reader } from '../platform/database.ts'
import { Refusal } from '../platform/refusal.ts'
import type { LinkerDeps } from './deps.ts'
import type { LinkerRefusal } from './errors.ts'
import { ProviderFault, type ProviderInstitution } from './provider.ts'

// Names, colours and logos change once in years, and the provider limits how often it may be asked.
const KEPT_MS = 7 * 86_400_000

/**
 * What the provider says of a bank, remembered for some days; the last known when the provider does not answer, and
 * null when nothing is known. Linking never fails for want of a logo.
 */
export async function institutionOf(deps: LinkerDeps, institutionId: string): Promise<ProviderInstitution | null> {
  const now = deps.clock.now()
  const [known] = await listInstitutions(deps.db.reader, [institutionId])
  if (known !== undefined && now.getTime() - known.fetchedAt.getTime() < KEPT_MS) return known
  try {
    const institution = await deps.provider.getInstitution(institutionId)
    await upsertInstitution(deps.db.reader, { ...institution, institutionId }, now)
    return institution
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error
    deps.log.warn({ err: error, institution_id: institutionId }, 'an institution could not be asked for')
    return known ?? null
  }
}

export type Logo = { readonly type: string; readonly bytes: Buffer }

/** @throws Refusal institution_not_found when nothing is known of it, or it has no logo. */
export async function logoOf(reader: Reader, institutionId: string): Promise<Logo> {
  const [institution] = await listInstitutions(reader, [institutionId])
  const bytes = Buffer.from(institution?.logo ?? '', 'base64')
  // Only images that browsers draw without running anything; the bytes come from outside.
  const type = bytes.subarray(0, 4).equals(PNG) ? 'image/png' : bytes.subarray(0, 3).equals(JPEG) ? 'image/jpeg' : null
  if (type === null)
    throw new Refusal<LinkerRefusal>('institution_not_found', 'There is no logo of such an institution.')
  return { type, bytes }
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47])
const JPEG = Buffer.from([0xff, 0xd8, 0xff])

type KnownInstitution = ProviderInstitution & { readonly fetchedAt: Date }

export async function listInstitutions(reader: Reader, ids: readonly string[]): Promise<KnownInstitution[]> {
  // all publishers: institutions are the provider's, the same for everyone
  return reader<KnownInstitution[]>`
    select institution_id as "institutionId", name, logo, color, fetched_at as "fetchedAt"
    from institutions where institution_id = any(${ids as string[]}::text[])`
}

async function upsertInstitution(reader: Reader, institution: ProviderInstitution, now: Date): Promise<void> {
  // all publishers: institutions are the provider's, the same for everyone
  const { institutionId, name, logo, color } = institution
  await reader`
    insert into institutions (institution_id, name, logo, color, fetched_at)
    values (${institutionId}, ${name}, ${logo}, ${color}, ${now})
    on conflict (institution_id) do update set
      name = excluded.name, logo = excluded.logo, color = excluded.color, fetched_at = excluded.fetched_at`
}
