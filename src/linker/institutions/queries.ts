import type { Reader } from '../../platform/database.ts'
import type { ProviderInstitution } from '../provider.ts'

export type KnownInstitution = ProviderInstitution & { readonly fetchedAt: Date }

export async function listInstitutions(reader: Reader, ids: readonly string[]): Promise<KnownInstitution[]> {
  // all publishers: institutions are the provider's, the same for everyone
  return reader<KnownInstitution[]>`
    select institution_id, name, logo, color, fetched_at
    from institutions where institution_id = any(${ids as string[]}::text[])`
}

export async function upsertInstitution(reader: Reader, institution: ProviderInstitution, now: Date): Promise<void> {
  // all publishers: institutions are the provider's, the same for everyone
  const { institutionId, name, logo, color } = institution
  await reader`
    insert into institutions (institution_id, name, logo, color, fetched_at)
    values (${institutionId}, ${name}, ${logo}, ${color}, ${now})
    on conflict (institution_id) do update set
      name = excluded.name, logo = excluded.logo, color = excluded.color, fetched_at = excluded.fetched_at`
}
