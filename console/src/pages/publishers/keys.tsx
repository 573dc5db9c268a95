import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { del, type Schemas } from '../../api/client.ts'
import { useRefusal } from '../../api/permissions.ts'
import { ChangeDialog } from '../../change-dialog.tsx'
import { dateTime, day, plural } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { List } from '../../ui/list/list-page.tsx'
import type { Table } from '../../ui/list/table.tsx'
import { Pill } from '../../ui/pill.tsx'
import { PublisherHeader } from './header.tsx'
import { NewKeyDialog, SCOPES } from './new-key.tsx'
import { keys } from './queries.ts'

type Key = Schemas['ApiKey']
const route = getRouteApi('/guarded/publishers/$publisher/keys')

/** The API keys of a publisher. */
export default function Keys() {
  const { publisher } = route.useParams()
  const { data } = useSuspenseQuery(keys(publisher))
  const mayChange = useRefusal()('keys:change')
  const [isCreating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<Key | null>(null)
  const revoke = (key: Key) => (
    <Button
      tone="danger"
      refusal={key.revoked_at === null ? mayChange : 'It is revoked.'}
      onClick={() => setRevoking(key)}
    >
      Revoke
    </Button>
  )
  return (
    <>
      <PublisherHeader
        publisher={publisher}
        actions={
          <Button tone="primary" refusal={mayChange} onClick={() => setCreating(true)}>
            New key
          </Button>
        }
      />
      <List
        {...buildTable(revoke)}
        rows={data}
        empty={<Empty title="No keys yet">The publisher’s programs call the service with a key.</Empty>}
      />
      {isCreating && <NewKeyDialog publisher={publisher} onClose={() => setCreating(false)} />}
      {revoking !== null && <RevokeDialog publisher={publisher} value={revoking} onClose={() => setRevoking(null)} />}
    </>
  )
}

function buildTable(revoke: (key: Key) => ReactNode): Table<Key> {
  return {
    caption: 'Keys, oldest first',
    toKey: ({ key_id }) => key_id,
    columns: [
      { header: 'Key', phone: 'title', cell: (key) => <KeyName value={key} /> },
      { header: 'Status', phone: 'aside', cell: (key) => <KeyPill value={key} /> },
      { header: 'Scopes', quiet: true, cell: ({ scopes }) => scopesIn(scopes) },
      {
        header: 'From',
        wideOnly: true,
        quiet: true,
        cell: ({ addresses }) => addresses?.join(', ') ?? 'Everywhere',
      },
      { header: 'Last used', isTime: true, cell: ({ last_used_on: on }) => (on === null ? 'Never' : day(on)) },
      { header: 'Created', wideOnly: true, isTime: true, cell: ({ created_at }) => dateTime(created_at) },
      { header: 'Action', align: 'right', phone: 'actions', cell: revoke },
    ],
    note: ({ scopes }) => scopesIn(scopes),
  }
}

function KeyName({ value: { prefix, last_four } }: { readonly value: Key }) {
  return (
    <code className="whitespace-nowrap font-mono text-xs">
      {prefix}…{last_four}
    </code>
  )
}

function KeyPill({ value: { revoked_at, expires_at } }: { readonly value: Key }) {
  if (revoked_at !== null) return <Pill tone="neutral">Revoked {day(revoked_at)}</Pill>
  if (expires_at === null) return <Pill tone="good">Live</Pill>
  const isOver = Date.parse(expires_at) <= Date.now()
  return <Pill tone={isOver ? 'neutral' : 'good'}>{`${isOver ? 'Expired' : 'Until'} ${day(expires_at)}`}</Pill>
}

function scopesIn(scopes: Key['scopes']): string {
  if (scopes.length === SCOPES.length) return 'Everything'
  return scopes.length <= 2 ? scopes.join(', ') : plural(scopes.length, 'scope')
}

type RevokeProps = { readonly publisher: string; readonly value: Key; readonly onClose: () => void }

function RevokeDialog({ publisher, value: { key_id, prefix, last_four }, onClose }: RevokeProps) {
  return (
    <ChangeDialog
      onClose={onClose}
      title="Revoke the key"
      lead={`Programs that use ${prefix}…${last_four} are refused immediately. This cannot be undone.`}
      confirm="Revoke it"
      danger
      act={() =>
        del('/operator/publishers/{publisher_id}/keys/{key_id}', { path: { publisher_id: publisher, key_id } })
      }
      done="Key revoked"
      reload={[keys(publisher)]}
    />
  )
}
