import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { del, patch, type Schemas } from '../../api/client.ts'
import { addPasskey } from '../../api/passkeys.ts'
import { passkeys } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { ChangeDialog } from '../../change-dialog.tsx'
import { ago, day } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardTitle } from '../../ui/card.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { Form, FormError } from '../../ui/form/form.tsx'
import { useFields } from '../../ui/form/use-fields.ts'

type Passkey = Schemas['Passkey']

/** The devices that can sign in without a password or a code. */
export function Passkeys() {
  const { data } = useSuspenseQuery(passkeys)
  const [renaming, setRenaming] = useState<Passkey | null>(null)
  const [removing, setRemoving] = useState<Passkey | null>(null)
  return (
    <Card>
      <CardTitle>Passkeys</CardTitle>
      {data.content.length > 0 && (
        <ul className="mt-3 divide-y divide-line border-line border-y">
          {data.content.map((passkey) => (
            <li key={passkey.passkey_id} className="flex flex-wrap items-center gap-3 px-5 py-3">
              <div className="min-w-0 flex-1">
                <p className="truncate text-sm">{passkey.name}</p>
                <p className="text-ink-3 text-xs">
                  Added {day(passkey.created_at)},{' '}
                  {passkey.last_used_at === null ? 'not used yet' : `last used ${ago(passkey.last_used_at)}`}
                </p>
              </div>
              <Button onClick={() => setRenaming(passkey)} aria-label={`Rename ${passkey.name}`}>
                Rename
              </Button>
              <Button tone="danger" onClick={() => setRemoving(passkey)} aria-label={`Remove ${passkey.name}`}>
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className="p-5">{data.origin === location.origin ? <Add /> : <Elsewhere origin={data.origin} />}</div>
      {renaming !== null && <RenameDialog passkey={renaming} onClose={() => setRenaming(null)} />}
      {removing !== null && <RemoveDialog passkey={removing} onClose={() => setRemoving(null)} />}
    </Card>
  )
}

function Add() {
  const { values, set, field } = useFields({ passkey_name: '' })
  const { passkey_name: name } = values
  const add = useChange({
    act: () => addPasskey(name),
    onDone: () => set({ passkey_name: '' }),
    done: ['Passkey added', 'You can sign in with it from now on.'],
    reload: [passkeys],
  })
  return (
    <Form error={add.error} onSubmit={() => add.mutate()} className="space-y-4">
      <p className="text-ink-2 text-sm">
        Your phone or computer signs you in with a fingerprint, face or PIN, without a password or code.
      </p>
      <TextField
        {...field('passkey_name')}
        label="Name of the device"
        help="A name to recognize it by, such as “Work laptop”."
        required
      />
      <FormError error={add.error} />
      <Button type="submit" busy={add.isPending}>
        Add a passkey
      </Button>
    </Form>
  )
}

/** Links to the console at the only address where passkeys work, because browsers bind them to the host name. */
function Elsewhere({ origin }: { readonly origin: string }) {
  return (
    <p className="text-ink-2 text-sm">
      Passkeys belong to{' '}
      <a href={`${origin}${import.meta.env.BASE_URL}account`} className="text-brand-ink underline underline-offset-2">
        {origin}
      </a>
      . Open the console there to add one.
    </p>
  )
}

type DialogProps = { readonly passkey: Passkey; readonly onClose: () => void }

function RenameDialog({ passkey: { passkey_id, name: before }, onClose }: DialogProps) {
  const { values, field } = useFields({ name: before })
  const { name } = values
  return (
    <ChangeDialog
      onClose={onClose}
      title="Rename the passkey"
      confirm="Rename"
      act={() => patch('/accounts/passkeys/{passkey_id}', { path: { passkey_id }, body: { name } })}
      reload={[passkeys]}
    >
      <TextField {...field('name')} label="Name of the device" required />
    </ChangeDialog>
  )
}

function RemoveDialog({ passkey: { passkey_id, name }, onClose }: DialogProps) {
  return (
    <ChangeDialog
      onClose={onClose}
      title={`Remove ${name}`}
      lead="The device can no longer sign in. Sessions that it opened continue; end them below."
      confirm="Remove"
      danger
      act={() => del('/accounts/passkeys/{passkey_id}', { path: { passkey_id } })}
      done="Passkey removed"
      reload={[passkeys]}
    />
  )
}
