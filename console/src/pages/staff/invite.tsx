import { useState } from 'react'
import { ChangeDialog } from '../../change-dialog.tsx'
import { words } from '../../format.ts'
import { SelectField, TextField } from '../../ui/form/field.tsx'
import { useFields } from '../../ui/form/use-fields.ts'
import { type Roles, STAFF } from './roles.ts'

type Props<Role extends string> = {
  readonly roles: Roles<Role>
  readonly acts: { readonly invite: (email: string, role: Role) => Promise<unknown> }
  readonly onClose: () => void
}

/** Creates an account for someone and emails them a link. */
export function InviteDialog<Role extends string>({ roles, acts, onClose }: Props<Role>) {
  const { values, field } = useFields({ email: '' })
  const { email } = values
  const [role, setRole] = useState(roles.at(-1)?.[0])
  return (
    <ChangeDialog
      onClose={onClose}
      title="Invite a person"
      lead="They receive an email with a link, and set their own name and password."
      confirm="Send the invitation"
      act={async () => role !== undefined && acts.invite(email, role)}
      done={['Invitation sent', `${email} has seven days to follow its link.`]}
      reload={STAFF}
    >
      <TextField {...field('email')} label="Email" type="email" required />
      <RoleField roles={roles} role={role} onChange={setRole} />
    </ChangeDialog>
  )
}

type RoleFieldProps<Role extends string> = {
  readonly roles: Roles<Role>
  readonly role: Role | undefined
  readonly onChange: (role: Role | undefined) => void
}

/** Selects a role and shows what it allows. */
export function RoleField<Role extends string>({ roles, role, onChange }: RoleFieldProps<Role>) {
  return (
    <SelectField
      name="role"
      label="Role"
      help={roles.find(([name]) => name === role)?.[1]}
      value={role ?? ''}
      onChange={(value) => onChange(roles.find(([name]) => name === value)?.[0])}
      options={roles.map(([name]) => [name, words(name)])}
    />
  )
}
