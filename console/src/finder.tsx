import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { type NavigateOptions, useNavigate } from '@tanstack/react-router'
import SearchIcon from 'lucide-react/icons/search'
import { useEffect, useState } from 'react'
import { get, type Schemas } from './api/client.ts'
import { useRefusal } from './api/permissions.ts'
import { words } from './format.ts'
import { useOfferedPages } from './navigation.tsx'
import { usePublisher } from './publisher.ts'
import { useIsTyping } from './ui/form/use-is-typing.ts'

type Hit = Schemas['SearchHit']
type Destination = {
  readonly key: string
  readonly label: string
  readonly kind: string
  readonly note?: string | null
  readonly to: NavigateOptions
}

const FOUND_MS = 10_000

function search(q: string) {
  return queryOptions({
    queryKey: ['search', q],
    queryFn: async () => (await get('/operator/search', { query: { q } })).content,
    placeholderData: keepPreviousData,
    staleTime: FOUND_MS,
  })
}

/** Returns the page to open for a search hit. A hit without a page of its own opens its user's page. */
function toPage({ kind, id, publisher_id, svc_user_id }: Hit): NavigateOptions {
  const publisher = publisher_id ?? ''
  const ofUser = { to: '/users/$user', params: { user: svc_user_id ?? id } } as const
  const pages: Readonly<Record<Hit['kind'], NavigateOptions>> = {
    publisher: { to: '/publishers/$publisher/settings', params: { publisher: id } },
    user: ofUser,
    transaction: { to: '/publishers/$publisher/transactions/$transaction', params: { publisher, transaction: id } },
    claim: { to: '/claims/$claim', params: { claim: id } },
    redemption: ofUser,
    adjustment: ofUser,
    gift_card_order: ofUser,
    webhook_endpoint: { to: '/publishers/$publisher/webhooks', params: { publisher } },
    webhook_delivery: { to: '/publishers/$publisher/webhooks', params: { publisher }, search: { delivery: id } },
    api_key: { to: '/publishers/$publisher/keys', params: { publisher } },
    account: publisher_id === null ? { to: '/staff' } : { to: '/publishers/$publisher/staff', params: { publisher } },
    payment: { to: '/payments' },
    statement: { to: '/statements/$statement', params: { statement: id } },
    report: { to: '/publishers/$publisher/reports', params: { publisher } },
    review: { to: '/reviews' },
    card: ofUser,
    gift_card: ofUser,
    postback: svc_user_id === null ? { to: '/sales' } : ofUser,
    payout_file: { to: '/redemptions' },
    rematch: { to: '/publishers/$publisher/transactions', params: { publisher } },
    erasure: ofUser,
    brand: { to: '/brands/$brand', params: { brand: id } },
    offer: { to: '/offers/$offer', params: { offer: id } },
  }
  return pages[kind]
}

/** Finds every destination that matches the typed text: search hits, pages by name, and lists. */
function useDestinations(typed: string): { readonly found: readonly Destination[]; readonly isPending: boolean } {
  const isTyping = useIsTyping(typed)
  const text = typed.trim()
  const maySearch = useRefusal()('search:read') === null
  const publisher = usePublisher()?.publisher_id ?? null
  const offered = useOfferedPages()
  const isSearched = maySearch && text !== ''
  const { data = [], isFetching } = useQuery({ ...search(text), enabled: isSearched && !isTyping })
  const isPending = isSearched && (isTyping || isFetching)
  const found: Destination[] =
    text === ''
      ? []
      : data.map((hit) => ({
          key: `${hit.kind} ${hit.id}`,
          label: hit.title,
          kind: words(hit.kind),
          to: toPage(hit),
          note: hit.publisher_name,
        }))
  const wanted = text.toLowerCase()
  for (const { label, to, params } of offered)
    if (label.toLowerCase().includes(wanted))
      found.push({ key: `page ${to}`, label, kind: 'Page', to: { to, params } as NavigateOptions })
  if (text !== '' && offered.some(({ to }) => to === '/offers'))
    found.push({
      key: 'offers',
      label: `Offers with “${text}”`,
      kind: 'Search',
      to: { to: '/offers', search: { search_text: text } },
    })
  if (text === '' || publisher === null) return { found, isPending }
  const list = { to: '/publishers/$publisher/transactions', params: { publisher } } as const
  const ofUser = { to: '/publishers/$publisher/users', params: { publisher } } as const
  const bySearch = text.includes('@') ? { email: text } : { publisher_user_id: text }
  const lists: Destination[] = [
    {
      key: 'transactions',
      label: `Transactions with “${text}”`,
      kind: 'Search',
      to: { ...list, search: { search_text: text } },
    },
    { key: 'users', label: `Users called “${text}”`, kind: 'Search', to: { ...ofUser, search: bySearch } },
  ]
  return { found: [...found, ...lists], isPending }
}

export default function Finder({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const { found, isPending } = useDestinations(typed)
  const [isEntered, setEntered] = useState(false)
  const go = ({ to }: Destination) => {
    onClose()
    void navigate(to)
  }
  const [first] = found
  // If Enter is pressed before the results arrive, opens the first one once they do.
  useEffect(() => {
    if (isEntered && !isPending && first !== undefined) go(first)
  })
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-30 bg-black/40" />
        <Dialog.Popup
          aria-label="Find anything"
          className="-translate-x-1/2 fixed top-[12vh] left-1/2 z-30 w-[calc(100vw-2rem)] max-w-lg overflow-hidden rounded-lg bg-surface shadow-pop outline-none"
        >
          <Autocomplete.Root
            open
            inline
            items={found}
            mode="none"
            autoHighlight="always"
            itemToStringValue={({ label }: Destination) => label}
            value={typed}
            onValueChange={(value, { reason }) => {
              if (reason === 'item-press') return
              setTyped(value)
              setEntered(false)
            }}
          >
            <div className="flex items-center gap-2.5 border-line border-b px-4">
              <SearchIcon aria-hidden="true" className="size-4 text-ink-3" />
              <Autocomplete.Input
                aria-label="Find anything"
                placeholder="An id, an email, a name or a page"
                onKeyDown={(event) => {
                  if (event.key !== 'Enter' || !isPending) return
                  event.preventBaseUIHandler()
                  setEntered(true)
                }}
                className="h-12 w-full bg-transparent text-base outline-none placeholder:text-ink-3"
              />
            </div>
            <Autocomplete.List className="max-h-[50vh] overflow-y-auto p-1.5">
              {(destination: Destination) => (
                <Autocomplete.Item
                  key={destination.key}
                  value={destination}
                  onClick={() => go(destination)}
                  className="flex min-h-9 cursor-default items-center gap-3 rounded-md px-2.5 py-1.5 text-sm outline-none data-highlighted:bg-sunken max-sm:min-h-11"
                >
                  <span className="min-w-0 flex-1 truncate">{destination.label}</span>
                  {destination.note && <span className="max-w-32 truncate text-ink-3 text-xs">{destination.note}</span>}
                  <span className="text-ink-3 text-xs">{destination.kind}</span>
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
