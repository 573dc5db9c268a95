import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, type LinkProps, Outlet, useNavigate } from '@tanstack/react-router'
import ArrowLeftRight from 'lucide-react/icons/arrow-left-right'
import Banknote from 'lucide-react/icons/banknote'
import Building2 from 'lucide-react/icons/building-2'
import ClipboardCheck from 'lucide-react/icons/clipboard-check'
import Clock from 'lucide-react/icons/clock'
import LayoutDashboard from 'lucide-react/icons/layout-dashboard'
import MessageCircleQuestion from 'lucide-react/icons/message-circle-question-mark'
import ScrollText from 'lucide-react/icons/scroll-text'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import Webhook from 'lucide-react/icons/webhook'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { Schemas } from './api/client.ts'
import { desk, me, publishers } from './api/queries.ts'
import { words } from './format.ts'
import { usePublisher } from './publisher.ts'
import type { LucideIcon } from './ui/icon.ts'
import { Monogram } from './ui/monogram.tsx'
import { Shell } from './ui/shell.tsx'

// A tenth of all JavaScript, so it is loaded after the first page is shown.
const loadFinder = () => import('./finder.tsx')
const Finder = lazy(loadFinder)

/** Opens the finder by ⌘K or Ctrl-K, wherever the focus is. */
function useFinderKey(onOpen: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      onOpen()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  })
}

/** The frame of every page that needs somebody who has signed in. */
export function Layout() {
  const [finding, setFinding] = useState(false)
  useFinderKey(() => setFinding(true))
  useEffect(() => void loadFinder(), [])
  return (
    <Shell
      navigation={<Navigation />}
      person={<Person />}
      environment={<EnvironmentPill />}
      onFind={() => setFinding(true)}
    >
      <Outlet />
      {finding && (
        <Suspense>
          <Finder onClose={() => setFinding(false)} />
        </Suspense>
      )}
    </Shell>
  )
}

type ItemProps = LinkProps & { readonly label: string; readonly icon: LucideIcon; readonly waiting?: number }

function Item({ label, icon: Icon, waiting = 0, ...link }: ItemProps) {
  return (
    <li>
      <Link
        {...link}
        activeOptions={{ exact: link.to === '/', includeSearch: false }}
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

function Navigation() {
  const { data } = useQuery(desk)
  const waiting = (what: Schemas['DeskQueueWhat']) => data?.content.find((queue) => queue.what === what)?.count ?? 0
  const publisher = usePublisher()
  return (
    <nav aria-label="Main" className="flex flex-col gap-4 px-3">
      <ul className="flex flex-col gap-0.5">
        <Item to="/" label="Overview" icon={LayoutDashboard} />
        <Item to="/reviews" label="Reviews" icon={ClipboardCheck} waiting={waiting('reviews')} />
        <Item to="/claims" label="Claims" icon={MessageCircleQuestion} waiting={waiting('claims')} />
        <Item to="/redemptions" label="Redemptions" icon={Banknote} waiting={waiting('redemptions')} />
        <Item to="/failed-facts" label="Failed facts" icon={TriangleAlert} waiting={waiting('failed_facts')} />
      </ul>
      {publisher !== null && (
        <div>
          <PublisherChoice chosen={publisher.publisher_id} />
          <ul className="flex flex-col gap-0.5">
            <Item
              to="/publishers/$publisher/transactions"
              params={{ publisher: publisher.publisher_id }}
              label="Transactions"
              icon={ArrowLeftRight}
            />
            <Item
              to="/publishers/$publisher/webhooks"
              params={{ publisher: publisher.publisher_id }}
              label="Webhooks"
              icon={Webhook}
            />
            {publisher.environment === 'sandbox' && (
              <Item
                to="/publishers/$publisher/clock"
                params={{ publisher: publisher.publisher_id }}
                label="Sandbox clock"
                icon={Clock}
              />
            )}
          </ul>
        </div>
      )}
      <div>
        <h2 className="mb-1 px-2 text-ink-3 text-xs">Catalog</h2>
        <ul className="flex flex-col gap-0.5">
          <Item to="/brands" label="Brands and offers" icon={Building2} />
        </ul>
      </div>
      <div>
        <h2 className="mb-1 px-2 text-ink-3 text-xs">System</h2>
        <ul className="flex flex-col gap-0.5">
          <Item to="/audit" label="Audit trail" icon={ScrollText} />
        </ul>
      </div>
    </nav>
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

function EnvironmentPill() {
  const publisher = usePublisher()
  if (publisher === null) return null
  const isSandbox = publisher.environment === 'sandbox'
  return (
    <span className="inline-flex h-6 items-center gap-1.5 rounded-full border border-line bg-surface px-2 text-ink-2 text-xs">
      <span aria-hidden="true" className={`size-1.5 rounded-full ${isSandbox ? 'bg-gold' : 'bg-brand'}`} />
      {words(publisher.environment)}
    </span>
  )
}

function Person() {
  const { data } = useSuspenseQuery(me)
  return (
    <Link to="/account" className="flex items-center gap-2.5 border-line border-t p-4 hover:bg-sunken/60">
      <Monogram name={data.name} />
      <span className="min-w-0 leading-tight">
        <span className="block truncate font-medium text-sm">{data.name}</span>
        <span className="text-ink-3 text-xs">{words(data.role)}</span>
        <span className="sr-only">, your account</span>
      </span>
    </Link>
  )
}
