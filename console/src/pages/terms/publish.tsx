import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, bodyOf, Refused } from '../../api/client.ts'
import { terms, termsPlan } from '../../api/people-queries.ts'
import { publishers } from '../../api/queries.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { dateTime, plural } from '../../format.ts'
import { ConfirmDialog } from '../../ui/form/dialog.tsx'
import { SelectField, TextField } from '../../ui/form/field.tsx'
import { tell } from '../../ui/toast.tsx'

const LANGUAGES = [
  ['en', 'English'],
  ['es', 'Spanish'],
  ['de', 'German'],
] as const
type Changes = Partial<Record<(typeof LANGUAGES)[number][0], string>>

const URL_PATTERN = /^https?:\/\/[^\s/]+/

/** Publishes a revision, after showing how many users would have to accept it. */
export function PublishDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient()
  const { data: known } = useSuspenseQuery(publishers)
  const [publisherId, setPublisherId] = useState('')
  const [url, setUrl] = useState('')
  const [revision, setRevision] = useState('')
  const [day, setDay] = useState('')
  const [changes, setChanges] = useState<Changes>({})
  const asked = {
    ...(publisherId === '' ? {} : { publisher_id: publisherId }),
    ...(day === '' ? {} : { required_from: `${day}T00:00:00Z` }),
  }
  const written = writtenIn(changes)
  const { data: plan, error: refusedPlan, isPlaceholderData } = useQuery(termsPlan(asked))
  const publish = useMutation({
    mutationFn: () =>
      bodyOf(
        api.POST('/operator/terms', {
          body: { url, revision, ...asked, ...(written === null ? {} : { changes: written }) },
        }),
      ),
    meta: { shown: true },
    onSuccess: async ({ required_from }) => {
      onClose()
      tell('The revision is published', `It is required from ${dateTime(required_from)}.`)
      await client.invalidateQueries({ queryKey: terms.queryKey })
    },
  })
  const refused = publish.error instanceof Refused ? publish.error.fields : {}
  const missing = URL_PATTERN.test(url)
    ? revision.trim() === ''
      ? 'Name the revision first.'
      : null
    : 'Give the address of the document first.'
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Publish a revision"
      lead="This cannot be undone. From its date on, users who have not accepted it earn nothing until they do."
      confirm={plan === undefined ? 'Publish' : `Publish: affects ${plural(plan.pending_users, 'user')}`}
      busy={publish.isPending}
      error={publish.error?.message}
      refusal={missing}
      onConfirm={() => publish.mutate()}
    >
      <TextField
        name="url"
        label="Address of the document"
        value={url}
        onChange={setUrl}
        error={refused['url']}
        help="Users read it there, such as https://example.com/terms."
      />
      <TextField
        name="revision"
        label="Revision"
        value={revision}
        onChange={setRevision}
        error={refused['revision']}
        help="Such as 2026-12; shown to users."
      />
      <SelectField
        name="publisher_id"
        label="Applies to users of"
        value={publisherId}
        options={[
          ['', 'Every publisher without terms of its own'],
          ...known.map(({ publisher_id, name }) => [publisher_id, `Only ${name}`] as const),
        ]}
        onChange={setPublisherId}
      />
      <TextField
        name="required_from"
        label="Required from"
        type="date"
        value={day}
        onChange={setDay}
        error={refusedPlan === null ? refused['required_from'] : refusedPlan.message}
        help="Leave empty for 30 days from now, or immediately for the first revision."
      />
      {LANGUAGES.map(([language, name]) => (
        <TextField
          key={language}
          name={`changes.${language}`}
          label={`What changed, in ${name}`}
          value={changes[language] ?? ''}
          onChange={(text) => setChanges({ ...changes, [language]: text })}
          error={refused[`changes.${language}`]}
          {...(language === 'en'
            ? { help: 'A sentence or two for users; without it they are shown both documents.' }
            : {})}
        />
      ))}
      {plan !== undefined && (
        <p
          role="status"
          aria-busy={isPlaceholderData}
          className="num rounded-md bg-wait-soft px-3 py-2 text-sm text-wait"
        >
          {plural(plan.pending_users, 'active user')} of {plural(plan.publishers, 'publisher')} must accept it. It is
          required from {dateTime(plan.required_from)}.
        </p>
      )}
    </ConfirmDialog>
  )
}

/** Returns the text for users in each language; null if none was written. */
function writtenIn(changes: Changes): Changes | null {
  const written = LANGUAGES.flatMap(([language]) => {
    const text = changes[language]?.trim() ?? ''
    return text === '' ? [] : [[language, text] as const]
  })
  return written.length === 0 ? null : Object.fromEntries(written)
}
