import { useState } from 'react'
import { del, post, type Schemas } from '../../api/client.ts'
import { account } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { ChangeDialog } from '../../change-dialog.tsx'
import { plural } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardTitle } from '../../ui/card.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { NoticeDialog } from '../../ui/form/dialog.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { Form, FormError } from '../../ui/form/form.tsx'
import { useFields } from '../../ui/form/use-fields.ts'
import { Pill } from '../../ui/pill.tsx'

type Props = { readonly hasTotp: boolean; readonly backupCodes: number }

/** Sets up the authenticator app and manages the backup codes for signing in without it. */
export function Authenticator({ hasTotp, backupCodes }: Props) {
  const [setup, setSetup] = useState<Schemas['AuthenticatorSetup'] | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const begin = useMutation({ mutationFn: () => post('/accounts/totp'), onSuccess: setSetup })
  return (
    <Card>
      <CardTitle aside={<Pill tone={hasTotp ? 'good' : 'neutral'}>{hasTotp ? 'On' : 'Off'}</Pill>}>
        Authenticator app
      </CardTitle>
      <div className="space-y-4 p-5">
        {codes !== null && <BackupCodes codes={codes} onClose={() => setCodes(null)} />}
        {hasTotp ? (
          <Present backupCodes={backupCodes} />
        ) : setup === null ? (
          <>
            <p className="text-ink-2 text-sm">With an app on your phone, your password is not enough to sign in.</p>
            <Button busy={begin.isPending} onClick={() => begin.mutate()}>
              Set it up
            </Button>
          </>
        ) : (
          <Confirm setup={setup} onCodes={setCodes} />
        )}
      </div>
    </Card>
  )
}

type ConfirmProps = {
  readonly setup: Schemas['AuthenticatorSetup']
  readonly onCodes: (codes: readonly string[]) => void
}

function Confirm({ setup, onCodes }: ConfirmProps) {
  const { values, field } = useFields({ code: '' })
  const { code } = values
  const confirm = useChange({
    act: () => post('/accounts/totp/confirm', { body: { code: code.trim() } }),
    onDone: ({ backup_codes }) => onCodes(backup_codes),
    reload: [account],
  })
  return (
    <Form
      error={confirm.error}
      onSubmit={() => confirm.mutate()}
      className="grid gap-5 sm:grid-cols-[160px_minmax(0,1fr)]"
    >
      <div
        role="img"
        aria-label="QR code for the authenticator app"
        className="size-40 overflow-hidden rounded-md bg-white p-2 [&>svg]:size-full"
        // biome-ignore lint/security/noDangerouslySetInnerHtml: the service draws it, and the policy admits no data: image
        dangerouslySetInnerHTML={{ __html: setup.qr_svg }}
      />
      <div className="min-w-0 space-y-4">
        <p className="text-ink-2 text-sm">
          Scan the QR code with your app, or enter <Copyable text={setup.secret} />
        </p>
        <TextField
          {...field('code')}
          label="Code from the app"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
        />
        <FormError error={confirm.error} />
        <Button type="submit" tone="primary" busy={confirm.isPending}>
          Turn it on
        </Button>
      </div>
    </Form>
  )
}

type CodesProps = { readonly codes: readonly string[]; readonly onClose: () => void }

function BackupCodes({ codes, onClose }: CodesProps) {
  return (
    <NoticeDialog
      mustBeRead
      onClose={onClose}
      title="Save these backup codes"
      lead="They are shown only once. Each signs you in once, without the app."
      close="I have saved them"
    >
      <ul className="grid grid-cols-2 gap-x-4 gap-y-1 font-mono text-sm">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </NoticeDialog>
  )
}

function Present({ backupCodes }: { readonly backupCodes: number }) {
  const [isRemoving, setRemoving] = useState(false)
  return (
    <>
      <p className="text-ink-2 text-sm">
        Each sign-in asks for its code. You have {plural(backupCodes, 'backup code')} left, in case you lose it.
      </p>
      <Button tone="danger" onClick={() => setRemoving(true)}>
        Remove it
      </Button>
      <ChangeDialog
        open={isRemoving}
        onClose={() => setRemoving(false)}
        title="Remove the authenticator app"
        lead="After that, your password is enough to sign in. Your backup codes are deleted."
        confirm="Remove"
        danger
        act={() => del('/accounts/totp')}
        onDone={() => setRemoving(false)}
        reload={[account]}
      />
    </>
  )
}
