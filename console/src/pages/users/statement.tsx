import { useSuspenseQuery } from '@tanstack/react-query'
import { getAs } from '../../api/client.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { saveFile } from '../../files.ts'
import { money } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { Lines } from './lines.tsx'
import { statement } from './queries.ts'

const SHOWN = 8

/** The latest changes to the user's balances, newest first. The CSV file contains all of them. */
export function Statement({ publisher, user }: { readonly publisher: string; readonly user: string }) {
  const { data } = useSuspenseQuery(statement(publisher, user))
  const { currency, closing } = data
  const download = useMutation({
    mutationFn: async () => {
      const params = { path: { publisher_user_id: user }, query: { format: 'csv' as const } }
      const text = await getAs('text', '/users/{publisher_user_id}/statement', { ...params, publisher })
      saveFile(`statement_${user}.csv`, new Blob([String(text)], { type: 'text/csv' }))
    },
  })
  return (
    <Lines
      title="Statement"
      aside={
        <Button busy={download.isPending} onClick={() => download.mutate()}>
          Download as CSV
        </Button>
      }
      lines={data.content.slice(-SHOWN).reverse()}
      currency={currency}
      empty="Nothing has been booked yet."
      foot={
        data.content.length > SHOWN || data.next_after !== null
          ? `The latest ${SHOWN} lines. ${money(closing.available, currency)} are available, ${money(closing.pending, currency)} pending.`
          : undefined
      }
    />
  )
}
