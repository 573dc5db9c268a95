import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { post, type Schemas } from '../../api/client.ts'
import { useRefusal } from '../../api/permissions.ts'
import { ago, words } from '../../format.ts'
import { PublisherName } from '../../publisher-filter.tsx'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ListPage } from '../../ui/list/list-page.tsx'
import { contradictions } from './queries.ts'
import { ReasonDialog } from './reason-dialog.tsx'

type Contradiction = Schemas['Contradiction']

/** Messages from payers and suppliers that contradict what is recorded. They leave the books unchanged. */
export default function Contradictions() {
  const [looked, setLooked] = useState<Contradiction | null>(null)
  return (
    <ListPage
      title="Contradictions"
      lead="Outside reports that conflict with the books. Nothing changes until a person decides."
      rows={useSuspenseQuery(contradictions).data}
      toKey={({ contradiction_id }) => contradiction_id}
      item={(one) => <Item one={one} onLook={() => setLooked(one)} />}
      empty={
        <Empty title="No contradictory reports">
          For example, a payout that a bank reports as paid after it had failed appears here.
        </Empty>
      }
    >
      {looked !== null && (
        <ReasonDialog
          title="Acknowledge the contradiction"
          lead="It is removed from this list, and no money moves. Correct the books with a payment or an adjustment."
          label="What was found"
          name="note"
          confirm="Acknowledge"
          done="Contradiction acknowledged"
          list={contradictions}
          act={(note) =>
            post('/operator/contradictions/{contradiction_id}/acknowledge', {
              path: { contradiction_id: looked.contradiction_id },
              body: { note },
            })
          }
          onClose={() => setLooked(null)}
        />
      )}
    </ListPage>
  )
}

function Item({ one, onLook }: { readonly one: Contradiction; readonly onLook: () => void }) {
  const refusal = useRefusal()('contradictions:acknowledge')
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-3 px-5 py-4">
      <div className="min-w-0 flex-1 basis-72">
        <h2 className="font-medium text-sm">
          {words(one.reported_by)} says {words(one.reported).toLowerCase()}; it is {words(one.known).toLowerCase()}
        </h2>
        {(one.text !== null || one.code !== null) && (
          <p className="mt-0.5 break-words text-ink-2 text-sm">{[one.code, one.text].filter(Boolean).join(': ')}</p>
        )}
        <p className="mt-1.5 flex flex-wrap items-center gap-x-2 text-ink-3 text-xs">
          <Copyable text={one.subject} short /> <PublisherName id={one.publisher_id} /> · {ago(one.recorded_at)}
          {one.reference !== null && <span>· their reference {one.reference}</span>}
        </p>
      </div>
      <Button refusal={refusal} onClick={onLook}>
        Acknowledge
      </Button>
    </li>
  )
}
