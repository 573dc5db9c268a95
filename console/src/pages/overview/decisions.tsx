import { Link, type LinkProps } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { ago, plural } from '../../format.ts'
import { Card, CardTitle } from '../../ui/card.tsx'

type Queue = Schemas['DeskQueue']
type Kind = {
  readonly one: string
  readonly many: string
  /** The page where the items are decided. */
  readonly to: Exclude<LinkProps['to'], undefined>
}

const KINDS: Readonly<Record<Schemas['DeskQueueWhat'], Kind>> = {
  reviews: { one: 'merchant to review', many: 'merchants to review', to: '/reviews' },
  claims: { one: 'claim to decide', many: 'claims to decide', to: '/claims' },
  redemptions: { one: 'redemption to approve', many: 'redemptions to approve', to: '/redemptions' },
  adjustments: { one: 'adjustment to book', many: 'adjustments to book', to: '/adjustments' },
  unmatched_refunds: { one: 'refund without a purchase', many: 'refunds without a purchase', to: '/refunds' },
  unknown_postbacks: { one: 'sale without a click', many: 'sales without a click', to: '/sales' },
  gift_card_orders: { one: 'undecided gift card order', many: 'undecided gift card orders', to: '/gift-card-orders' },
  contradictions: { one: 'contradictory report', many: 'contradictory reports', to: '/contradictions' },
  broken_logins: { one: 'login to repair', many: 'logins to repair', to: '/broken-logins' },
  failing_endpoints: { one: 'failing webhook endpoint', many: 'failing webhook endpoints', to: '/endpoints' },
  budgets: { one: 'budget nearly spent', many: 'budgets nearly spent', to: '/budgets' },
  failed_facts: { one: 'failed job', many: 'failed jobs', to: '/failed-facts' },
}

/** The queues waiting for a person's decision, oldest first. */
export function Decisions({ queues }: { readonly queues: readonly Queue[] }) {
  const waiting = queues
    .filter(({ count }) => count > 0)
    .sort((a, b) => (a.oldest_at ?? '').localeCompare(b.oldest_at ?? ''))
  return (
    <Card>
      <CardTitle>Waiting for a decision</CardTitle>
      {waiting.length === 0 ? (
        <p className="px-5 pt-2 pb-5 text-ink-2">
          Nothing is waiting. Merchants to review, claims and redemptions appear here as they come in.
        </p>
      ) : (
        <ul className="mt-2 divide-y divide-line">
          {waiting.map((queue) => (
            <Waiting key={queue.what} {...queue} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function Waiting({ what, count, oldest_at }: Queue) {
  const { one, many, to } = KINDS[what]
  const text = plural(count, one, many)
  return (
    <li className="relative px-5 py-3 hover:bg-sunken/60">
      <Link to={to} className="row-link font-medium text-sm">
        {text}
      </Link>
      {oldest_at !== null && <p className="text-ink-2 text-sm">Oldest: {ago(oldest_at)}</p>}
    </li>
  )
}
