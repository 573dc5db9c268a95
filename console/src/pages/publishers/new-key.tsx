import { useState } from 'react'
import { post, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/use-change.ts'
import { Checks } from '../../ui/form/checks.tsx'
import { ConfirmDialog } from '../../ui/form/dialog.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { ShownOnce } from '../../ui/form/shown-once.tsx'
import { useFields } from '../../ui/form/use-fields.ts'
import { splitElements } from './fields.ts'
import { keys } from './queries.ts'

type Scope = Schemas['ApiKeyScope']

export const SCOPES: readonly Scope[] = [
  ...(['users:read', 'users:write', 'terms:read', 'terms:write', 'brands:read', 'brands:write'] as const),
  ...(['linker:read', 'linker:write', 'transactions:read', 'transactions:write'] as const),
  ...(['rewards:read', 'rewards:write', 'webhooks:read', 'webhooks:write'] as const),
  ...(['events:read', 'events:write', 'reports:read', 'reports:write'] as const),
  ...(['staff:read', 'staff:write'] as const),
]

type Props = { readonly publisher: string; readonly onClose: () => void }

/** Creates a key and shows it once. */
export function NewKeyDialog({ publisher, onClose }: Props) {
  const [scopes, setScopes] = useState<readonly Scope[]>(SCOPES)
  const { values, field } = useFields({ expires_at: '', addresses: '' })
  const { expires_at: expires, addresses } = values
  const create = useChange({
    act: () => {
      const ranges = splitElements(addresses)
      const body = {
        scopes: [...scopes],
        ...(expires === '' ? {} : { expires_at: `${expires}T00:00:00Z` }),
        ...(ranges.length === 0 ? {} : { addresses: ranges }),
      }
      const params = { path: { publisher_id: publisher } }
      return post('/operator/publishers/{publisher_id}/keys', { ...params, body })
    },
    reload: [keys(publisher)],
  })
  if (create.data !== undefined)
    return (
      <ShownOnce
        title="Keep this key"
        lead="It is shown only once. Anyone who has it can use it, so keep it secret."
        secret={create.data.api_key}
        onClose={onClose}
      />
    )
  return (
    <ConfirmDialog
      onClose={onClose}
      title="New key"
      lead="The publisher’s programs use it to call the API."
      confirm="Create the key"
      refusal={scopes.length === 0 ? 'Choose at least one scope first.' : null}
      change={create}
    >
      <Checks
        legend="What it may do"
        options={SCOPES.map((scope) => [scope, scope])}
        chosen={scopes}
        onChange={setScopes}
      />
      <TextField {...field('expires_at')} label="Works until" type="date" help="Leave empty for no expiry." />
      <TextField
        {...field('addresses')}
        label="Only from"
        help="Addresses or ranges, such as 203.0.113.0/24. Leave empty to allow any address."
      />
    </ConfirmDialog>
  )
}
