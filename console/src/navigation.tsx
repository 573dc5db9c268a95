import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, type LinkProps, useLocation, useNavigate, useParams } from '@tanstack/react-router'
import Activity from 'lucide-react/icons/activity'
import ArrowLeftRight from 'lucide-react/icons/arrow-left-right'
import BadgePercent from 'lucide-react/icons/badge-percent'
import Banknote from 'lucide-react/icons/banknote'
import BookOpenText from 'lucide-react/icons/book-open-text'
import Building2 from 'lucide-react/icons/building-2'
import ChevronRight from 'lucide-react/icons/chevron-right'
import ClipboardCheck from 'lucide-react/icons/clipboard-check'
import Clock from 'lucide-react/icons/clock'
import Eye from 'lucide-react/icons/eye'
import FileCheck from 'lucide-react/icons/file-check'
import FileSpreadsheet from 'lucide-react/icons/file-spreadsheet'
import FileText from 'lucide-react/icons/file-text'
import FlaskConical from 'lucide-react/icons/flask-conical'
import Gauge from 'lucide-react/icons/gauge'
import Gift from 'lucide-react/icons/gift'
import HandCoins from 'lucide-react/icons/hand-coins'
import IdCard from 'lucide-react/icons/id-card'
import Landmark from 'lucide-react/icons/landmark'
import LayoutDashboard from 'lucide-react/icons/layout-dashboard'
import MapPin from 'lucide-react/icons/map-pin'
import MessageCircleQuestion from 'lucide-react/icons/message-circle-question-mark'
import MousePointerClick from 'lucide-react/icons/mouse-pointer-click'
import Scale from 'lucide-react/icons/scale'
import ScrollText from 'lucide-react/icons/scroll-text'
import Settings from 'lucide-react/icons/settings'
import Shapes from 'lucide-react/icons/shapes'
import Smartphone from 'lucide-react/icons/smartphone'
import Split from 'lucide-react/icons/split'
import Store from 'lucide-react/icons/store'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import Undo2 from 'lucide-react/icons/undo-2'
import Unplug from 'lucide-react/icons/unplug'
import Users from 'lucide-react/icons/users'
import UsersRound from 'lucide-react/icons/users-round'
import Webhook from 'lucide-react/icons/webhook'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import type { Schemas } from './api/client.ts'
import { findRefusal, findScopeRefusal, type Permission, type Scope } from './api/permissions.ts'
import { desk, me, type NamedPublisher, ownPublisher, publishers } from './api/queries.ts'
import { usePublisher } from './publisher.ts'
import type { LucideIcon } from './ui/icon.ts'
import { useRemembered } from './ui/remembered.ts'

type Page = {
  readonly to: NonNullable<LinkProps['to']>
  readonly label: string
  readonly icon: LucideIcon
  /** The permission or scope that the page requires. Without it, the page is hidden. */
  readonly permission?: Permission
  readonly scope?: Scope
  /** True if the addresses of other pages start with this one. */
  readonly exact?: boolean
  /** The desk queue whose length is shown next to the label. */
  readonly waiting?: Schemas['DeskQueueWhat']
}

const WORK: readonly Page[] = [
  { to: '/', label: 'Overview', icon: LayoutDashboard, permission: 'publishers:read', exact: true },
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
    scope: 'transactions:read',
  },
  { to: '/publishers/$publisher/preview', label: 'User preview', icon: Eye, scope: 'users:read' },
  { to: '/publishers/$publisher/users', label: 'Users', icon: Users, scope: 'users:read' },
  { to: '/publishers/$publisher/webhooks', label: 'Webhooks', icon: Webhook, scope: 'webhooks:read' },
  { to: '/publishers/$publisher/reports', label: 'Reports', icon: FileSpreadsheet, scope: 'reports:read' },
  { to: '/publishers/$publisher/portal', label: 'Portal', icon: Smartphone, scope: 'users:read' },
  { to: '/publishers/$publisher/staff', label: 'Staff', icon: IdCard, scope: 'staff:read' },
  { to: '/publishers/$publisher/settings', label: 'Settings', icon: Settings, permission: 'publishers:read' },
]

const OF_SANDBOX: readonly Page[] = [
  { to: '/publishers/$publisher/sandbox', label: 'Sandbox', icon: FlaskConical, scope: 'transactions:read' },
  { to: '/publishers/$publisher/clock', label: 'Sandbox clock', icon: Clock, scope: 'transactions:read' },
]

const CATALOG: readonly Page[] = [
  { to: '/brands', label: 'Brands and offers', icon: Building2, permission: 'catalog:read' },
  { to: '/offers', label: 'Offers by state', icon: BadgePercent, permission: 'catalog:read' },
  { to: '/categories', label: 'Categories', icon: Shapes, permission: 'catalog:read' },
  { to: '/budgets', label: 'Budgets', icon: Gauge, permission: 'catalog:read', waiting: 'budgets' },
  { to: '/stores', label: 'Stores', icon: MapPin, permission: 'catalog:read' },
]

const MONEY: readonly Page[] = [
  { to: '/ledger', label: 'Ledger', icon: BookOpenText, permission: 'ledger:read' },
  { to: '/receivables', label: 'Receivables', icon: HandCoins, permission: 'ledger:read' },
  { to: '/payments', label: 'Payments', icon: Landmark, permission: 'payments:read' },
  { to: '/statements', label: 'Statements', icon: FileText, permission: 'statements:read' },
  { to: '/adjustments', label: 'Adjustments', icon: Scale, permission: 'adjustments:read', waiting: 'adjustments' },
]

/** Pages for unmatched records and for failures. */
const EXCEPTIONS: readonly Page[] = [
  {
    to: '/broken-logins',
    label: 'Broken logins',
    icon: Unplug,
    permission: 'users:read',
    waiting: 'broken_logins',
  },
  {
    to: '/endpoints',
    label: 'Failing endpoints',
    icon: Webhook,
    permission: 'webhooks:read',
    waiting: 'failing_endpoints',
  },
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
    label: 'Failed jobs',
    icon: TriangleAlert,
    permission: 'facts:read',
    waiting: 'failed_facts',
  },
]

const PEOPLE: readonly Page[] = [
  { to: '/users', label: 'All users', icon: UsersRound, permission: 'users:read' },
  { to: '/publishers', label: 'Publishers', icon: Store, permission: 'publishers:read', exact: true },
  { to: '/terms', label: 'Terms', icon: FileCheck, permission: 'terms:read' },
  { to: '/staff', label: 'Staff', icon: IdCard, permission: 'staff:read' },
]

const SYSTEM: readonly Page[] = [
  { to: '/service', label: 'Operations', icon: Activity, permission: 'facts:read' },
  { to: '/audit', label: 'Audit log', icon: ScrollText, permission: 'audit:read' },
]

/**
 * Returns a function that checks whether the person may see a page. A publisher's pages are checked against the current
 * publisher.
 */
function useIsOffered(): (page: Page) => boolean {
  const { data: person } = useSuspenseQuery(me)
  const publisher = usePublisher()?.publisher_id
  const { data: own } = useQuery({ ...ownPublisher(publisher ?? ''), enabled: publisher !== undefined })
  return ({ permission, scope }) =>
    (permission === undefined || findRefusal(person, permission) === null) &&
    (scope === undefined || findScopeRefusal(person, own?.scopes ?? [], scope) === null)
}

const pickPages = ({ environment }: NamedPublisher) =>
  environment === 'sandbox' ? [...OF_PUBLISHER, ...OF_SANDBOX] : OF_PUBLISHER

/** Returns every page that the person may see, so that it can be found by name. */
export function useOfferedPages() {
  const isOffered = useIsOffered()
  const publisher = usePublisher()
  const ofPublisher = publisher === null ? [] : pickPages(publisher)
  return [
    ...[...WORK, ...CATALOG, ...MONEY, ...EXCEPTIONS, ...PEOPLE, ...SYSTEM]
      .filter(isOffered)
      .map((page) => ({ ...page, params: {} })),
    ...ofPublisher.filter(isOffered).map((page) => ({ ...page, params: { publisher: publisher?.publisher_id } })),
  ]
}

/** Shows the pages that the person may see and the number of items waiting on each. */
export function Navigation() {
  const publisher = usePublisher()
  const menu = useRef<HTMLElement>(null)
  const path = usePath()
  // The publisher's pages load later than the rest of the menu and push it down.
  const { isSuccess } = useQuery({
    ...ownPublisher(publisher?.publisher_id ?? ''),
    enabled: publisher !== null,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page, and when what is above is there
  useEffect(() => {
    menu.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' })
  }, [path, isSuccess])
  return (
    <nav ref={menu} aria-label="Main" className="px-3">
      <Pages pages={WORK} />
      {publisher !== null && (
        <Section title="Publisher" pages={pickPages(publisher)} publisher={publisher.publisher_id} startsOpen>
          <PublisherChoice chosen={publisher.publisher_id} />
        </Section>
      )}
      <Section title="Catalog" pages={CATALOG} />
      <Section title="Money" pages={MONEY} />
      <Section title="Exceptions" pages={EXCEPTIONS} />
      <Section title="People" pages={PEOPLE} />
      <Section title="System" pages={SYSTEM} />
    </nav>
  )
}

type SectionProps = PagesProps & {
  readonly title: string
  /** True if the section is open until the person toggles it. */
  readonly startsOpen?: boolean
  /** Shown even while the section is closed. */
  readonly children?: ReactNode
}

/**
 * Pages under a title that expands and collapses them. The browser remembers whether it is open, and the current page's
 * section always stays open.
 */
function Section({ title, pages, publisher, startsOpen = false, children }: SectionProps) {
  const { offered, countWaiting } = useOffered(pages)
  const [isOpen, setOpen] = useRemembered(`laurel-menu-${title}`, startsOpen)
  const isCurrent = useIsWithin(pages, publisher !== undefined)
  const id = useId()
  if (offered.length === 0) return null
  const isShown = isOpen || isCurrent
  const waiting = offered.reduce((sum, page) => sum + countWaiting(page), 0)
  return (
    <div className="mt-2">
      <h2>
        <button
          type="button"
          aria-expanded={isShown}
          aria-controls={id}
          aria-disabled={isCurrent}
          title={isCurrent ? 'Stays open while you are on one of its pages' : undefined}
          onClick={() => !isCurrent && setOpen(!isOpen)}
          className="group flex h-8 w-full items-center gap-1.5 rounded-md px-2 text-ink-3 text-xs not-aria-disabled:hover:bg-sunken not-aria-disabled:hover:text-ink max-lg:h-11"
        >
          {title}
          <ChevronRight
            aria-hidden="true"
            className="size-3.5 group-aria-disabled:hidden group-aria-expanded:rotate-90 motion-safe:transition-transform"
          />
          {!isShown && <Waiting count={waiting} />}
        </button>
      </h2>
      {children}
      <div id={id} hidden={!isShown}>
        <Pages pages={pages} publisher={publisher} />
      </div>
    </div>
  )
}

const usePath = () => useLocation({ select: ({ pathname }) => pathname })

/**
 * Returns true if the current page is one of these pages or below one. Every address below a publisher belongs to one
 * of its pages.
 */
function useIsWithin(pages: readonly Page[], areOfPublisher: boolean): boolean {
  const { publisher } = useParams({ strict: false })
  const path = usePath()
  if (publisher !== undefined) return areOfPublisher
  return pages.some(({ to, exact = false }) => path === to || (!exact && path.startsWith(`${to}/`)))
}

/** Returns the pages that the person may see and a function that counts the items waiting on each. */
function useOffered(pages: readonly Page[]) {
  const offered = pages.filter(useIsOffered())
  const { data } = useQuery({ ...desk, enabled: offered.some(({ waiting }) => waiting !== undefined) })
  const countWaiting = ({ waiting }: Page) => data?.content.find(({ what }) => what === waiting)?.count ?? 0
  return { offered, countWaiting }
}

type PagesProps = { readonly pages: readonly Page[]; readonly publisher?: string | undefined }

function Pages({ pages, publisher }: PagesProps) {
  const { offered, countWaiting } = useOffered(pages)
  if (offered.length === 0) return null
  return (
    <ul className="flex flex-col gap-0.5">
      {offered.map((page) => (
        <Item key={page.to} page={page} publisher={publisher} waiting={countWaiting(page)} />
      ))}
    </ul>
  )
}

function Waiting({ count }: { readonly count: number }) {
  if (count === 0) return null
  return (
    <span className="num ml-auto rounded-full bg-gold px-1.5 font-medium text-[11px] text-on-gold">
      {count}
      <span className="sr-only"> waiting</span>
    </span>
  )
}

type ItemProps = { readonly page: Page; readonly publisher: string | undefined; readonly waiting: number }

function Item({ page: { to, label, icon: Icon, exact = false }, publisher, waiting }: ItemProps) {
  return (
    <li>
      <Link
        to={to}
        {...(publisher === undefined ? {} : { params: { publisher } })}
        activeOptions={{ exact, includeSearch: false }}
        className="flex h-8 items-center gap-2.5 rounded-md px-2 text-ink-2 text-sm hover:bg-sunken hover:text-ink max-lg:h-11 aria-[current=page]:bg-brand-soft aria-[current=page]:font-medium aria-[current=page]:text-brand-ink"
      >
        <Icon aria-hidden="true" className="size-4" strokeWidth={1.75} />
        {label}
        <Waiting count={waiting} />
      </Link>
    </li>
  )
}

/** Selects the publisher whose pages are linked below. */
function PublisherChoice({ chosen }: { readonly chosen: string }) {
  const { data } = useSuspenseQuery(publishers)
  const navigate = useNavigate()
  return (
    <select
      aria-label="Publisher"
      value={chosen}
      onChange={(event) =>
        navigate({ to: '/publishers/$publisher/transactions', params: { publisher: event.target.value } })
      }
      className="mb-1 block h-8 w-full rounded-md bg-transparent px-1 font-medium text-ink text-sm hover:bg-sunken max-lg:h-11"
    >
      {data.map(({ publisher_id, name }) => (
        <option key={publisher_id} value={publisher_id}>
          {name}
        </option>
      ))}
    </select>
  )
}
