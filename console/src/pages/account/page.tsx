import { useSuspenseQuery } from '@tanstack/react-query'
import { del, post } from '../../api/client.ts'
import { account, me, sessions } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { ago, dateTime, words } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardTitle } from '../../ui/card.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { Form, FormError } from '../../ui/form/form.tsx'
import { useFields } from '../../ui/form/use-fields.ts'
import { Crumb } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { Pill } from '../../ui/pill.tsx'
import { Authenticator } from './authenticator.tsx'
import { Passkeys } from './passkeys.tsx'

/** A person's own account settings, also available to publishers' staff. */
export default function Account() {
  const { data } = useSuspenseQuery(account)
  const leave = useMutation({
    mutationFn: () => post('/accounts/sign-out'),
    onSuccess: () => location.replace(`${import.meta.env.BASE_URL}sign-in`),
  })
  return (
    <main className="mx-auto max-w-2xl px-4 py-8">
      <PageHeader
        title={data.name}
        lead={`${data.email}, ${words(data.role).toLowerCase()}`}
        crumbs={data.kind === 'operator' && <Crumb to="/">Console</Crumb>}
        actions={
          <Button busy={leave.isPending} onClick={() => leave.mutate()}>
            Sign out
          </Button>
        }
      />
      <div className="space-y-5">
        <Password hasPassword={data.has_password} />
        <Authenticator hasTotp={data.has_totp} backupCodes={data.backup_codes} />
        <Passkeys />
        <Sessions />
      </div>
    </main>
  )
}

function Password({ hasPassword }: { readonly hasPassword: boolean }) {
  const { values, set, field } = useFields({ current_password: '', password: '' })
  const { current_password: current, password } = values
  const change = useChange({
    act: () =>
      post('/accounts/password', { body: { ...(hasPassword ? { current_password: current } : {}), password } }),
    onDone: () => set({ current_password: '', password: '' }),
    done: ['Password changed', 'Your other sessions have ended.'],
    reload: [account, me],
  })
  return (
    <Card>
      <CardTitle>Password</CardTitle>
      <Form error={change.error} onSubmit={() => change.mutate()} className="space-y-4 p-5">
        {hasPassword ? (
          <TextField
            {...field('current_password')}
            label="Current password"
            type="password"
            autoComplete="current-password"
            required
          />
        ) : (
          <p className="text-ink-2 text-sm">
            You signed in with a one-time link. Set a password so that you can sign in again.
          </p>
        )}
        <TextField
          {...field('password')}
          label="New password"
          type="password"
          autoComplete="new-password"
          help="At least 12 characters and hard to guess. Your other sessions will end."
          required
        />
        <FormError error={change.error} />
        <Button type="submit" busy={change.isPending}>
          {hasPassword ? 'Change the password' : 'Set the password'}
        </Button>
      </Form>
    </Card>
  )
}

function Sessions() {
  const { data } = useSuspenseQuery(sessions)
  const end = useChange({
    act: (id: string) => del('/accounts/sessions/{session_id}', { path: { session_id: id } }),
    done: 'Session ended',
    reload: [sessions],
    isForm: false,
  })
  return (
    <Card>
      <CardTitle>Where you are signed in</CardTitle>
      <ul className="mt-3 divide-y divide-line border-line border-t">
        {data.map((session) => (
          <li key={session.session_id} className="flex flex-wrap items-center gap-3 px-5 py-3">
            <div className="min-w-0 flex-1">
              <p className="truncate text-sm">{session.user_agent || 'Unknown browser'}</p>
              <p className="text-ink-3 text-xs">
                {session.address}, last used {ago(session.last_used_at)}, ends {dateTime(session.expires_at)}
              </p>
            </div>
            {session.is_present ? (
              <Pill tone="good">This one</Pill>
            ) : (
              <Button tone="danger" busy={end.isPending} onClick={() => end.mutate(session.session_id)}>
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
