import { useSuspenseQuery } from '@tanstack/react-query'
import { post, type Schemas } from '../../api/client.ts'
import { useRefusal } from '../../api/permissions.ts'
import { desk } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { ago, plural, words } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ListPage } from '../../ui/list/list-page.tsx'
import { failedFacts } from './queries.ts'

/** Work that a recorded fact should have triggered but that kept failing. */
export default function FailedFacts() {
  return (
    <ListPage
      title="Failed jobs"
      lead="Background work that failed after every retry. Try again once the cause is fixed."
      rows={useSuspenseQuery(failedFacts).data}
      toKey={({ fact_id }) => fact_id}
      item={(fact) => <Failed fact={fact} />}
      empty={
        <Empty title="Nothing has failed">
          When the service gives up on a piece of work, it appears here with the error.
        </Empty>
      }
    />
  )
}

function Failed({ fact }: { readonly fact: Schemas['FailedFact'] }) {
  const refusal = useRefusal()('facts:retry')
  const retry = useChange({
    act: () => post('/operator/facts/{fact_id}/retry', { path: { fact_id: fact.fact_id } }),
    done: 'Trying again',
    reload: [failedFacts, desk],
    isForm: false,
  })
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-3 px-5 py-4">
      <div className="min-w-0 flex-1 basis-80">
        <h2 className="font-medium text-sm">{words(fact.name)}</h2>
        <p className="mt-0.5 break-words font-mono text-bad text-xs">{fact.error}</p>
        <p className="mt-1.5 text-ink-3 text-xs">
          {plural(fact.attempts, 'attempt')}, given up {ago(fact.failed_at)} · <Copyable text={fact.fact_id} short />
        </p>
        <details className="mt-1 text-sm">
          <summary className="inline-flex min-h-6 cursor-default items-center text-ink-2 hover:text-ink">
            Details
          </summary>
          <pre className="mt-2 overflow-x-auto rounded-md bg-sunken p-3 font-mono text-xs">
            {JSON.stringify(fact.payload, null, 2)}
          </pre>
        </details>
      </div>
      <Button busy={retry.isPending} refusal={refusal} onClick={() => retry.mutate()}>
        Try again
      </Button>
    </li>
  )
}
