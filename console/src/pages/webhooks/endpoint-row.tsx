import { useState } from 'react'
import { del, patch, post, type Schemas } from '../../api/client.ts'
import { useScopeRefusal } from '../../api/permissions.ts'
import { useChange, useReload } from '../../api/use-change.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { ChangeDialog } from '../../change-dialog.tsx'
import { dateTime, plural } from '../../format.ts'
import { EndpointPill } from '../../statuses.tsx'
import { Button } from '../../ui/button.tsx'
import { RowMenu } from '../../ui/row-menu.tsx'
import { tell } from '../../ui/untold.ts'
import { EndpointForm } from './endpoint-form.tsx'
import { ENDPOINT_LISTS } from './queries.ts'

type Endpoint = Schemas['WebhookEndpoint']
type Props = {
  readonly endpoint: Endpoint
  readonly publisherId: string
  readonly onSecret: (secret: string) => void
}

type Asked = 'change' | 'recover' | 'rotate' | 'disable' | 'delete'

/** An endpoint with its actions. */
export function EndpointRow({ endpoint, publisherId, onSecret }: Props) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const refusal = useScopeRefusal(publisherId)('webhooks:write')
  const isEnabled = endpoint.status === 'enabled'
  const params = { path: { endpoint_id: endpoint.endpoint_id } }
  const test = useMutation({
    mutationFn: () => post('/webhooks/endpoints/{endpoint_id}/test', { ...params, publisher: publisherId }),
    onSuccess: () => tell('A test event is on its way'),
  })
  const enable = useChange({
    done: 'Endpoint enabled',
    reload: ENDPOINT_LISTS,
    isForm: false,
    act: () => post('/webhooks/endpoints/{endpoint_id}/enable', { ...params, publisher: publisherId }),
  })
  const dialog = { endpoint, publisherId, onSecret, onClose: () => setAsked(null) }
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
      <div className="min-w-0 flex-1 basis-60">
        <p className="break-all font-mono text-xs">{endpoint.url}</p>
        {endpoint.description !== null && <p className="mt-0.5 text-ink-2 text-sm">{endpoint.description}</p>}
        <p className="mt-1 flex flex-wrap items-center gap-2 text-ink-3 text-xs">
          <EndpointPill endpoint={endpoint} />
          <span title={endpoint.event_types?.join(', ')}>{formatEvents(endpoint)}</span>
          {endpoint.decides_outcomes && <span>decides outcomes of redemptions</span>}
          {endpoint.failing_since !== null && <span>failing since {dateTime(endpoint.failing_since)}</span>}
        </p>
      </div>
      <div className="flex gap-2">
        <Button
          busy={test.isPending}
          refusal={refusal ?? (isEnabled ? null : `The endpoint is ${endpoint.status}: enable it first.`)}
          onClick={() => test.mutate()}
        >
          Send test event
        </Button>
        <Button refusal={refusal} onClick={() => setAsked('recover')}>
          Recover
        </Button>
        <RowMenu
          of={endpoint.url}
          refusal={refusal}
          acts={[
            { label: 'Change', onSelect: () => setAsked('change') },
            { label: 'New secret', onSelect: () => setAsked('rotate') },
            isEnabled
              ? { label: 'Disable', onSelect: () => setAsked('disable') }
              : { label: 'Enable', onSelect: () => enable.mutate() },
            { label: 'Delete', danger: true, onSelect: () => setAsked('delete') },
          ]}
        />
      </div>
      {asked === 'change' && <EndpointForm {...dialog} />}
      {asked === 'recover' && <RecoverDialog {...dialog} />}
      {asked === 'rotate' && <RotateDialog {...dialog} />}
      {asked === 'disable' && <DisableDialog {...dialog} />}
      {asked === 'delete' && <DeleteDialog {...dialog} />}
    </li>
  )
}

const NAMED_MAX = 3

function formatEvents({ event_types: types }: Endpoint): string {
  if (types === null) return 'All events'
  return types.length <= NAMED_MAX ? types.join(', ') : plural(types.length, 'event type', 'event types')
}

type DialogProps = Props & { readonly onClose: () => void }

const DAY_MS = 86_400_000

function RecoverDialog({ endpoint, publisherId, onClose }: DialogProps) {
  const reload = useReload()
  const since = endpoint.failing_since ?? new Date(Date.now() - DAY_MS).toISOString()
  const params = { path: { endpoint_id: endpoint.endpoint_id } }
  return (
    <ChangeDialog
      onClose={onClose}
      title="Deliver missed events"
      lead={`Every event since ${dateTime(since)} that the endpoint has not accepted is sent again.`}
      confirm="Recover"
      act={async () => {
        const body = { since }
        await post('/webhooks/endpoints/{endpoint_id}/recover', { ...params, body, publisher: publisherId })
        await reload('/webhooks/deliveries')
      }}
      done="Missed events are being delivered"
      reload={ENDPOINT_LISTS}
    />
  )
}

function RotateDialog({ endpoint, publisherId, onClose, onSecret }: DialogProps) {
  const params = { path: { endpoint_id: endpoint.endpoint_id } }
  return (
    <ChangeDialog
      onClose={onClose}
      title="Create a new secret"
      lead="For 24 hours, webhooks are signed with both secrets, so that the receiver can switch without interruption. After that, the current secret is no longer used."
      confirm="Create it"
      act={() => post('/webhooks/endpoints/{endpoint_id}/rotate-secret', { ...params, publisher: publisherId })}
      onDone={({ secret }) => {
        onClose()
        onSecret(secret)
      }}
    />
  )
}

function DisableDialog({ endpoint, publisherId, onClose }: DialogProps) {
  const params = { path: { endpoint_id: endpoint.endpoint_id } }
  return (
    <ChangeDialog
      onClose={onClose}
      title="Disable the endpoint"
      lead="Nothing is sent to it until you enable it again. “Recover” then sends what it missed."
      confirm="Disable it"
      act={() => {
        const body = { disabled: true }
        return patch('/webhooks/endpoints/{endpoint_id}', { ...params, body, publisher: publisherId })
      }}
      done="Endpoint disabled"
      reload={ENDPOINT_LISTS}
    />
  )
}

function DeleteDialog({ endpoint, publisherId, onClose }: DialogProps) {
  const params = { path: { endpoint_id: endpoint.endpoint_id } }
  return (
    <ChangeDialog
      onClose={onClose}
      title="Delete the endpoint"
      lead={`Pending deliveries to ${endpoint.url} are discarded, and so is its secret. This cannot be undone.`}
      confirm="Delete it"
      danger
      act={() => del('/webhooks/endpoints/{endpoint_id}', { ...params, publisher: publisherId })}
      done="Endpoint deleted"
      reload={ENDPOINT_LISTS}
    />
  )
}
