import { patch, post, type Schemas } from '../../api/client.ts'
import { useScopeRefusal } from '../../api/permissions.ts'
import { ChangeDialog } from '../../change-dialog.tsx'
import { Checks } from '../../ui/form/checks.tsx'
import { SelectField, TextField } from '../../ui/form/field.tsx'
import { pick, useEdits } from '../../ui/form/use-edits.ts'
import { EVENT_TYPES } from './event-types.ts'
import { ENDPOINT_LISTS, endpoints } from './queries.ts'

type EventType = Schemas['EventType']
type Content = Pick<Schemas['WebhookEndpoint'], 'url' | 'event_types' | 'description' | 'decides_outcomes'>
type Props = {
  readonly publisherId: string
  /** The endpoint to change. Without one, a new endpoint is registered. */
  readonly endpoint?: Schemas['WebhookEndpoint']
  readonly onClose: () => void
  readonly onSecret: (secret: string) => void
}

const WHICH = [
  ['all', 'All, including types added later'],
  ['some', 'Only those selected below'],
] as const
const DECIDES = [['yes', 'Its response to redemption.sent decides the outcome']] as const

const NEW: Content = { url: '', event_types: null, description: null, decides_outcomes: false }

/** Registers or changes an endpoint. */
export function EndpointForm({ publisherId, endpoint, onClose, onSecret }: Props) {
  const { draft, seen, changed, edit, field, rebase } = useEdits<Content, Draft>(endpoint ?? NEW, buildDraft)
  const mayDecide = useScopeRefusal(publisherId)('rewards:write')
  const { event_types: types, decides_outcomes } = draft
  const body = {
    url: draft.url.trim(),
    event_types: types && [...types],
    description: draft.description.trim() || null,
    decides_outcomes,
  }
  return (
    <ChangeDialog
      wide
      onClose={onClose}
      title={endpoint === undefined ? 'New endpoint' : 'Change the endpoint'}
      lead="Events are signed, sent as they happen, and retried until the endpoint accepts them."
      confirm={endpoint === undefined ? 'Register it' : 'Save'}
      refusal={findRefusal(body) ?? (changed.length === 0 ? 'Nothing has changed.' : null)}
      act={async () => {
        if (endpoint === undefined) {
          const made = await post('/webhooks/endpoints', { body, publisher: publisherId })
          onSecret(made.secret)
          return
        }
        const path = { endpoint_id: endpoint.endpoint_id }
        const expected = pick(seen, changed) as Schemas['ExpectedWebhookEndpoint']
        const change = { ...pick(body, changed), expected }
        await patch('/webhooks/endpoints/{endpoint_id}', { publisher: publisherId, path, body: change })
      }}
      done={endpoint === undefined ? 'Endpoint registered' : 'Endpoint changed'}
      reload={ENDPOINT_LISTS}
      onStale={[
        endpoints(publisherId),
        (fresh) => rebase(fresh.find(({ endpoint_id }) => endpoint_id === endpoint?.endpoint_id)),
      ]}
    >
      <TextField {...field('url')} label="URL" help="For example https://example.com/webhooks." required />
      <TextField {...field('description')} label="Description" />
      <EventTypes
        types={types}
        start={buildDraft(seen).event_types ?? []}
        onChange={(chosen) => edit('event_types', chosen)}
      />
      <Checks
        legend="Redemptions"
        options={DECIDES}
        chosen={decides_outcomes ? ['yes'] : []}
        onChange={(chosen) => edit('decides_outcomes', chosen.length > 0)}
        disabled={mayDecide !== null}
        help={mayDecide ?? 'For a receiver that pays users itself.'}
      />
    </ChangeDialog>
  )
}

type TypesProps = {
  /** Null for all types. */
  readonly types: readonly EventType[] | null
  /** The types that are initially checked. */
  readonly start: readonly EventType[]
  readonly onChange: (types: readonly EventType[] | null) => void
}

function EventTypes({ types, start, onChange }: TypesProps) {
  return (
    <>
      <SelectField
        name="which"
        label="Events"
        value={types === null ? 'all' : 'some'}
        options={WHICH}
        onChange={(which) => onChange(which === 'all' ? null : start)}
      />
      {types !== null && (
        <div className="max-h-52 overflow-y-auto rounded-md p-3 ring-1 ring-line">
          <Checks
            legend="Which events"
            options={EVENT_TYPES.map((type): [EventType, string] => [type, type])}
            chosen={types}
            onChange={onChange}
          />
        </div>
      )}
    </>
  )
}

type Draft = {
  readonly url: string
  readonly event_types: readonly EventType[] | null
  readonly description: string
  readonly decides_outcomes: boolean
}

function buildDraft({ url, event_types: types, description, decides_outcomes }: Content): Draft {
  const known = types && EVENT_TYPES.filter((type) => types.includes(type))
  return { url, event_types: known, description: description ?? '', decides_outcomes }
}

type Body = { readonly url: string; readonly event_types: readonly EventType[] | null }

function findRefusal({ url, event_types }: Body): string | null {
  if (url === '') return 'Enter the URL first.'
  return event_types?.length === 0 ? 'Choose at least one event type, or all.' : null
}
