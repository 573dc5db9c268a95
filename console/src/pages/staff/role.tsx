import { useState } from 'react'
import { useMutation } from '../../api/use-mutation.ts'
import { ConfirmDialog } from '../../ui/form/dialog.tsx'
import { tell } from '../../ui/untold.ts'
import { RoleField } from './invite.tsx'
import type { Person, Roles } from './roles.ts'

type Props<Role extends string> = {
  readonly person: Person
  readonly roles: Roles<Role>
  readonly acts: {
    readonly change: (accountId: string, change: { role: Role }) => Promise<unknown>
    readonly refresh: () => Promise<unknown>
  }
  readonly onClose: () => void
}

/** Changes a person's role. */
export function RoleDialog<Role extends string>({ person, roles, acts, onClose }: Props<Role>) {
  const [role, setRole] = useState(roles.find(([name]) => name === person.role)?.[0])
  const change = useMutation({
    mutationFn: async () => role !== undefined && acts.change(person.account_id, { role }),
    meta: { shown: true },
    onSuccess: async () => {
      onClose()
      tell(`${person.name}’s role is changed`)
      await acts.refresh()
    },
  })
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Role of ${person.name}`}
      lead="They are signed out, so that the new role takes effect immediately."
      confirm="Change the role"
      change={change}
    >
      <RoleField roles={roles} role={role} onChange={setRole} />
    </ConfirmDialog>
  )
}
