import { useState } from 'react'
import { useMutation } from '../../api/use-mutation.ts'
import { ConfirmDialog } from '../../ui/form/dialog.tsx'
import { tell } from '../../ui/toast.tsx'
import { RoleField } from './invite.tsx'
import type { Person, RoleOf } from './people.tsx'

type Props<Role extends string> = {
  readonly person: Person
  readonly roles: RoleOf<Role>
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
      open
      onClose={onClose}
      title={`Role of ${person.name}`}
      lead="They are signed out, so that the new role takes effect immediately."
      confirm="Change the role"
      busy={change.isPending}
      error={change.error?.message}
      onConfirm={() => change.mutate()}
    >
      <RoleField roles={roles} role={role} onChange={setRole} />
    </ConfirmDialog>
  )
}
