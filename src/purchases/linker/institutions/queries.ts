import type { Reader } from '../../../platform/db/database.ts'
import type { Environment } from '../../../tenants/publishers/index.ts'
import type { ProviderInstitution } from '../provider.ts'

export type KnownInstitution = ProviderInstitution & { readonly fetchedAt: Date }

export async function listInstitutions(
  reader: Reader,
  environment: Environment,
  ids: readonly string[],
): Promise<KnownInstitution[]> {
  // all publishers: institutions belong to the provider and are the same for everyone
  return reader<KnownInstitution[]>`
    select institution_id, name, logo, color, fetched_at
    from provider_institutions
    where environment = ${environment} and institution_id = any(${ids as string[]}::text[])`
}

export async function upsertInstitution(
  reader: Reader,
  environment: Environment,
  institution: ProviderInstitution,
  now: Date,
): Promise<void> {
  // all publishers: institutions belong to the provider and are the same for everyone
  const { institutionId, name, logo, color } = institution
  await reader`
    insert into provider_institutions (environment, institution_id, name, logo, color, fetched_at)
    values (${environment}, ${institutionId}, ${name}, ${logo}, ${color}, ${now})
    on conflict (environment, institution_id) do update set
      name = excluded.name, logo = excluded.logo, color = excluded.color, fetched_at = excluded.fetched_at`
}
