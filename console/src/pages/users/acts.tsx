import { useState } from 'react'
import { del, post, type Schemas } from '../../api/client.ts'
import { useRefusal, useScopeRefusal } from '../../api/permissions.ts'
import { ChangeDialog } from '../../change-dialog.tsx'
import { Button } from '../../ui/button.tsx'
import { ProposeDialog } from '../adjustments/propose.tsx'
import { EnterPortal } from './enter-portal.tsx'
import { EraseDialog } from './erase.tsx'
import { ExportDialog } from './export.tsx'

type User = Schemas['User']
type Props = { readonly publisher: string; readonly user: User }

/** The actions available for a user. */
export function Acts({ publisher, user }: Props) {
  const [open, setOpen] = useState<'adjust' | 'export' | 'deactivate' | 'reactivate' | 'erase' | null>(null)
  const findRefusal = useRefusal()
  const mayWrite = useScopeRefusal(publisher)('users:write')
  const close = () => setOpen(null)
  const isInactive = user.account_status === 'INACTIVE'
  return (
    <div className="ml-auto flex flex-wrap gap-2 max-sm:w-full">
      {!isInactive && <EnterPortal publisher={publisher} user={user.publisher_user_id} />}
      <Button refusal={findRefusal('adjustments:request')} onClick={() => setOpen('adjust')}>
        Adjust
      </Button>
      <Button onClick={() => setOpen('export')}>Export</Button>
      {isInactive ? (
        <Button refusal={mayWrite} onClick={() => setOpen('reactivate')}>
          Reactivate
        </Button>
      ) : (
        <Button refusal={mayWrite} onClick={() => setOpen('deactivate')}>
          Deactivate
        </Button>
      )}
      <Button tone="danger" refusal={mayWrite} onClick={() => setOpen('erase')}>
        Erase
      </Button>
      {open === 'adjust' && <ProposeDialog owner={{ publisher, user: user.publisher_user_id }} onClose={close} />}
      {open === 'export' && <ExportDialog publisher={publisher} user={user.publisher_user_id} onClose={close} />}
      {open === 'deactivate' && <StatusDialog publisher={publisher} user={user} onClose={close} />}
      {open === 'reactivate' && <StatusDialog publisher={publisher} user={user} onClose={close} />}
      {open === 'erase' && <EraseDialog publisher={publisher} user={user.publisher_user_id} onClose={close} />}
    </div>
  )
}

/** Deactivates or reactivates a user. */
function StatusDialog({ publisher, user, onClose }: Props & { readonly onClose: () => void }) {
  const isInactive = user.account_status === 'INACTIVE'
  const path = { publisher_user_id: user.publisher_user_id }
  return (
    <ChangeDialog
      onClose={onClose}
      title={isInactive ? 'Reactivate the user' : 'Deactivate the user'}
      lead={
        isInactive
          ? 'They earn again once they have accepted the current terms. Cards must be linked again.'
          : 'Cards are unlinked immediately and nothing new is earned. Pending rewards still become available.'
      }
      confirm={isInactive ? 'Reactivate' : 'Deactivate'}
      danger={!isInactive}
      act={() =>
        isInactive
          ? post('/users/{publisher_user_id}/reactivate', { path, publisher })
          : del('/users/{publisher_user_id}', { path, query: { pending: 'true' }, publisher })
      }
      done={isInactive ? 'User reactivated' : 'User deactivated'}
      reload={['/users', '/linker/linked-cards']}
    />
  )
}
