import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { actingFor, api, bodyOf, Refused } from '../../api/client.ts'
import { erasure } from '../../api/people-queries.ts'
import { dateTime, plural } from '../../format.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Facts } from '../../ui/facts.tsx'
import { TextField } from '../../ui/field.tsx'

type Props = { readonly publisher: string; readonly user: string; readonly onClose: () => void }

/** Erases a user after their identifier was typed, and shows the proof. */
export function EraseDialog({ publisher, user, onClose }: Props) {
  const [typed, setTyped] = useState('')
  const erase = useMutation({
    mutationFn: () =>
      bodyOf(
        api.POST('/users/{publisher_user_id}/erase', {
          params: { path: { publisher_user_id: user } },
          body: { confirm: typed },
          ...actingFor(publisher),
        }),
      ),
    meta: { shown: true },
  })
  const fields = erase.error instanceof Refused ? erase.error.fields : {}
  if (erase.data !== undefined) return <Proof publisher={publisher} erasureId={erase.data.erasure_id} />
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Erase the user"
      lead="This cannot be undone."
      confirm="Erase for good"
      danger
      busy={erase.isPending}
      error={erase.error?.message}
      refusal={typed === user ? null : `Type ${user} first.`}
      onConfirm={() => erase.mutate()}
    >
      <ul className="list-disc space-y-1 pl-5 text-ink-2 text-sm">
        <li>The user is deactivated, and their cards are unlinked.</li>
        <li>Everything that identifies them is erased within a day, usually within seconds.</li>
        <li>Amounts, days, brands and states stay under a pseudonym, so that the books still add up.</li>
        <li>What is available stays in the books, and nobody can redeem it: pay it out first if it is due.</li>
        <li>The identifier cannot be registered again.</li>
      </ul>
      <TextField
        name="confirm"
        label={`Type ${user} to confirm`}
        value={typed}
        onChange={setTyped}
        error={fields['confirm']}
        autoComplete="off"
      />
    </ConfirmDialog>
  )
}

/** How far the erasure is; it goes on when the dialog is closed. */
function Proof({ publisher, erasureId }: { readonly publisher: string; readonly erasureId: string }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { data } = useQuery(erasure(publisher, erasureId))
  const leave = async () => {
    await navigate({ to: '/publishers/$publisher/users', params: { publisher } })
    client.removeQueries({ queryKey: ['user', publisher] })
    await client.invalidateQueries({ queryKey: ['users', publisher] })
  }
  const isDone = data?.status === 'done'
  const rows = Object.values(data?.counts ?? {}).reduce((sum, one) => sum + one, 0)
  return (
    <ConfirmDialog
      open
      onClose={leave}
      title={isDone ? 'The user is erased' : 'The user is being erased'}
      lead={isDone ? 'Keep the proof, if the user asked for it.' : 'It continues when you leave this page.'}
      confirm="Done"
      onConfirm={leave}
    >
      <div role="status">
        <Facts
          facts={[
            ['Proof', <Copyable key="id" text={erasureId} />],
            ['Pseudonym', data?.pseudonym],
            ['Changed so far', plural(rows, 'row')],
            ['Done', data?.done_at ? dateTime(data.done_at) : 'Not yet'],
            ['SHA-256', data?.sha256 ? <Copyable key="hash" text={data.sha256} /> : null],
          ]}
        />
      </div>
    </ConfirmDialog>
  )
}
