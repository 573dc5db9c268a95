import { useQuery } from '@tanstack/react-query'
import { useRefusal } from '../../api/permissions.ts'
import { plural } from '../../format.ts'
import { Card, CardTitle } from '../../ui/card.tsx'
import { FieldChanges } from '../../ui/field-changes.tsx'
import { Time } from '../../ui/time.tsx'
import { offerVersions } from './queries.ts'

/** All versions of the offer. A purchase is decided by the version that was valid when it was made. */
export function Versions({ offerUid }: { readonly offerUid: string }) {
  const refusal = useRefusal()('catalog:read')
  const versions = useQuery({ ...offerVersions(offerUid), enabled: refusal === null }).data?.versions
  return (
    <Card>
      <CardTitle aside={versions === undefined ? undefined : plural(versions.length, 'version')}>Versions</CardTitle>
      {versions === undefined ? (
        <p className="px-5 pt-1 pb-5 text-ink-2 text-sm">{refusal ?? 'Loading…'}</p>
      ) : (
        <ol className="mt-2 divide-y divide-line">
          {versions.map(({ version, valid_from, changed_by_name, changes }) => (
            <li key={version} className="px-5 py-3">
              <div className="flex flex-wrap items-baseline justify-between gap-x-3">
                <h3 className="font-medium text-sm">
                  Version {version} <span className="font-normal text-ink-2">by {changed_by_name}</span>
                </h3>
                <Time at={valid_from} />
              </div>
              <FieldChanges fields={changes} />
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}
