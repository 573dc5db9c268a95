import { useState } from 'react'
import { ChangeDialog } from '../../change-dialog.tsx'
import { RoleField } from './invite.tsx'
import { type Person, type Roles, STAFF } from './roles.ts'

type Props<Role extends string> = {
  readonly person: Person
  readonly roles: Roles<Role>
  readonly acts: { readonly change: (accountId: string, change: { role: Role }) => Promise<unknown> }
  readonly onClose: () => void
}

/** Changes a person's role. */
export function RoleDialog<Role extends string>({ person, roles, acts, onClose }: Props<Role>) {
  const [role, setRole] = useState(roles.find(([name]) => name === person.role)?.[0])
  return (
    <ChangeDialog
      onClose={onClose}
      title={`Role of ${person.name}`}
      lead="They are signed out, so that the new role takes effect immediately."
      confirm="Change the role"
      act={async () => role !== undefined && acts.change(person.account_id, { role })}
      done={`${person.name}’s role was changed`}
      reload={STAFF}
    >
      <RoleField roles={roles} role={role} onChange={setRole} />
    </ChangeDialog>
  )
}
