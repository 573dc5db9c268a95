import { type ReactNode, useState } from 'react'
import { useChange } from '../../api/use-change.ts'
import { ChangeDialog } from '../../change-dialog.tsx'
import { ago, words } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ListPage } from '../../ui/list/list-page.tsx'
import type { Table } from '../../ui/list/table.tsx'
import { Pill, type Tone } from '../../ui/pill.tsx'
import { InviteDialog } from './invite.tsx'
import { RoleDialog } from './role.tsx'
import { type Person, type Roles, STAFF } from './roles.ts'

type Props<Role extends string> = {
  readonly lead: string
  readonly people: readonly Person[]
  /** The id of the viewer's own account. */
  readonly own: string
  /** The reason why the viewer may not change anyone; null if the viewer may. */
  readonly refusal: string | null
  readonly roles: Roles<Role>
  readonly acts: {
    readonly invite: (email: string, role: Role) => Promise<unknown>
    readonly inviteAgain: (accountId: string) => Promise<unknown>
    readonly change: (accountId: string, change: { role: Role } | { disabled: boolean }) => Promise<unknown>
  }
}

const STATUSES: Readonly<Record<Person['status'], readonly [label: string, tone: Tone]>> = {
  invited: ['Invited', 'waiting'],
  active: ['Active', 'good'],
  disabled: ['Disabled', 'neutral'],
}

/** The staff of the operating company or of a publisher, with the actions that an admin can take. */
export function People<Role extends string>({ lead, people, own, refusal, roles, acts }: Props<Role>) {
  const [isInviting, setInviting] = useState(false)
  const [changing, setChanging] = useState<Person | null>(null)
  const [disabling, setDisabling] = useState<Person | null>(null)
  const again = useChange({
    act: ({ account_id }: Person) => acts.inviteAgain(account_id),
    done: (_answer, { email }) => ['Invitation sent', `To ${email}.`],
    isForm: false,
  })
  return (
    <ListPage
      title="Staff"
      lead={lead}
      actions={
        <Button tone="primary" refusal={refusal} onClick={() => setInviting(true)}>
          Invite somebody
        </Button>
      }
      {...buildTable(own, (person) => {
        const isOwn = person.account_id === own
        return (
          <Actions
            person={person}
            refusal={refusal}
            refused={isOwn ? 'You cannot change your own role or disable your own account.' : refusal}
            again={again}
            onRole={() => setChanging(person)}
            onDisable={() => setDisabling(person)}
          />
        )
      })}
      rows={people}
      empty={<Empty title="Nobody has been invited yet">Whoever you invite gets an email with a link to begin.</Empty>}
    >
      {isInviting && <InviteDialog roles={roles} acts={acts} onClose={() => setInviting(false)} />}
      {changing !== null && (
        <RoleDialog person={changing} roles={roles} acts={acts} onClose={() => setChanging(null)} />
      )}
      {disabling !== null && <DisableDialog person={disabling} acts={acts} onClose={() => setDisabling(null)} />}
    </ListPage>
  )
}

type ActionsProps = {
  readonly person: Person
  /** The reason why the viewer may not change anyone. */
  readonly refusal: string | null
  /** The reason why the viewer may not change this person. */
  readonly refused: string | null
  readonly again: { readonly isPending: boolean; readonly mutate: (person: Person) => void }
  readonly onRole: () => void
  readonly onDisable: () => void
}

function Actions({ person, refusal, refused, again, onRole, onDisable }: ActionsProps) {
  return (
    <div className="flex flex-wrap gap-2 sm:justify-end">
      {person.status === 'invited' && (
        <Button refusal={refusal} busy={again.isPending} onClick={() => again.mutate(person)}>
          Invite again
        </Button>
      )}
      <Button refusal={refused} onClick={onRole}>
        Role
      </Button>
      <Button tone={person.status === 'disabled' ? 'plain' : 'danger'} refusal={refused} onClick={onDisable}>
        {person.status === 'disabled' ? 'Enable' : 'Disable'}
      </Button>
    </div>
  )
}

function buildTable(own: string, actions: (person: Person) => ReactNode): Table<Person> {
  return {
    caption: 'People, in the order they were invited',
    toKey: ({ account_id }) => account_id,
    columns: [
      {
        header: 'Person',
        phone: 'title',
        name: ({ name }) => name,
        width: 'max-w-80',
        cell: ({ account_id, name }) => (account_id === own ? `${name} (you)` : name),
        below: ({ email }) => email,
      },
      { header: 'Status', phone: 'aside', cell: (person) => <StatusPill person={person} /> },
      { header: 'Role', cell: ({ role }) => words(role) },
      {
        header: 'Second factor',
        wideOnly: true,
        quiet: true,
        cell: ({ has_totp }) => (has_totp ? 'Authenticator app' : 'None'),
      },
      { header: 'Last used', wideOnly: true, quiet: true, cell: lastUse },
      { header: 'Actions', align: 'right', phone: 'actions', cell: actions },
    ],
    note: (person) => (
      <>
        <div className="truncate">{person.email}</div>
        {words(person.role)}, {lastUse(person).toLowerCase()}
      </>
    ),
  }
}

function StatusPill({ person }: { readonly person: Person }) {
  const [label, tone] = STATUSES[person.status]
  return <Pill tone={tone}>{label}</Pill>
}

function lastUse({ last_used_at }: Person): string {
  return last_used_at === null ? 'Not signed in' : ago(last_used_at)
}

type DisableProps = {
  readonly person: Person
  readonly acts: { readonly change: (accountId: string, change: { disabled: boolean }) => Promise<unknown> }
  readonly onClose: () => void
}

function DisableDialog({ person: { account_id, name, status }, acts, onClose }: DisableProps) {
  const isDisabled = status === 'disabled'
  return (
    <ChangeDialog
      onClose={onClose}
      title={`${isDisabled ? 'Enable' : 'Disable'} ${name}`}
      lead={
        isDisabled
          ? 'They can sign in as before, with the same role.'
          : 'They are signed out everywhere immediately, and cannot sign in until they are enabled again.'
      }
      confirm={isDisabled ? 'Enable' : 'Disable'}
      danger={!isDisabled}
      act={() => acts.change(account_id, { disabled: !isDisabled })}
      done={isDisabled ? `${name} can sign in again` : `${name} is disabled`}
      reload={STAFF}
    />
  )
}
