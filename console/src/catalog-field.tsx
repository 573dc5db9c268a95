import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { catalogCategories } from './api/queries.ts'
import { words } from './format.ts'
import { BRANDS } from './pages/brands/queries.ts'
import { OFFERS } from './pages/offers/queries.ts'
import { TextField } from './ui/form/field.tsx'
import { useIsTyping } from './ui/form/use-is-typing.ts'

export type CatalogKind = 'brand' | 'offer' | 'category'
type Suggestion = { readonly id: string; readonly name: string; readonly note?: string }
const SUGGESTIONS_MAX = 6

type Props = {
  readonly kind: CatalogKind
  readonly label: string
  /** The selected id, or the text typed until one is selected. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly name?: string
  readonly help: ReactNode
  /** The suggestions before anything is typed, and while one of them is selected. */
  readonly initial?: { readonly title: string; readonly suggestions: readonly Suggestion[] }
}

/** A field for a brand, an offer or a category, by name or id, with matching suggestions below it. */
export function CatalogField({ kind, name = kind, label, value, onChange, help, initial }: Props) {
  const text = value.trim()
  const matches = useSuggestions(kind, text)
  const { title, suggestions } = initial?.suggestions.some(({ id }) => text === '' || id === text)
    ? initial
    : { title: 'In the catalog', suggestions: matches }
  return (
    <div>
      <TextField name={name} label={label} value={value} onChange={onChange} help={help} required />
      {suggestions.length > 0 && (
        <fieldset className="mt-2 flex flex-wrap gap-1.5">
          <legend className="mb-1 text-ink-3 text-xs">{title}</legend>
          {suggestions.slice(0, SUGGESTIONS_MAX).map(({ id, name, note }) => (
            <button
              key={`${id} ${note}`}
              type="button"
              aria-pressed={id === text}
              onClick={() => onChange(id)}
              className="num min-h-7 rounded-md bg-sunken px-2 py-1 text-left text-ink-2 text-xs hover:text-ink aria-pressed:bg-brand-soft aria-pressed:text-brand-ink max-sm:min-h-10"
            >
              {name}
              {note && <span className="text-ink-3"> {note}</span>}
            </button>
          ))}
        </fieldset>
      )}
    </div>
  )
}

/** Finds brands, offers or categories by name or id. Offers also match by their brand's name. */
function useSuggestions(kind: CatalogKind, text: string): readonly Suggestion[] {
  const isTyping = useIsTyping(text)
  const isAsked = text !== '' && !isTyping
  const brands = useInfiniteQuery({ ...BRANDS.read({ search_text: text }), enabled: isAsked && kind === 'brand' })
  const offers = useInfiniteQuery({ ...OFFERS.read({ search_text: text }), enabled: isAsked && kind === 'offer' })
  const categories = useQuery({ ...catalogCategories, enabled: isAsked && kind === 'category' })
  if (text === '') return []
  if (kind === 'brand')
    return (brands.data?.pages.flatMap(({ content }) => content) ?? []).map(({ brand_uid, name }) => ({
      id: brand_uid,
      name,
    }))
  if (kind === 'offer')
    return (offers.data?.pages.flatMap(({ content }) => content) ?? []).map(({ offer_uid, name, brand_name }) => ({
      id: offer_uid,
      name,
      note: brand_name,
    }))
  const wanted = text.toLowerCase()
  return (categories.data ?? [])
    .map(({ category_id, category }) => ({ id: String(category_id), name: words(category) }))
    .filter(({ id, name }) => id === wanted || name.toLowerCase().includes(wanted))
}
