import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { useRefusal } from '../../api/permissions.ts'
import { publishers } from '../../api/queries.ts'
import { dateTime } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { type Column, DataTable } from '../../ui/list/table.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { Pill, type Tone } from '../../ui/pill.tsx'
import { PublishDialog } from './publish.tsx'
import { terms } from './queries.ts'
import { findStanding, type Standing } from './standing.ts'

type Published = Schemas['PublishedTerms']

/** The documents that users accept: the service's own, and those of individual publishers. */
export default function Terms() {
  const { data } = useSuspenseQuery(terms)
  const { data: known } = useSuspenseQuery(publishers)
  const mayPublish = useRefusal()('terms:publish')
  const [isPublishing, setPublishing] = useState(false)
  const bound = ({ publisher_id }: Published) =>
    publisher_id === null
      ? 'Every publisher without terms of its own'
      : (known.find((one) => one.publisher_id === publisher_id)?.name ?? publisher_id)
  const columns: Column<Published>[] = [
    { header: 'Revision', phone: 'title', cell: (document) => <DocumentLink document={document} /> },
    {
      header: 'Status',
      phone: 'aside',
      cell: (document) => <StandingPill standing={findStanding(document, data)} />,
    },
    { header: 'Applies to users of', quiet: true, cell: bound },
    {
      header: 'Required from',
      isTime: true,
      cell: ({ required_from: at }) => <time dateTime={at}>{dateTime(at)}</time>,
    },
    { header: 'No.', align: 'right', wideOnly: true, cell: ({ id }) => id },
  ]
  return (
    <>
      <PageHeader
        title="Terms"
        lead="Users must accept the current terms to earn rewards."
        actions={
          <Button tone="primary" refusal={mayPublish} onClick={() => setPublishing(true)}>
            Publish a revision
          </Button>
        }
      />
      <Card>
        <DataTable
          caption="Revisions of terms, newest first"
          columns={columns}
          rows={[...data].reverse()}
          toKey={({ id }) => String(id)}
          empty={
            <Empty title="No terms published yet">
              Publish the first revision; until then nobody can accept anything, and nobody earns.
            </Empty>
          }
          note={bound}
        />
      </Card>
      {isPublishing && <PublishDialog onClose={() => setPublishing(false)} />}
    </>
  )
}

function DocumentLink({ document: { url, revision } }: { readonly document: Published }) {
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      className="block max-w-64 truncate font-medium text-brand-ink hover:underline"
    >
      {revision}
    </a>
  )
}

const STANDINGS = {
  announced: ['Announced', 'waiting'],
  required: ['Required', 'good'],
  superseded: ['Superseded', 'neutral'],
} as const satisfies Readonly<Record<Standing, readonly [label: string, tone: Tone]>>

function StandingPill({ standing }: { readonly standing: Standing }) {
  const [label, tone] = STANDINGS[standing]
  return <Pill tone={tone}>{label}</Pill>
}
