import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ACCOUNTS } from '../../accounts.ts'
import { post, type Schemas } from '../../api/client.ts'
import { useRefusal } from '../../api/permissions.ts'
import { publishers } from '../../api/queries.ts'
import { parts } from '../../api/query.ts'
import { useChange } from '../../api/use-change.ts'
import { dateTime, money, month as monthText, plural, words } from '../../format.ts'
import { useParts } from '../../lists/use-list.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardTitle } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/form/dialog.tsx'
import { SelectField } from '../../ui/form/field.tsx'
import { ButtonLink, Crumb } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'

const PRODUCTION = 'production' as const

/** Closes a month: selects the books and the month, previews the statements, and shows the result. */
export default function CloseMonth() {
  const { data: known } = useSuspenseQuery(publishers)
  const sandboxes = known.filter(({ environment }) => environment === 'sandbox')
  const hasProduction = sandboxes.length < known.length
  const [books, setBooks] = useState(hasProduction ? PRODUCTION : (sandboxes[0]?.publisher_id ?? PRODUCTION))
  const [typed, setTyped] = useState<string | null>(null)
  const [isAsking, setAsking] = useState(false)
  const ofBooks = books === PRODUCTION ? { environment: PRODUCTION } : { publisher_id: books }
  const last = useParts(parts('/operator/statements', { query: ofBooks })).rows[0]?.month
  const wanted = typed ?? (last === undefined ? monthBefore(new Date()) : monthAfter(last))
  const name = known.find(({ publisher_id }) => publisher_id === books)?.name ?? 'production'
  const refusal = useRefusal()('statements:close')
  const [closed, setClosed] = useState<Schemas['ClosedMonth'] | null>(null)
  const options: [string, string][] = sandboxes.map(({ publisher_id, name }) => [publisher_id, `${name} (sandbox)`])
  if (hasProduction) options.unshift([PRODUCTION, 'Production: all publishers, advertisers and the service'])
  return (
    <>
      <PageHeader
        title="Close a month"
        lead="Months are closed in order, once they are over."
        crumbs={<Crumb to="/statements">Statements</Crumb>}
      />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_380px]">
        <Card>
          <div className="grid gap-4 p-5 sm:grid-cols-2">
            <SelectField
              name="books"
              label="Books"
              value={books}
              options={options}
              onChange={(value) => {
                setBooks(value)
                setTyped(null)
                setClosed(null)
              }}
            />
            <MonthField value={wanted} onChange={setTyped} />
          </div>
          <Consequences name={name} isProduction={books === PRODUCTION} last={last} wanted={wanted} />
          <div className="flex justify-end border-line border-t px-5 py-3">
            <Button tone="primary" refusal={refusal} disabled={wanted === ''} onClick={() => setAsking(true)}>
              Close {wanted === '' ? 'the month' : monthText(wanted)}
            </Button>
          </div>
        </Card>
        {closed !== null && (
          <Closed closed={closed} getName={(id) => known.find(({ publisher_id }) => publisher_id === id)?.name} />
        )}
      </div>
      {isAsking && (
        <CloseDialog
          name={name}
          body={{ month: wanted, ...(books === PRODUCTION ? {} : { publisher_id: books }) }}
          onClose={() => setAsking(false)}
          onClosed={(done) => {
            setClosed(done)
            setTyped(null)
          }}
        />
      )}
    </>
  )
}

function MonthField({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }) {
  return (
    <label className="block">
      <span className="mb-1.5 block font-medium text-sm">Month</span>
      <input
        type="month"
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className="num h-9 w-full rounded-md border border-line-strong/70 bg-surface px-3 text-base max-sm:h-11"
      />
    </label>
  )
}

type ConsequencesProps = {
  readonly name: string
  readonly isProduction: boolean
  /** The last month that was closed. */
  readonly last: string | undefined
  readonly wanted: string
}

function Consequences({ name, isProduction, last, wanted }: ConsequencesProps) {
  return (
    <div className="border-line border-t px-5 py-4">
      <h2 className="font-medium text-base">What will happen</h2>
      <ul className="mt-2 list-disc space-y-1.5 pl-5 text-ink-2 text-sm">
        <li>
          {last === undefined
            ? `No month of ${name} has been closed yet. The first one includes everything before it.`
            : `${monthText(last)} was the last month closed; ${monthText(monthAfter(last))} is next.`}
        </li>
        <li>
          {isProduction
            ? 'A statement is drawn up for each publisher, each advertiser and the service, in each currency.'
            : `A statement is drawn up for ${name} and each of its advertisers, by the sandbox’s clock.`}
        </li>
        <li>Publishers are told by the event statement.closed.</li>
        <li>Statements never change. What is booked later for {monthText(wanted)} is in the next one.</li>
      </ul>
    </div>
  )
}

type DialogProps = {
  readonly name: string
  readonly body: Schemas['MonthToClose']
  readonly onClose: () => void
  readonly onClosed: (closed: Schemas['ClosedMonth']) => void
}

function CloseDialog({ name, body, onClose, onClosed }: DialogProps) {
  const trial = useQuery({
    queryKey: ['operator', 'statements', 'trial', body],
    queryFn: () => post('/operator/statements/close', { query: { dry_run: 'true' }, body }),
    retry: false,
    gcTime: 0,
  })
  const close = useChange({
    act: () => post('/operator/statements/close', { body }),
    onDone: (closed) => {
      onClose()
      onClosed(closed)
    },
    done: (closed) => `${monthText(closed.month)} is closed`,
    reload: ['/operator/statements', '/operator/receivables'],
  })
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Close ${monthText(body.month)}`}
      lead={`Statements for ${name} are created. This cannot be undone.`}
      confirm="Close the month"
      refusal={trial.isSuccess ? null : (trial.error?.message ?? 'The statements are being calculated.')}
      change={{ ...close, error: close.error ?? trial.error }}
    >
      {trial.isSuccess ? <Trial trial={trial.data} /> : trial.isPending && <div className="skeleton h-32" />}
    </ConfirmDialog>
  )
}

/** Previews the statements: every account with a balance at the end of the month. */
function Trial({ trial }: { readonly trial: Schemas['ClosedMonth'] }) {
  const drawnUp = trial.content.reduce((sum, { statements: count }) => sum + count, 0)
  const open = trial.totals.filter(({ closing }) => Number(closing) !== 0)
  return (
    <div className="text-sm">
      <p>
        {plural(drawnUp, 'statement')}, with these balances at the end of {monthText(trial.month)}:
      </p>
      {open.length === 0 ? (
        <p className="mt-2 text-ink-2">All balances are zero.</p>
      ) : (
        <dl className="num mt-3 grid grid-cols-[1fr_auto] gap-x-4 gap-y-2">
          {open.map(({ kind, account, currency, closing }) => (
            <div key={`${kind} ${account} ${currency}`} className="contents">
              <dt className="text-ink-2">
                {words(kind)}: {ACCOUNTS[account][0]}
              </dt>
              <dd className="text-right">{money(Number(closing), currency)}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}

type ClosedProps = {
  readonly closed: Schemas['ClosedMonth']
  readonly getName: (id: string) => string | undefined
}

function Closed({ closed, getName }: ClosedProps) {
  return (
    <Card>
      <CardTitle>{monthText(closed.month)} is closed</CardTitle>
      <ul className="mt-2 divide-y divide-line">
        {closed.content.map(({ books, statements: drawnUp, cut_at }) => (
          <li key={books} className="px-5 py-3 text-sm">
            <span className="font-medium">{getName(books) ?? words(books)}</span>
            <p className="text-ink-2">
              {plural(drawnUp, 'statement')} from what was booked until {dateTime(cut_at)}
            </p>
          </li>
        ))}
      </ul>
      <div className="border-line border-t px-5 py-3">
        <ButtonLink to="/statements" search={{ month: closed.month }}>
          See the statements
        </ButtonLink>
      </div>
    </Card>
  )
}

function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`
}

/** Returns the last completed month. */
function monthBefore(now: Date): string {
  return new Date(now.getFullYear(), now.getMonth() - 1, 15).toISOString().slice(0, 'yyyy-MM'.length)
}
