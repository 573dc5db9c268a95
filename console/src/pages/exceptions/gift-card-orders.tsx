import { type ReactNode, useState } from 'react'
import { post, type Schemas } from '../../api/client.ts'
import { useRefusal } from '../../api/permissions.ts'
import { ago, money, plural } from '../../format.ts'
import { useList } from '../../lists/use-list.tsx'
import { PublisherName } from '../../publisher-filter.tsx'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ListPage } from '../../ui/list/list-page.tsx'
import type { Table } from '../../ui/list/table.tsx'
import { UNDECIDED_ORDERS } from './queries.ts'
import { ReasonDialog } from './reason-dialog.tsx'

type Order = Schemas['UndecidedOrder']

/** Gift card orders that the supplier has left undecided for more than an hour. */
export default function GiftCardOrders() {
  const refusal = useRefusal()('gift-cards:decide')
  const [ending, setEnding] = useState<Order | null>(null)
  const action = (order: Order) => (
    <Button tone="danger" refusal={refusal} onClick={() => setEnding(order)}>
      End
    </Button>
  )
  return (
    <ListPage
      title="Gift card orders"
      lead="Orders the supplier has left undecided for more than an hour. Ask the supplier about them, quoting their ids."
      {...buildTable(action)}
      {...useList(UNDECIDED_ORDERS).list}
      empty={<Empty title="No orders are waiting">The supplier has decided every order.</Empty>}
    >
      {ending !== null && (
        <ReasonDialog
          title={`End the order for ${money(ending.total, ending.currency)}`}
          lead={`Use this once the supplier confirms that nothing will be delivered. The order fails, and its money goes back to ${ending.publisher_user_id}.`}
          confirm="End the order"
          done="Order ended"
          danger
          list="/operator/gift-cards"
          act={(reason) =>
            post('/operator/gift-cards/orders/{order_id}/end', {
              path: { order_id: ending.order_id },
              body: { reason },
            })
          }
          onClose={() => setEnding(null)}
        />
      )}
    </ListPage>
  )
}

function buildTable(action: (order: Order) => ReactNode): Table<Order> {
  return {
    caption: 'Undecided orders, oldest first',
    toKey: ({ order_id }) => order_id,
    columns: [
      { header: 'Order', cell: ({ order_id }) => <Copyable text={order_id} short /> },
      {
        header: 'User',
        phone: 'title',
        cell: ({ publisher_user_id }) => publisher_user_id,
      },
      { header: 'Total', align: 'right', phone: 'amount', cell: ({ total, currency }) => money(total, currency) },
      { header: 'Requested', quiet: true, cell: ({ attempts }) => plural(attempts, 'time') },
      { header: 'Publisher', wideOnly: true, cell: ({ publisher_id }) => <PublisherName id={publisher_id} /> },
      { header: 'Waiting', quiet: true, cell: ({ waiting_since }) => ago(waiting_since) },
      { header: 'Action', align: 'right', phone: 'actions', cell: action },
    ],
    note: ({ waiting_since, attempts }) => `waits since ${ago(waiting_since)}, asked ${plural(attempts, 'time')}`,
  }
}
