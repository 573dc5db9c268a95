import { useState } from 'react'
import { patch, post, type Schemas } from '../../api/client.ts'
import { useRefusal } from '../../api/permissions.ts'
import { ownPublisher } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { ChangeDialog } from '../../change-dialog.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardTitle } from '../../ui/card.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { Form, FormError } from '../../ui/form/form.tsx'
import { useUnsaved } from '../../ui/form/unsaved.ts'
import { pick, useEdits } from '../../ui/form/use-edits.ts'
import { useFields } from '../../ui/form/use-fields.ts'
import type { Settings } from './fields.ts'
import { publisherDetail } from './queries.ts'

type PublisherLimits = Schemas['PublisherLimits']
type Name = Exclude<keyof PublisherLimits, 'currency'>
const FIELDS: readonly (readonly [name: Name, label: string, empty: string | null])[] = [
  ['redemption_minimum', 'Minimum redemption', null],
  ['redemption_user_day_max', 'Maximum per user per day', 'no limit.'],
  ['redemption_review_above', 'Needs approval above', 'no approval needed.'],
  ['redemption_two_people_above', 'Needs two approvals above', 'one is enough.'],
  ['adjustment_alone_max', 'One person can adjust up to', null],
]

/** The redemption and adjustment limits in each currency, and a button that adds a currency. */
export function Limits({ settings }: { readonly settings: Settings }) {
  const [isAdding, setAdding] = useState(false)
  const mayChange = useRefusal()('publishers:change')
  return (
    <Card>
      <CardTitle
        aside={
          <Button refusal={mayChange} onClick={() => setAdding(true)}>
            Add a currency
          </Button>
        }
      >
        Currencies and limits
      </CardTitle>
      <div className="mt-3 divide-y divide-line border-line border-t">
        {settings.limits.map((limits) => (
          <LimitsForm key={limits.currency} limits={limits} publisher={settings.publisher_id} />
        ))}
      </div>
      {isAdding && <CurrencyDialog publisher={settings.publisher_id} onClose={() => setAdding(false)} />}
    </Card>
  )
}

const buildDraft = (limits: PublisherLimits): Readonly<Partial<Record<Name, string>>> =>
  Object.fromEntries(FIELDS.map(([name]) => [name, limits[name] === null ? '' : String(limits[name])]))

function LimitsForm({ limits, publisher }: { readonly limits: PublisherLimits; readonly publisher: string }) {
  const mayChange = useRefusal()('publishers:change')
  const edits = useEdits(limits, buildDraft)
  const { draft, seen, changed } = edits
  useUnsaved(changed.length > 0)
  const { currency } = limits
  const save = useChange({
    act: () => {
      const changes = Object.fromEntries(
        FIELDS.filter(([name]) => changed.includes(name)).map(([name, , empty]) => {
          const text = (draft[name] ?? '').trim()
          return [name, empty !== null && text === '' ? null : Number(text)]
        }),
      )
      const params = { path: { publisher_id: publisher } }
      const body = { limits: { currency, ...changes }, expected: { limits: { currency, ...pick(seen, changed) } } }
      return patch('/operator/publishers/{publisher_id}', { ...params, body })
    },
    onDone: edits.clear,
    keeps: publisherDetail(publisher),
    done: `Limits in ${currency} saved`,
    onStale: [
      publisherDetail(publisher),
      (fresh) => edits.rebase(fresh.limits.find((one) => one.currency === currency)),
    ],
  })
  return (
    <Form
      error={save.error}
      onSubmit={() => {
        if (changed.length > 0 && mayChange === null) save.mutate()
      }}
      className="p-5"
    >
      <h3 className="mb-3 font-medium text-sm">{currency}</h3>
      <div className="grid gap-4 sm:grid-cols-2">
        {FIELDS.map(([name, label, empty]) => (
          <TextField
            key={name}
            name={`limits.${name}`}
            label={label}
            inputMode="decimal"
            value={draft[name] ?? ''}
            onChange={(value) => edits.edit(name, value)}
            help={empty === null ? undefined : `Empty: ${empty}`}
          />
        ))}
      </div>
      <div className="mt-4 flex flex-wrap items-center justify-end gap-3">
        <FormError error={save.error} />
        <Button
          type="submit"
          busy={save.isPending}
          refusal={mayChange ?? (changed.length > 0 ? null : 'Nothing has changed.')}
        >
          Save the limits in {currency}
        </Button>
      </div>
    </Form>
  )
}

function CurrencyDialog({ publisher, onClose }: { readonly publisher: string; readonly onClose: () => void }) {
  const { values, field } = useFields({ currency: '' })
  const { currency } = values
  return (
    <ChangeDialog
      onClose={onClose}
      title="Add a currency"
      lead="This is permanent. Until limits are set, a person approves every redemption in this currency."
      confirm="Add it"
      refusal={/^[A-Z]{3}$/.test(currency) ? null : 'Enter three capital letters, such as EUR.'}
      act={() =>
        post('/operator/publishers/{publisher_id}/currencies', {
          path: { publisher_id: publisher },
          body: { currency },
        })
      }
      keeps={publisherDetail(publisher)}
      done={`${currency} added`}
      reload={[ownPublisher(publisher)]}
    >
      <TextField {...field('currency')} label="Currency" help="ISO 4217, such as EUR." />
    </ChangeDialog>
  )
}
