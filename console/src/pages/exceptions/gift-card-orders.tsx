import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { undecidedOrders } from '../../api/money-queries.ts'
import { useRefusalOf } from '../../api/permissions.ts'
import { ago, money, plural } from '../../format.ts'
import { PublisherFilter, usePublisherName } from '../../publisher-filter.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Empty } from '../../ui/empty.tsx'
import { FilterBar } from '../../ui/list/filters.tsx'
import { type Column, DataTable } from '../../ui/list/table.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { ReasonDialog } from './reason-dialog.tsx'

type Order = Schemas['UndecidedOrder']
const route = getRouteApi('/guarded/gift-card-orders')

/** Orders that the supplier has neither delivered nor refused after more than an hour. */
export default function GiftCardOrders() {
  const { publisher } = route.useSearch()
  const navigate = route.useNavigate()
  const refusal = useRefusalOf()('gift-cards:decide')
  const nameOf = usePublisherName()
  const [ending, setEnding] = useState<Order | null>(null)
  const { data = [], isPlaceholderData } = useQuery(undecidedOrders(publisher))
  const action = (order: Order) => (
    <Button tone="danger" refusal={refusal} onClick={() => setEnding(order)}>
      End
    </Button>
  )
  const columns: Column<Order>[] = [
    { header: 'Order', cell: ({ order_id }) => <Copyable text={order_id} short /> },
    { header: 'User', cell: ({ publisher_user_id }) => <span className="font-medium">{publisher_user_id}</span> },
    { header: 'Total', align: 'right', cell: ({ total, currency }) => money(total, currency) },
    { header: 'Requested', cell: ({ attempts }) => <span className="text-ink-2">{plural(attempts, 'time')}</span> },
    { header: 'Publisher', wideOnly: true, cell: ({ publisher_id }) => nameOf(publisher_id) },
    { header: 'Waiting', cell: ({ waiting_since }) => <span className="text-ink-2">{ago(waiting_since)}</span> },
    { header: 'Action', align: 'right', cell: action },
  ]
  return (
    <>
      <PageHeader
        title="Gift card orders"
        lead="Orders the supplier has left undecided for more than an hour. Ask the supplier about them by their ids."
      />
      <Card>
        <FilterBar>
          <PublisherFilter
            value={publisher}
            onChange={(value) => navigate({ search: value === undefined ? {} : { publisher: value }, replace: true })}
          />
        </FilterBar>
        <DataTable
          caption="Undecided orders, the oldest first"
          columns={columns}
          rows={data}
          keyOf={({ order_id }) => order_id}
          stale={isPlaceholderData}
          empty={<Empty title="No orders are waiting">The supplier has decided every order.</Empty>}
          card={(order) => (
            <div className="min-w-0 flex-1">
              <div className="flex justify-between gap-3">
                <span className="truncate font-medium">{order.publisher_user_id}</span>
                <span className="num font-medium">{money(order.total, order.currency)}</span>
              </div>
              <p className="text-ink-3 text-xs">
                waits since {ago(order.waiting_since)}, asked {plural(order.attempts, 'time')}
              </p>
              <div className="mt-3">{action(order)}</div>
            </div>
          )}
        />
      </Card>
      {ending !== null && (
        <ReasonDialog
          title={`End the order of ${money(ending.total, ending.currency)}`}
          lead={`Use this once the supplier confirms that nothing will be delivered. The order fails, and its money goes back to ${ending.publisher_user_id}.`}
          confirm="End the order"
          done="The order has ended"
          danger
          list={['undecided-orders']}
          act={(reason) =>
            bodyOf(
              api.POST('/operator/gift-cards/orders/{order_id}/end', {
                params: { path: { order_id: ending.order_id } },
                body: { reason },
              }),
            )
          }
          onClose={() => setEnding(null)}
        />
      )}
    </>
  )
}
