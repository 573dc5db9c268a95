import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { type NavigateOptions, useNavigate } from '@tanstack/react-router'
import SearchIcon from 'lucide-react/icons/search'
import { useState } from 'react'
import { usePublisher } from './publisher.ts'

type Destination = { readonly label: string; readonly kind: string; readonly to: NavigateOptions }

const PAGES: readonly (readonly [label: string, to: NavigateOptions['to']])[] = [
  ['Overview', '/'],
  ['Reviews', '/reviews'],
  ['Claims', '/claims'],
  ['Redemptions and payout files', '/redemptions'],
  ['Ledger and trial balance', '/ledger'],
  ['Receivables by age', '/receivables'],
  ['Payments', '/payments'],
  ['Statements', '/statements'],
  ['Close a month', '/statements/close'],
  ['Adjustments', '/adjustments'],
  ['Unmatched refunds', '/refunds'],
  ['Sales without a click', '/sales'],
  ['Contradictions', '/contradictions'],
  ['Gift card orders', '/gift-card-orders'],
  ['Failed facts', '/failed-facts'],
  ['Brands and offers', '/brands'],
  ['Import a catalog', '/brands/import'],
  ['Offers by state', '/offers'],
  ['Categories', '/categories'],
  ['Stores on a map', '/stores'],
  ['Audit trail', '/audit'],
]

/** What an id or a word can lead to: an id by its prefix, anything else by searching. */
function destinationsOf(typed: string, publisher: string | null): Destination[] {
  const text = typed.trim()
  const found: Destination[] = []
  if (text.startsWith('clm_'))
    found.push({ label: text, kind: 'Claim', to: { to: '/claims/$claim', params: { claim: text } } })
  if (text.startsWith('brd_'))
    found.push({ label: text, kind: 'Brand', to: { to: '/brands/$brand', params: { brand: text } } })
  if (publisher !== null && text.startsWith('txn_'))
    found.push({
      label: text,
      kind: 'Transaction',
      to: { to: '/publishers/$publisher/transactions/$transaction', params: { publisher, transaction: text } },
    })
  const wanted = text.toLowerCase()
  for (const [label, to] of PAGES)
    if (label.toLowerCase().includes(wanted)) found.push({ label, kind: 'Page', to: { to } as NavigateOptions })
  if (text === '') return found
  if (publisher !== null) {
    const list = { to: '/publishers/$publisher/transactions', params: { publisher } } as const
    found.push({ label: `Transactions with “${text}”`, kind: 'Search', to: { ...list, search: { text } } })
    found.push({ label: `Transactions of the user “${text}”`, kind: 'Search', to: { ...list, search: { user: text } } })
  }
  found.push({ label: `Brands with “${text}”`, kind: 'Search', to: { to: '/brands', search: { text } } })
  found.push({ label: `Audit trail of “${text}”`, kind: 'Search', to: { to: '/audit', search: { subject: text } } })
  return found
}

export default function Finder({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate()
  const publisher = usePublisher()
  const [typed, setTyped] = useState('')
  const found = destinationsOf(typed, publisher?.publisher_id ?? null)
  const go = ({ to }: Destination) => {
    onClose()
    void navigate(to)
  }
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
            onValueChange={(value, { reason }) => reason !== 'item-press' && setTyped(value)}
          >
            <div className="flex items-center gap-2.5 border-line border-b px-4">
              <SearchIcon aria-hidden="true" className="size-4 text-ink-3" />
              <Autocomplete.Input
                aria-label="Find anything"
                placeholder="An id, a user, a brand or a page"
                className="h-12 w-full bg-transparent text-base outline-none placeholder:text-ink-3"
              />
            </div>
            <Autocomplete.List className="max-h-[50vh] overflow-y-auto p-1.5">
              {(destination: Destination) => (
                <Autocomplete.Item
                  key={destination.label}
                  value={destination}
                  onClick={() => go(destination)}
                  className="flex min-h-9 cursor-default items-center gap-3 rounded-md px-2.5 py-1.5 text-sm outline-none data-highlighted:bg-sunken max-sm:min-h-11"
                >
                  <span className="min-w-0 flex-1 truncate">{destination.label}</span>
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
