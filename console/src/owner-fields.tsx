import { useSuspenseQuery } from '@tanstack/react-query'
import { publishers } from './api/queries.ts'
import { SelectField, TextField } from './ui/form/field.tsx'

/** A user, identified by the publisher's id for them. */
export type Owner = { readonly publisher: string; readonly user: string }
type Props = { readonly owner: Owner; readonly onChange: (owner: Owner) => void }

/** Fields that identify a user of any publisher. */
export function OwnerFields({ owner: { publisher, user }, onChange }: Props) {
  const { data: known } = useSuspenseQuery(publishers)
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        name="publisher_id"
        label="Publisher"
        value={publisher}
        options={known.map(({ publisher_id, name }) => [publisher_id, name])}
        onChange={(value) => onChange({ publisher: value, user })}
      />
      <TextField
        name="publisher_user_id"
        label="User"
        value={user}
        onChange={(value) => onChange({ publisher, user: value })}
        help="The publisher’s id for the user."
        required
      />
    </div>
  )
}
