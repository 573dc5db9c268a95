import type { ReactNode } from 'react'
import { patch } from '../../api/client.ts'
import { useRefusal } from '../../api/permissions.ts'
import { publishers } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Checks } from '../../ui/form/checks.tsx'
import { SelectField, TextField } from '../../ui/form/field.tsx'
import { Form, FormError, useFieldError } from '../../ui/form/form.tsx'
import { useUnsaved } from '../../ui/form/unsaved.ts'
import { pick, useEdits } from '../../ui/form/use-edits.ts'
import {
  buildChanges,
  buildDraft,
  type Draft,
  type Field,
  type Section,
  type Settings,
  splitElements,
} from './fields.ts'
import { publisherDetail } from './queries.ts'

type Props = {
  readonly section: Section
  readonly settings: Settings
  /** Renders an example based on the current input, below the fields. */
  readonly example?: (draft: Draft) => ReactNode
}

/** A group of publisher settings that are saved together. */
export function SettingsSection({ section: { title, fields }, settings, example }: Props) {
  const mayChange = useRefusal()('publishers:change')
  const edits = useEdits(settings, (read) => buildDraft(fields, read))
  const { draft, seen, changed } = edits
  const isChanged = changed.length > 0
  useUnsaved(isChanged)
  const params = { path: { publisher_id: settings.publisher_id } }
  const save = useChange({
    act: () => {
      const body = { ...buildChanges(fields, changed, draft), expected: pick(seen, changed) }
      return patch('/operator/publishers/{publisher_id}', { ...params, body })
    },
    onDone: edits.clear,
    keeps: publisherDetail(settings.publisher_id),
    done: ['Settings saved', 'Decided purchases keep their terms.'],
    reload: ['/operator/publishers', publishers],
    onStale: [publisherDetail(settings.publisher_id), edits.rebase],
  })
  return (
    <Card>
      <Form
        error={save.error}
        onSubmit={() => {
          if (isChanged && mayChange === null) save.mutate()
        }}
      >
        <h2 className="px-5 pt-4 font-medium text-base">{title}</h2>
        <div className="grid gap-4 p-5 sm:grid-cols-2">
          {fields.map((field) => (
            <SettingControl
              key={field.name}
              field={field}
              value={draft[field.name] ?? ''}
              onChange={(value) => edits.edit(field.name, value)}
            />
          ))}
          {example !== undefined && <div className="sm:col-span-2">{example(draft)}</div>}
        </div>
        <div className="flex flex-wrap items-center justify-end gap-3 border-line border-t px-5 py-3">
          <FormError error={save.error} />
          <Button
            type="submit"
            tone="primary"
            busy={save.isPending}
            refusal={mayChange ?? (isChanged ? null : 'Nothing has changed.')}
          >
            Save
          </Button>
        </div>
      </Form>
    </Card>
  )
}

type ControlProps = {
  readonly field: Field
  readonly value: string
  readonly onChange: (value: string) => void
}

function SettingControl({ field, value, onChange }: ControlProps) {
  const error = useFieldError(field.name)
  const shared = { name: field.name, label: field.label, help: field.help, value, onChange }
  if (field.kind === 'any')
    return (
      <div className="sm:col-span-2">
        <Checks
          legend={field.label}
          options={field.options}
          chosen={splitElements(value)}
          onChange={(chosen) => onChange(chosen.join(', '))}
          help={error ?? field.help}
        />
      </div>
    )
  if (field.kind === 'choice' || field.kind === 'yes-no') {
    const options =
      field.kind === 'choice'
        ? field.options
        : ([
            ['true', field.yes],
            ['false', field.no],
          ] as const)
    return (
      <div className="sm:col-span-2">
        <SelectField {...shared} options={options} />
      </div>
    )
  }
  const isNumber = field.kind === 'percent' || field.kind === 'integer' || field.kind === 'optional-integer'
  return (
    <TextField
      {...shared}
      label={field.kind === 'percent' ? `${field.label}, in percent` : field.label}
      {...(isNumber ? { inputMode: 'decimal' as const } : {})}
    />
  )
}
