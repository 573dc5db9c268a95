import { post, type Schemas } from '../../api/client.ts'
import { useRefusal } from '../../api/permissions.ts'
import { useChange } from '../../api/use-change.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardTitle } from '../../ui/card.tsx'
import { TextArea } from '../../ui/form/field.tsx'
import { Form } from '../../ui/form/form.tsx'
import { useUnsaved } from '../../ui/form/unsaved.ts'
import { useFields } from '../../ui/form/use-fields.ts'
import { Time } from '../../ui/time.tsx'
import { claim } from './queries.ts'

type Note = Schemas['OperatorClaimDetail']['notes'][number]
const AUTHORS: Readonly<Record<string, string>> = { user: 'User', publisher: 'Publisher', laurel: 'Laurel' }

/** The conversation about a claim. */
export function Notes({ claimId, notes }: { readonly claimId: string; readonly notes: readonly Note[] }) {
  return (
    <Card>
      <CardTitle>Notes</CardTitle>
      {notes.length === 0 ? (
        <p className="px-5 pt-1 pb-2 text-ink-2 text-sm">No notes yet.</p>
      ) : (
        <ol className="mt-3 divide-y divide-line border-line border-t">
          {notes.map((note) => (
            <li key={`${note.at} ${note.text}`} className="px-5 py-3 text-sm">
              <div className="flex flex-wrap justify-between gap-x-3 text-ink-3 text-xs">
                <span className="font-medium text-ink-2">{AUTHORS[note.author] ?? note.author_name}</span>
                <Time at={note.at} className="num" />
              </div>
              <p className="mt-1 whitespace-pre-wrap break-words">{note.text}</p>
            </li>
          ))}
        </ol>
      )}
      <NewNote claimId={claimId} />
    </Card>
  )
}

function NewNote({ claimId }: { readonly claimId: string }) {
  const { values, set, field } = useFields({ text: '' })
  const { text } = values
  useUnsaved(text.trim() !== '')
  const refusal = useRefusal()('claims:decide')
  const add = useChange({
    act: () => post('/operator/claims/{claim_id}/notes', { path: { claim_id: claimId }, body: { text } }),
    onDone: () => set({ text: '' }),
    reload: [claim(claimId)],
  })
  return (
    <Form
      error={add.error}
      onSubmit={() => {
        if (text.trim() !== '') add.mutate()
      }}
      className="border-line border-t p-5"
    >
      <TextArea {...field('text')} label="New note" rows={2} help="For colleagues; users do not see it." />
      <Button
        type="submit"
        className="mt-3"
        busy={add.isPending}
        refusal={refusal ?? (text.trim() === '' ? 'Write the note first.' : null)}
      >
        Add the note
      </Button>
    </Form>
  )
}
