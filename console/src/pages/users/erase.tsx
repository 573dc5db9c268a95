import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { post } from '../../api/client.ts'
import { useReload } from '../../api/use-change.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { dateTime, plural } from '../../format.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { Facts } from '../../ui/facts.tsx'
import { ConfirmDialog, NoticeDialog } from '../../ui/form/dialog.tsx'
import { erasure } from './queries.ts'

type Props = { readonly publisher: string; readonly user: string; readonly onClose: () => void }

/** Erases a user once their identifier has been typed, and shows the proof. */
export function EraseDialog({ publisher, user, onClose }: Props) {
  const erase = useMutation({
    mutationFn: () =>
      post('/users/{publisher_user_id}/erase', {
        path: { publisher_user_id: user },
        body: { confirm: user },
        publisher,
      }),
    meta: { shown: true },
  })
  if (erase.data !== undefined) return <Proof publisher={publisher} user={user} erasureId={erase.data.erasure_id} />
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Erase the user"
      lead="This cannot be undone."
      confirm="Erase for good"
      danger
      phrase={user}
      change={erase}
    >
      <ul className="list-disc space-y-1 pl-5 text-ink-2 text-sm">
        <li>The user is deactivated, and their cards are unlinked.</li>
        <li>Everything that identifies them is erased within a day, usually within seconds.</li>
        <li>Amounts, days, brands and states stay under a pseudonym, so that the books still add up.</li>
        <li>What is available stays in the books, and nobody can redeem it: pay it out first if it is due.</li>
        <li>The identifier cannot be registered again.</li>
      </ul>
    </ConfirmDialog>
  )
}

/** The progress of the erasure, which continues even if the dialog is closed. */
function Proof({ publisher, user, erasureId }: Omit<Props, 'onClose'> & { readonly erasureId: string }) {
  const client = useQueryClient()
  const reload = useReload()
  const navigate = useNavigate()
  const { data } = useQuery(erasure(publisher, erasureId))
  const leave = async () => {
    await navigate({ to: '/publishers/$publisher/users', params: { publisher } })
    client.removeQueries({ queryKey: ['users', user] })
    await reload('/users')
  }
  const isDone = data?.status === 'done'
  const rows = Object.values(data?.counts ?? {}).reduce((sum, one) => sum + one, 0)
  return (
    <NoticeDialog
      onClose={leave}
      title={isDone ? 'The user is erased' : 'The user is being erased'}
      lead={isDone ? 'Keep the proof if the user requested the erasure.' : 'It continues even if you leave this page.'}
      close="Done"
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
    </NoticeDialog>
  )
}
