import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { post, type Schemas } from '../../api/client.ts'
import { publishers } from '../../api/queries.ts'
import { ChangeDialog } from '../../change-dialog.tsx'
import { dateTime, plural } from '../../format.ts'
import { SelectField, TextField } from '../../ui/form/field.tsx'
import { useFields } from '../../ui/form/use-fields.ts'
import { terms, termsPlan } from './queries.ts'

const LANGUAGES = [
  ['en', 'English'],
  ['es', 'Spanish'],
  ['de', 'German'],
] as const
type Language = (typeof LANGUAGES)[number][0]

const URL_PATTERN = /^https?:\/\/[^\s/]+/

/** Publishes a revision after showing how many users would have to accept it. */
export function PublishDialog({ onClose }: { readonly onClose: () => void }) {
  const { data: known } = useSuspenseQuery(publishers)
  const { values, field } = useFields({ url: '', revision: '', publisher_id: '', required_from: '' })
  const changes = useFields<Record<Language, string>>({ en: '', es: '', de: '' })
  const { url, revision, publisher_id, required_from: day } = values
  const scope = {
    ...(publisher_id === '' ? {} : { publisher_id }),
    ...(day === '' ? {} : { required_from: `${day}T00:00:00Z` }),
  }
  const { data: plan, error: refusedPlan, isPlaceholderData } = useQuery(termsPlan(scope))
  return (
    <ChangeDialog
      onClose={onClose}
      title="Publish a revision"
      lead="This cannot be undone. From the required date on, users who have not accepted it earn nothing until they do."
      confirm={plan === undefined ? 'Publish' : `Publish: affects ${plural(plan.pending_users, 'user')}`}
      act={() => post('/operator/terms', { body: { url, revision, ...scope, ...writtenIn(changes.values) } })}
      done={({ required_from }) => ['Revision published', `It is required from ${dateTime(required_from)}.`]}
      reload={[terms]}
      refusal={missingIn(values)}
    >
      <TextField
        {...field('url')}
        label="Address of the document"
        help="Users read it there. Example: https://example.com/terms."
      />
      <TextField {...field('revision')} label="Revision" help="Shown to users. Example: 2026-12." />
      <SelectField
        {...field('publisher_id')}
        label="Applies to users of"
        options={[
          ['', 'Every publisher without terms of its own'],
          ...known.map(({ publisher_id, name }) => [publisher_id, `Only ${name}`] as const),
        ]}
      />
      <TextField
        {...field('required_from')}
        label="Required from"
        type="date"
        error={refusedPlan?.message}
        help="If left empty: 30 days from now, or immediately for the first revision."
      />
      {LANGUAGES.map(([language, name]) => (
        <TextField
          key={language}
          {...changes.field(language)}
          name={`changes.${language}`}
          label={`What changed, in ${name}`}
          help={language === 'en' && 'A sentence or two for users; without it they are shown both documents.'}
        />
      ))}
      {plan !== undefined && <Plan plan={plan} stale={isPlaceholderData} />}
    </ChangeDialog>
  )
}

function Plan({ plan, stale }: { readonly plan: Schemas['TermsPlan']; readonly stale: boolean }) {
  return (
    <p role="status" aria-busy={stale} className="num rounded-md bg-wait-soft px-3 py-2 text-sm text-wait">
      {plural(plan.pending_users, 'active user')} of {plural(plan.publishers, 'publisher')} must accept it. It is
      required from {dateTime(plan.required_from)}.
    </p>
  )
}

function missingIn({ url, revision }: { readonly url: string; readonly revision: string }): string | null {
  if (!URL_PATTERN.test(url)) return 'Enter the address of the document first.'
  return revision.trim() === '' ? 'Name the revision first.' : null
}

/** Returns the text for users in each language for which one was written. */
function writtenIn(changes: Readonly<Record<Language, string>>) {
  const written = LANGUAGES.flatMap(([language]) => {
    const text = changes[language].trim()
    return text === '' ? [] : [[language, text] as const]
  })
  return written.length === 0 ? {} : { changes: Object.fromEntries(written) }
}
