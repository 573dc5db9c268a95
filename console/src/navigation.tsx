import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, type LinkProps, useNavigate } from '@tanstack/react-router'
import ArrowLeftRight from 'lucide-react/icons/arrow-left-right'
import BadgePercent from 'lucide-react/icons/badge-percent'
import Banknote from 'lucide-react/icons/banknote'
import BookOpenText from 'lucide-react/icons/book-open-text'
import Building2 from 'lucide-react/icons/building-2'
import ClipboardCheck from 'lucide-react/icons/clipboard-check'
import Clock from 'lucide-react/icons/clock'
import FileText from 'lucide-react/icons/file-text'
import Gift from 'lucide-react/icons/gift'
import HandCoins from 'lucide-react/icons/hand-coins'
import Landmark from 'lucide-react/icons/landmark'
import LayoutDashboard from 'lucide-react/icons/layout-dashboard'
import MapPin from 'lucide-react/icons/map-pin'
import MessageCircleQuestion from 'lucide-react/icons/message-circle-question-mark'
import MousePointerClick from 'lucide-react/icons/mouse-pointer-click'
import Scale from 'lucide-react/icons/scale'
import ScrollText from 'lucide-react/icons/scroll-text'
import Shapes from 'lucide-react/icons/shapes'
import Smartphone from 'lucide-react/icons/smartphone'
import Split from 'lucide-react/icons/split'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import Undo2 from 'lucide-react/icons/undo-2'
import Webhook from 'lucide-react/icons/webhook'
import type { Schemas } from './api/client.ts'
import { type Permission, useRefusalOf } from './api/permissions.ts'
import { desk, publishers } from './api/queries.ts'
import { usePublisher } from './publisher.ts'
import type { LucideIcon } from './ui/icon.ts'

type Page = {
  readonly to: NonNullable<LinkProps['to']>
  readonly label: string
  readonly icon: LucideIcon
  /** Without it the page is not offered; null when everybody may see it. */
  readonly permission: Permission | null
  /** The queue of the desk whose length is shown beside the label. */
  readonly waiting?: Schemas['DeskQueueWhat']
}

const WORK: readonly Page[] = [
  { to: '/', label: 'Overview', icon: LayoutDashboard, permission: null },
  { to: '/reviews', label: 'Reviews', icon: ClipboardCheck, permission: 'reviews:read', waiting: 'reviews' },
  { to: '/claims', label: 'Claims', icon: MessageCircleQuestion, permission: 'claims:read', waiting: 'claims' },
  {
    to: '/redemptions',
    label: 'Redemptions',
    icon: Banknote,
    permission: 'redemptions:read',
    waiting: 'redemptions',
  },
]

const OF_PUBLISHER: readonly Page[] = [
  {
    to: '/publishers/$publisher/transactions',
    label: 'Transactions',
    icon: ArrowLeftRight,
    permission: 'transactions:read',
  },
  { to: '/publishers/$publisher/preview', label: 'As users see it', icon: Smartphone, permission: 'users:read' },
  { to: '/publishers/$publisher/webhooks', label: 'Webhooks', icon: Webhook, permission: 'webhooks:read' },
]

const OF_SANDBOX: readonly Page[] = [
  { to: '/publishers/$publisher/clock', label: 'Sandbox clock', icon: Clock, permission: 'publishers:read' },
]

const CATALOG: readonly Page[] = [
  { to: '/brands', label: 'Brands and offers', icon: Building2, permission: 'catalog:export' },
  { to: '/offers', label: 'Offers by state', icon: BadgePercent, permission: 'catalog:export' },
  { to: '/categories', label: 'Categories', icon: Shapes, permission: 'catalog:export' },
  { to: '/stores', label: 'Stores', icon: MapPin, permission: 'catalog:export' },
]

const MONEY: readonly Page[] = [
  { to: '/ledger', label: 'Ledger', icon: BookOpenText, permission: 'ledger:read' },
  { to: '/receivables', label: 'Receivables', icon: HandCoins, permission: 'statements:read' },
  { to: '/payments', label: 'Payments', icon: Landmark, permission: 'payments:read' },
  { to: '/statements', label: 'Statements', icon: FileText, permission: 'statements:read' },
  { to: '/adjustments', label: 'Adjustments', icon: Scale, permission: 'adjustments:read', waiting: 'adjustments' },
]

/** What does not fit what is known. */
const EXCEPTIONS: readonly Page[] = [
  { to: '/refunds', label: 'Unmatched refunds', icon: Undo2, permission: 'refunds:read', waiting: 'unmatched_refunds' },
  {
    to: '/sales',
    label: 'Sales without a click',
    icon: MousePointerClick,
    permission: 'postbacks:read',
    waiting: 'unknown_postbacks',
  },
  {
    to: '/contradictions',
    label: 'Contradictions',
    icon: Split,
    permission: 'contradictions:read',
    waiting: 'contradictions',
  },
  {
    to: '/gift-card-orders',
    label: 'Gift card orders',
    icon: Gift,
    permission: 'gift-cards:read',
    waiting: 'gift_card_orders',
  },
  {
    to: '/failed-facts',
    label: 'Failed facts',
    icon: TriangleAlert,
    permission: 'facts:read',
    waiting: 'failed_facts',
  },
]

const SYSTEM: readonly Page[] = [{ to: '/audit', label: 'Audit trail', icon: ScrollText, permission: 'audit:read' }]

/** The pages that the person may see, and what waits on them. */
export function Navigation() {
  const publisher = usePublisher()
  return (
    <nav aria-label="Main" className="flex flex-col gap-4 px-3">
      <Pages pages={WORK} />
      {publisher !== null && (
        <div>
          <PublisherChoice chosen={publisher.publisher_id} />
          <Pages
            pages={publisher.environment === 'sandbox' ? [...OF_PUBLISHER, ...OF_SANDBOX] : OF_PUBLISHER}
            publisher={publisher.publisher_id}
          />
        </div>
      )}
      <Pages title="Catalog" pages={CATALOG} />
      <Pages title="Money" pages={MONEY} />
      <Pages title="Exceptions" pages={EXCEPTIONS} />
      <Pages title="System" pages={SYSTEM} />
    </nav>
  )
}

type PagesProps = { readonly title?: string; readonly pages: readonly Page[]; readonly publisher?: string }

function Pages({ title, pages, publisher }: PagesProps) {
  const { data } = useQuery(desk)
  const refusalOf = useRefusalOf()
  const offered = pages.filter(({ permission }) => permission === null || refusalOf(permission) === null)
  if (offered.length === 0) return null
  const countOf = ({ waiting }: Page) => data?.content.find(({ what }) => what === waiting)?.count ?? 0
  return (
    <div>
      {title !== undefined && <h2 className="mb-1 px-2 text-ink-3 text-xs">{title}</h2>}
      <ul className="flex flex-col gap-0.5">
        {offered.map((page) => (
          <Item key={page.to} page={page} publisher={publisher} waiting={countOf(page)} />
        ))}
      </ul>
    </div>
  )
}

type ItemProps = { readonly page: Page; readonly publisher: string | undefined; readonly waiting: number }

function Item({ page: { to, label, icon: Icon }, publisher, waiting }: ItemProps) {
  return (
    <li>
      <Link
        to={to}
        {...(publisher === undefined ? {} : { params: { publisher } })}
        activeOptions={{ exact: to === '/', includeSearch: false }}
        className="flex h-8 items-center gap-2.5 rounded-md px-2 text-ink-2 text-sm hover:bg-sunken hover:text-ink max-lg:h-11 aria-[current=page]:bg-brand-soft aria-[current=page]:font-medium aria-[current=page]:text-brand-ink"
      >
        <Icon aria-hidden="true" className="size-4" strokeWidth={1.75} />
        {label}
        {waiting > 0 && (
          <span className="num ml-auto rounded-full bg-gold px-1.5 font-medium text-[11px] text-on-gold">
            {waiting}
            <span className="sr-only"> waiting</span>
          </span>
        )}
      </Link>
    </li>
  )
}

/** The publisher whose things are linked below it. */
function PublisherChoice({ chosen }: { readonly chosen: string }) {
  const { data } = useSuspenseQuery(publishers)
  const navigate = useNavigate()
  return (
    <label className="mb-1 block px-2">
      <span className="text-ink-3 text-xs">Publisher</span>
      <select
        value={chosen}
        onChange={(event) =>
          navigate({ to: '/publishers/$publisher/transactions', params: { publisher: event.target.value } })
        }
        className="-mx-1 mt-0.5 mb-1 block h-8 w-full rounded-md bg-transparent px-1 font-medium text-ink text-sm hover:bg-sunken max-lg:h-11"
      >
        {data.map(({ publisher_id, name }) => (
          <option key={publisher_id} value={publisher_id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
