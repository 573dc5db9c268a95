import { useState } from 'react'
import { actingFor, api, bodyOf, Refused, type Schemas } from '../../api/client.ts'
import { useScopeRefusalOf } from '../../api/permissions.ts'
import { Checks } from '../../ui/checks.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { EVENT_TYPES } from './event-types.ts'
import { useEndpointChange } from './use-endpoint-change.ts'

type EventType = Schemas['EventType']
type Props = {
  readonly publisherId: string
  /** The endpoint to change; without it, a new one is registered. */
  readonly endpoint?: Schemas['WebhookEndpoint']
  readonly onClose: () => void
  readonly onSecret: (secret: string) => void
}

const WHICH = [
  ['all', 'All, including types added later'],
  ['some', 'Only those selected below'],
] as const
const DECIDES = [['yes', 'Its response to redemption.sent decides the outcome']] as const

/** Registers an endpoint, or changes one. */
export function EndpointForm({ publisherId, endpoint, onClose, onSecret }: Props) {
  const [url, setUrl] = useState(endpoint?.url ?? '')
  const [description, setDescription] = useState(endpoint?.description ?? '')
  const [which, setWhich] = useState(endpoint?.event_types == null ? 'all' : 'some')
  const [types, setTypes] = useState(() => EVENT_TYPES.filter((type) => endpoint?.event_types?.includes(type)))
  const [decides, setDecides] = useState(endpoint?.decides_outcomes ?? false)
  const mayDecide = useScopeRefusalOf(publisherId)('rewards:write')
  const body = {
    ...{ url: url.trim(), event_types: which === 'all' ? null : types },
    ...{ description: description.trim() || null, decides_outcomes: decides },
  }
  const save = useEndpointChange({
    ...{
      publisherId,
      onClose,
      done: endpoint === undefined ? 'The endpoint is registered' : 'The endpoint is changed',
    },
    act: async () => {
      if (endpoint === undefined) {
        const made = await bodyOf(api.POST('/webhooks/endpoints', { body, ...actingFor(publisherId) }))
        onSecret(made.secret)
        return
      }
      const params = { path: { endpoint_id: endpoint.endpoint_id } }
      const { url, event_types, description, decides_outcomes } = endpoint
      // As the service stores them, in its order.
      const expected = { url, event_types: event_types as EventType[] | null, description, decides_outcomes }
      const change = { params, body: { ...body, expected }, ...actingFor(publisherId) }
      await bodyOf(api.PATCH('/webhooks/endpoints/{endpoint_id}', change))
    },
  })
  const fields = save.error instanceof Refused ? save.error.fields : {}
  return (
    <ConfirmDialog
      open
      wide
      onClose={onClose}
      title={endpoint === undefined ? 'New endpoint' : 'Change the endpoint'}
      lead="Events are signed, sent as they happen, and retried until the endpoint accepts them."
      confirm={endpoint === undefined ? 'Register it' : 'Save'}
      busy={save.isPending}
      error={fields['url'] === undefined ? save.error?.message : undefined}
      refusal={refusalOf(body)}
      onConfirm={() => save.mutate()}
    >
      <TextField
        name="url"
        label="URL"
        value={url}
        onChange={setUrl}
        error={fields['url']}
        help="For example https://example.com/webhooks."
        required
      />
      <TextField name="description" label="Description" value={description} onChange={setDescription} />
      <SelectField name="which" label="Events" value={which} options={WHICH} onChange={setWhich} />
      {which === 'some' && (
        <div className="max-h-52 overflow-y-auto rounded-md p-3 ring-1 ring-line">
          <Checks
            legend="Which events"
            options={EVENT_TYPES.map((type): [EventType, string] => [type, type])}
            chosen={types}
            onChange={(chosen) => setTypes([...chosen])}
          />
        </div>
      )}
      <Checks
        legend="Redemptions"
        options={DECIDES}
        chosen={decides ? ['yes'] : []}
        onChange={(chosen) => setDecides(chosen.length > 0)}
        disabled={mayDecide !== null}
        help={mayDecide ?? 'For a receiver that pays users itself.'}
      />
    </ConfirmDialog>
  )
}

type Body = { readonly url: string; readonly event_types: readonly EventType[] | null }

function refusalOf({ url, event_types }: Body): string | null {
  if (url === '') return 'Enter the URL first.'
  return event_types?.length === 0 ? 'Choose at least one event type, or all.' : null
}
