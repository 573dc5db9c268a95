import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { put, Refused, type Schemas } from '../../api/client.ts'
import { useRefusal } from '../../api/permissions.ts'
import { useChange } from '../../api/use-change.ts'
import { CatalogField, type CatalogKind } from '../../catalog-field.tsx'
import { plural, words } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardTitle } from '../../ui/card.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { SelectField } from '../../ui/form/field.tsx'
import { FormError } from '../../ui/form/form.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { Pill } from '../../ui/pill.tsx'
import { PublisherHeader } from './header.tsx'
import { assortment } from './queries.ts'

type Assortment = Schemas['Assortment']
type Kind = 'brands' | 'offers' | 'categories'
type Saving = { readonly body: Assortment; readonly onSaved?: () => void }
const route = getRouteApi('/guarded/publishers/$publisher/assortment')

const CARRIES = [
  ['everything', 'The whole catalog, except what is left out'],
  ['listed', 'Nothing, except what is listed'],
] as const
const KINDS: readonly (readonly [Kind, one: CatalogKind, title: string])[] = [
  ['brands', 'brand', 'Brands'],
  ['offers', 'offer', 'Offers'],
  ['categories', 'category', 'Categories'],
]

/** The offers that a publisher's users see, and the publisher's own terms for them. */
export default function AssortmentPage() {
  const { publisher } = route.useParams()
  const { data } = useSuspenseQuery(assortment(publisher))
  const mayChange = useRefusal()('assortments:change')
  const save = useChange({
    act: ({ body }: Saving) =>
      put('/operator/publishers/{publisher_id}/assortment', {
        path: { publisher_id: publisher },
        body: { ...body, expected: data },
      }),
    onDone: (_saved, { onSaved }) => onSaved?.(),
    keeps: assortment(publisher),
    done: ['Assortment saved', 'Decided purchases keep their terms.'],
    onStale: [assortment(publisher)],
  })
  const refused = save.error instanceof Refused ? Object.values(save.error.fields)[0] : undefined
  return (
    <>
      <PublisherHeader publisher={publisher} />
      <Card className="mb-5 p-5">
        <SelectField
          name="carries"
          label="What its users see"
          value={data.carries ?? 'everything'}
          options={CARRIES}
          onChange={(carries) => {
            const body = { ...data, carries: carries === 'listed' ? ('listed' as const) : ('everything' as const) }
            if (mayChange === null) save.mutate({ body })
          }}
          help={mayChange ?? 'Saved at once.'}
        />
        {save.error !== null && (
          <div className="mt-3">
            <FormError error={refused === undefined ? save.error : new Error(refused)} />
          </div>
        )}
      </Card>
      <div className="grid items-start gap-5 lg:grid-cols-3">
        {KINDS.map(([kind, one, title]) => (
          <Exceptions
            key={kind}
            title={title}
            one={one}
            entries={toEntries(data, kind)}
            refusal={mayChange}
            busy={save.isPending}
            onRemove={(id) => save.mutate({ body: without(data, kind, id) })}
            onAdd={(id, carried, onSaved) => save.mutate({ body: withEntry(data, kind, id, carried), onSaved })}
          />
        ))}
      </div>
    </>
  )
}

type Entry = {
  readonly id: string
  /** Undefined if the entry is no longer in the catalog. */
  readonly name: string | undefined
  readonly brand: string | undefined
  readonly carried: boolean | undefined
  readonly terms: string
}

function toEntries(content: Assortment, kind: Kind): Entry[] {
  if (kind === 'categories')
    return (content.categories ?? []).map(({ category_id, name, carried }) => ({
      id: String(category_id),
      name: name && words(name),
      brand: undefined,
      carried,
      terms: '',
    }))
  if (kind === 'brands')
    return (content.brands ?? []).map(({ brand_uid, name, carried, fee, share }) => ({
      id: brand_uid,
      name,
      brand: name,
      carried,
      terms: formatTerms(fee, share),
    }))
  return (content.offers ?? []).map(({ offer_uid, name, brand_name, carried, fee, share, ...more }) => {
    const terms = [brand_name, formatTerms(fee, share), more.formatted_description].filter(Boolean).join('; ')
    return { id: offer_uid, name, brand: brand_name, carried, terms }
  })
}

function formatTerms(fee: number | undefined, share: number | undefined): string {
  return [fee === undefined ? '' : `fee ${fee}%`, share === undefined ? '' : `share ${share}%`]
    .filter(Boolean)
    .join(', ')
}

function without(content: Assortment, kind: Kind, id: string): Assortment {
  if (kind === 'categories')
    return {
      ...content,
      categories: (content.categories ?? []).filter(({ category_id }) => String(category_id) !== id),
    }
  if (kind === 'brands')
    return { ...content, brands: (content.brands ?? []).filter(({ brand_uid }) => brand_uid !== id) }
  return { ...content, offers: (content.offers ?? []).filter(({ offer_uid }) => offer_uid !== id) }
}

function withEntry(content: Assortment, kind: Kind, id: string, carried: boolean): Assortment {
  const rest = without(content, kind, id)
  if (kind === 'categories')
    return { ...rest, categories: [...(rest.categories ?? []), { category_id: Number(id), carried }] }
  // Keeps the publisher's own terms.
  if (kind === 'brands') {
    const before = content.brands?.find(({ brand_uid }) => brand_uid === id)
    return { ...rest, brands: [...(rest.brands ?? []), { ...before, brand_uid: id, carried }] }
  }
  const before = content.offers?.find(({ offer_uid }) => offer_uid === id)
  return { ...rest, offers: [...(rest.offers ?? []), { ...before, offer_uid: id, carried }] }
}

type ExceptionsProps = {
  readonly title: string
  readonly one: CatalogKind
  readonly entries: readonly Entry[]
  readonly refusal: string | null
  readonly busy: boolean
  readonly onRemove: (id: string) => void
  readonly onAdd: (id: string, carried: boolean, onSaved: () => void) => void
}

const SHOWN = 100

function Exceptions({ title, one, entries, refusal, busy, onRemove, onAdd }: ExceptionsProps) {
  const [id, setId] = useState('')
  const [carried, setCarried] = useState('false')
  return (
    <Card>
      <CardTitle aside={entries.length === 0 ? undefined : plural(entries.length, 'entry', 'entries')}>
        {title}
      </CardTitle>
      {entries.length === 0 ? (
        <p className="px-5 pt-1 text-ink-2 text-sm">No rules yet.</p>
      ) : (
        <ul className="mt-3 divide-y divide-line border-line border-y text-sm">
          {entries.slice(0, SHOWN).map((entry) => (
            <li key={entry.id} className="flex items-center gap-2.5 px-5 py-2">
              {entry.brand !== undefined && <Monogram name={entry.brand} />}
              <div className="min-w-0 flex-1">
                <div className="break-words font-medium">{entry.name ?? 'No longer in the catalog'}</div>
                {entry.terms !== '' && <div className="break-words text-ink-2 text-xs">{entry.terms}</div>}
                <div className="text-ink-3">
                  <Copyable text={entry.id} short />
                </div>
              </div>
              {entry.carried !== undefined && (
                <Pill tone={entry.carried ? 'good' : 'neutral'}>{entry.carried ? 'Shown' : 'Left out'}</Pill>
              )}
              <Button
                icon
                tone="ghost"
                aria-label={`Remove the rule for ${entry.name ?? entry.id}`}
                refusal={refusal}
                busy={busy}
                onClick={() => onRemove(entry.id)}
              >
                <X aria-hidden="true" className="size-4" />
              </Button>
            </li>
          ))}
        </ul>
      )}
      {entries.length > SHOWN && <p className="px-5 pt-3 text-ink-3 text-sm">The first {SHOWN} are shown.</p>}
      <form
        className="space-y-3 p-5"
        onSubmit={(event) => {
          event.preventDefault()
          if (id.trim() === '' || refusal !== null) return
          // Rejected input stays in the field so that it can be corrected.
          onAdd(id.trim(), carried === 'true', () => setId(''))
        }}
      >
        <CatalogField kind={one} label={words(one)} value={id} onChange={setId} help="Type its name or id." />
        <SelectField
          name={`${one}_rule`}
          label="Rule"
          value={carried}
          options={[
            ['false', 'Is left out'],
            ['true', 'Is shown'],
          ]}
          onChange={setCarried}
        />
        <Button type="submit" busy={busy} refusal={refusal ?? (id.trim() === '' ? `Choose the ${one} first.` : null)}>
          Add the rule
        </Button>
      </form>
    </Card>
  )
}
