import { useState } from 'react'
import { post, type Schemas } from '../../api/client.ts'
import { useRefusal } from '../../api/permissions.ts'
import { ago, money, words } from '../../format.ts'
import { useList } from '../../lists/use-list.tsx'
import { type Owner, OwnerFields } from '../../owner-fields.tsx'
import { usePublisher } from '../../publisher.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { useFields } from '../../ui/form/use-fields.ts'
import { ListPage } from '../../ui/list/list-page.tsx'
import { UNKNOWN_SALES } from './queries.ts'
import { ReasonDialog } from './reason-dialog.tsx'

type Sale = Schemas['UnknownPostback']
type Asked = { readonly sale: Sale; readonly verdict: 'assign' | 'dismiss' }

const REASONS: Readonly<Record<Schemas['UnknownPostbackReason'], string>> = {
  no_sub_id: 'The report does not identify a click.',
  unknown_sub_id: 'The click it identifies is unknown.',
  other_network: 'The click was sent to another network.',
  outside_window: 'The click is older than the network’s window allows.',
  unknown_order: 'A rejection of an order that was never reported.',
}

/** Sales that networks reported but that could not be credited to any click. */
export default function UnknownSales() {
  const [asked, setAsked] = useState<Asked | null>(null)
  return (
    <ListPage
      title="Sales without a click"
      lead="Networks reported these sales without a known click. They earn nothing until assigned."
      {...useList(UNKNOWN_SALES).list}
      toKey={({ postback_id }) => postback_id}
      item={(sale) => <Item sale={sale} onAsk={setAsked} />}
      empty={
        <Empty title="Every reported sale has a click">
          A sale whose sub-id is missing, altered or too old appears here.
        </Empty>
      }
    >
      {asked?.verdict === 'assign' && <AssignDialog sale={asked.sale} onClose={() => setAsked(null)} />}
      {asked?.verdict === 'dismiss' && (
        <ReasonDialog
          title="Dismiss the sale"
          lead="It earns nothing. Later reports of the same sale are dismissed, too."
          confirm="Dismiss"
          done="Sale dismissed"
          danger
          list="/operator/postbacks"
          act={(reason) =>
            post('/operator/postbacks/{postback_id}/dismiss', {
              path: { postback_id: asked.sale.postback_id },
              body: { reason },
            })
          }
          onClose={() => setAsked(null)}
        />
      )}
    </ListPage>
  )
}

function Item({ sale, onAsk }: { readonly sale: Sale; readonly onAsk: (asked: Asked) => void }) {
  const refusal = useRefusal()('postbacks:decide')
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-3 px-5 py-4">
      <div className="min-w-0 flex-1 basis-72">
        <h2 className="num font-medium text-sm">
          {sale.amount === null ? 'A sale' : money(sale.amount, sale.currency)} at {words(sale.network)}, {sale.status}
        </h2>
        <p className="mt-0.5 text-ink-2 text-sm">{REASONS[sale.reason]}</p>
        <p className="mt-1 text-ink-3 text-xs">
          {[
            sale.order_id !== null && `order ${sale.order_id}`,
            sale.commission !== null && `commission ${money(sale.commission, sale.currency)}`,
            ago(sale.received_at),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <details className="mt-1 text-sm">
          <summary className="inline-flex min-h-6 cursor-default items-center text-ink-2 hover:text-ink max-sm:min-h-10">
            Original report
          </summary>
          <pre className="mt-2 overflow-x-auto rounded-md bg-sunken p-3 font-mono text-xs">
            {JSON.stringify(sale.content, null, 2)}
          </pre>
        </details>
      </div>
      <div className="flex gap-2">
        <Button
          refusal={
            refusal ??
            (sale.reason === 'unknown_order' ? 'A rejection of an unknown order has no sale to assign.' : null)
          }
          onClick={() => onAsk({ sale, verdict: 'assign' })}
        >
          Assign
        </Button>
        <Button tone="danger" refusal={refusal} onClick={() => onAsk({ sale, verdict: 'dismiss' })}>
          Dismiss
        </Button>
      </div>
    </li>
  )
}

function AssignDialog({ sale, onClose }: { readonly sale: Sale; readonly onClose: () => void }) {
  const chosen = usePublisher()
  const [owner, setOwner] = useState<Owner>({ publisher: chosen?.publisher_id ?? '', user: '' })
  const { values, field } = useFields({ offer_uid: '' })
  const { offer_uid: offer } = values
  return (
    <ReasonDialog
      title="Assign the sale"
      lead="It is credited to the user’s last click on the offer before the sale, as are later reports of the same sale."
      confirm="Assign"
      done={`Sale credited to ${owner.user}`}
      list="/operator/postbacks"
      act={(reason) => {
        const body = { publisher_id: owner.publisher, publisher_user_id: owner.user, offer_uid: offer, reason }
        const params = { path: { postback_id: sale.postback_id } }
        return post('/operator/postbacks/{postback_id}/assign', { ...params, body })
      }}
      onClose={onClose}
    >
      <OwnerFields owner={owner} onChange={setOwner} />
      <TextField {...field('offer_uid')} label="Offer" help="Its id (off_…)." required />
    </ReasonDialog>
  )
}
