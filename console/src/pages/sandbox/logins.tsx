import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { linkedCards } from '../../api/queries.ts'
import { plural } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardTitle } from '../../ui/card.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { useFields } from '../../ui/form/use-fields.ts'
import { Monogram } from '../../ui/monogram.tsx'
import { Pill } from '../../ui/pill.tsx'
import { BreakLogin } from './break-login.tsx'

/** A user's logins, each with a button that breaks it. */
export function Logins({ publisherId }: { readonly publisherId: string }) {
  const { values, field } = useFields({ cards_of: '' })
  const { cards_of: typed } = values
  const [user, setUser] = useState('')
  const { data, error } = useQuery({ ...linkedCards(publisherId, user), enabled: user !== '', retry: false })
  const linked = data?.linked_institutions
  return (
    <Card>
      <CardTitle>Logins</CardTitle>
      <form
        className="flex flex-wrap items-end gap-3 px-5 pt-2 pb-4"
        onSubmit={(event) => {
          event.preventDefault()
          setUser(typed.trim())
        }}
      >
        <div className="min-w-0 flex-1 basis-56">
          <TextField {...field('cards_of')} label="User with linked cards" error={error?.message} required />
        </div>
        <Button type="submit">Show their logins</Button>
      </form>
      {linked?.length === 0 && <p className="px-5 pb-5 text-ink-2 text-sm">{user} has linked no cards.</p>}
      {linked !== undefined && linked.length > 0 && (
        <ul aria-label="Logins" className="divide-y divide-line border-line border-t text-sm">
          {linked.map((institution) => (
            <li key={institution.institution_id} className="flex flex-wrap items-center gap-3 px-5 py-3">
              <Monogram name={institution.institution_name} />
              <span className="min-w-0 flex-1 basis-40">
                <span className="block truncate font-medium">{institution.institution_name}</span>
                <span className="text-ink-3 text-xs">{plural(institution.linked_cards.length, 'card')}</span>
              </span>
              {institution.linked_cards.some((card) => card.error !== null) && <Pill tone="bad">Sign-in needed</Pill>}
              <BreakLogin publisher={publisherId} user={user} institution={institution} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
