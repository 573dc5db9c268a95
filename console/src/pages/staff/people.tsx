import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { ago, words } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ConfirmDialog } from '../../ui/form/dialog.tsx'
import { type Column, DataTable } from '../../ui/list/table.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { Pill, type Tone } from '../../ui/pill.tsx'
import { tell } from '../../ui/toast.tsx'
import { InviteDialog } from './invite.tsx'
import { RoleDialog } from './role.tsx'

export type Person = Schemas['Person']
export type RoleOf<Role extends string> = readonly (readonly [role: Role, what: string])[]

type Props<Role extends string> = {
  readonly lead: string
  readonly people: readonly Person[]
  /** The id of the viewer's own account. */
  readonly own: string
  /** The reason why the viewer may not change anyone; null if they may. */
  readonly refusal: string | null
  readonly roles: RoleOf<Role>
  readonly acts: {
    readonly invite: (email: string, role: Role) => Promise<unknown>
    readonly inviteAgain: (accountId: string) => Promise<unknown>
    readonly change: (accountId: string, change: { role: Role } | { disabled: boolean }) => Promise<unknown>
    /** Reloads the list. */
    readonly refresh: () => Promise<unknown>
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
  const again = useMutation({
    mutationFn: ({ account_id }: Person) => acts.inviteAgain(account_id),
    onSuccess: (_answer, { email }) => tell('The invitation is on its way', `To ${email}.`),
  })
  const actionsOf = (person: Person) => {
    const refused = person.account_id === own ? 'You cannot change your own role or disable your own account.' : refusal
    return (
      <div className="flex flex-wrap gap-2 sm:justify-end">
        {person.status === 'invited' && (
          <Button refusal={refusal} busy={again.isPending} onClick={() => again.mutate(person)}>
            Invite again
          </Button>
        )}
        <Button refusal={refused} onClick={() => setChanging(person)}>
          Role
        </Button>
        <Button
          tone={person.status === 'disabled' ? 'plain' : 'danger'}
          refusal={refused}
          onClick={() => setDisabling(person)}
        >
          {person.status === 'disabled' ? 'Enable' : 'Disable'}
        </Button>
      </div>
    )
  }
  const columns: Column<Person>[] = [
    { header: 'Person', cell: (person) => <Name person={person} isOwn={person.account_id === own} /> },
    { header: 'Status', cell: (person) => <StatusPill person={person} /> },
    { header: 'Role', cell: ({ role }) => words(role) },
    {
      header: 'Second factor',
      wideOnly: true,
      cell: ({ has_totp }) => <span className="text-ink-2">{has_totp ? 'Authenticator app' : 'None'}</span>,
    },
    { header: 'Last used', wideOnly: true, cell: (person) => <span className="text-ink-2">{lastUse(person)}</span> },
    { header: 'Actions', align: 'right', cell: actionsOf },
  ]
  return (
    <>
      <PageHeader
        title="Staff"
        lead={lead}
        actions={
          <Button tone="primary" refusal={refusal} onClick={() => setInviting(true)}>
            Invite somebody
          </Button>
        }
      />
      <Card>
        <DataTable
          caption="People, in the order in which they were invited"
          columns={columns}
          rows={people}
          keyOf={({ account_id }) => account_id}
          empty={
            <Empty title="Nobody has been invited yet">Whoever you invite gets a mail with a link to begin.</Empty>
          }
          card={(person) => (
            <div className="min-w-0 flex-1 space-y-2">
              <Name person={person} isOwn={person.account_id === own} />
              <div className="flex flex-wrap items-center gap-2 text-ink-2 text-sm">
                <StatusPill person={person} /> {words(person.role)}, {lastUse(person).toLowerCase()}
              </div>
              {actionsOf(person)}
            </div>
          )}
        />
      </Card>
      {isInviting && <InviteDialog roles={roles} acts={acts} onClose={() => setInviting(false)} />}
      {changing !== null && (
        <RoleDialog person={changing} roles={roles} acts={acts} onClose={() => setChanging(null)} />
      )}
      {disabling !== null && <DisableDialog person={disabling} acts={acts} onClose={() => setDisabling(null)} />}
    </>
  )
}

function Name({ person: { name, email }, isOwn }: { readonly person: Person; readonly isOwn: boolean }) {
  return (
    <div className="flex min-w-0 max-w-80 items-center gap-2.5 py-1.5">
      <Monogram name={name} />
      <div className="min-w-0 leading-tight">
        <p className="truncate font-medium">{isOwn ? `${name} (you)` : name}</p>
        <p className="truncate text-ink-3 text-xs">{email}</p>
      </div>
    </div>
  )
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
  readonly acts: Pick<Props<string>['acts'], 'refresh'> & {
    readonly change: (accountId: string, change: { disabled: boolean }) => Promise<unknown>
  }
  readonly onClose: () => void
}

function DisableDialog({ person: { account_id, name, status }, acts, onClose }: DisableProps) {
  const isDisabled = status === 'disabled'
  const change = useMutation({
    mutationFn: () => acts.change(account_id, { disabled: !isDisabled }),
    meta: { shown: true },
    onSuccess: async () => {
      onClose()
      tell(isDisabled ? `${name} may sign in again` : `${name} is disabled`)
      await acts.refresh()
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`${isDisabled ? 'Enable' : 'Disable'} ${name}`}
      lead={
        isDisabled
          ? 'They sign in as before, with the same role.'
          : 'They are signed out at once, everywhere, and cannot sign in until they are enabled again.'
      }
      confirm={isDisabled ? 'Enable' : 'Disable'}
      danger={!isDisabled}
      busy={change.isPending}
      error={change.error?.message}
      onConfirm={() => change.mutate()}
    />
  )
}
