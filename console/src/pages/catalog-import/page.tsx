import { type ReactNode, useRef, useState } from 'react'
import { useRefusal } from '../../api/permissions.ts'
import { useReload } from '../../api/use-change.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { readText } from '../../files.ts'
import { count, plural } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardTitle } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/form/dialog.tsx'
import { Crumb } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { tell } from '../../ui/untold.ts'
import { buildConfirmation, buildTitle, countRetired } from './confirmation.ts'
import { Diff } from './diff.tsx'
import { type Fault, type ReadFile, readCatalogFile, Unreadable } from './read-file.ts'
import { type Outcome, type Progress, runImport } from './run.ts'

/** The queries whose results may change when a catalog is imported. */
const CATALOG = [
  '/operator/brands',
  '/operator/offers',
  '/operator/categories',
  '/operator/stores',
  '/publishers/brands',
] as const

type Chosen = { readonly name: string; readonly file: ReadFile }

/** Manages the chosen file and its import, which starts with a dry run. */
function useImport() {
  const reload = useReload()
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [replace, setReplace] = useState(false)
  const [progress, setProgress] = useState<Progress | null>(null)
  const abort = useRef<AbortController | null>(null)
  const run = useMutation({
    mutationFn: async ({ file, dryRun }: { file: ReadFile; dryRun: boolean }) => {
      abort.current = new AbortController()
      const { signal } = abort.current
      return { dryRun, outcome: await runImport(file, { dryRun, replace, signal, onProgress: setProgress }) }
    },
    meta: { shown: true },
    onSuccess: async ({ dryRun, outcome }) => {
      if (dryRun) return
      if (outcome.faults.length === 0 && !outcome.cancelled) tell('Catalog imported')
      await reload(...CATALOG)
    },
    onSettled: () => setProgress(null),
  })
  const read = useMutation({
    mutationFn: async (file: File): Promise<Chosen> => ({
      name: file.name,
      file: await readCatalogFile(file.name, await readText(file)),
    }),
    meta: { shown: true },
    onSuccess: (known) => {
      setChosen(known)
      run.mutate({ file: known.file, dryRun: true })
    },
    onMutate: () => {
      setChosen(null)
      run.reset()
    },
  })
  return { chosen, replace, setReplace, progress, cancel: () => abort.current?.abort(), run, read }
}

/** Imports a file in three steps: choosing it, trying it in a dry run, and importing it after accepting the diff. */
export default function CatalogImport() {
  const refusal = useRefusal()('catalog:change')
  const { chosen, replace, setReplace, progress, cancel, run, read } = useImport()
  const [isAsking, setAsking] = useState(false)
  const result = run.data
  const isTried = result?.dryRun === true && result.outcome.faults.length === 0 && !result.outcome.cancelled
  const error = read.error ?? run.error
  return (
    <>
      <PageHeader
        title="Import a catalog"
        lead="The file is checked first: before anything is imported, you see what it would change, and the line of every fault."
        crumbs={<Crumb to="/brands">Brands and offers</Crumb>}
      />
      <Card className="mb-5 p-5">
        <Choice
          refusal={refusal}
          isRunning={run.isPending}
          replace={replace}
          onFile={read.mutate}
          onReplace={(replaces) => {
            setReplace(replaces)
            run.reset()
          }}
        >
          {chosen !== null && !isTried && result?.dryRun !== false && (
            <Button busy={run.isPending} onClick={() => run.mutate({ file: chosen.file, dryRun: true })}>
              Try it again
            </Button>
          )}
        </Choice>
        {progress !== null && <Running progress={progress} onCancel={cancel} />}
        {error !== null && (
          <p role="alert" className="mt-4 rounded-md bg-bad-soft px-3 py-2 text-bad text-sm">
            {error.message}
          </p>
        )}
        {error instanceof Unreadable && <Faults faults={error.faults} />}
      </Card>
      {chosen !== null && result !== undefined && (
        <Result
          name={chosen.name}
          dryRun={result.dryRun}
          outcome={result.outcome}
          action={
            isTried && (
              <Button tone="primary" refusal={refusal} busy={run.isPending} onClick={() => setAsking(true)}>
                Import
              </Button>
            )
          }
        />
      )}
      {isAsking && chosen !== null && result !== undefined && (
        <AcceptDialog
          outcome={result.outcome}
          onClose={() => setAsking(false)}
          onAccept={() => run.mutate({ file: chosen.file, dryRun: false })}
        />
      )}
    </>
  )
}

type ChoiceProps = {
  readonly refusal: string | null
  readonly isRunning: boolean
  readonly replace: boolean
  readonly onFile: (file: File) => void
  readonly onReplace: (replace: boolean) => void
  readonly children: ReactNode
}

function Choice({ refusal, isRunning, replace, onFile, onReplace, children }: ChoiceProps) {
  return (
    <div className="flex flex-wrap items-end gap-x-6 gap-y-4">
      <label className="block min-w-0">
        <span className="mb-1.5 block font-medium text-sm">Catalog file</span>
        <input
          type="file"
          accept=".json,.jsonl,.ndjson,.csv,application/json,text/csv"
          disabled={refusal !== null || isRunning}
          onChange={({ target }) => {
            const file = target.files?.[0]
            if (file !== undefined) onFile(file)
          }}
          className="block w-full max-w-full text-ink-2 text-sm file:mr-3 file:h-9 file:rounded-md file:border-0 file:bg-sunken file:px-3 file:font-medium file:text-ink file:text-sm max-sm:file:h-11"
        />
        <span className="mt-1.5 block text-ink-3 text-sm">
          {refusal ?? 'JSON, JSON Lines with one brand per line, or CSV with one offer per line, as exported.'}
        </span>
      </label>
      <label className="flex min-h-9 items-center gap-2 text-sm max-sm:min-h-11">
        <input
          type="checkbox"
          checked={replace}
          disabled={isRunning}
          onChange={({ target }) => onReplace(target.checked)}
          className="size-4 accent-brand"
        />
        Retire everything that is not in the file
      </label>
      {children}
    </div>
  )
}

type AcceptProps = { readonly outcome: Outcome; readonly onClose: () => void; readonly onAccept: () => void }

function AcceptDialog({ outcome, onClose, onAccept }: AcceptProps) {
  return (
    <ConfirmDialog
      onClose={onClose}
      title={buildTitle(outcome)}
      phrase={buildConfirmation(outcome)}
      lead={
        countRetired(outcome) > 0
          ? 'Retired brands and offers earn nothing from now on. Purchases that have been decided keep their rewards.'
          : 'New purchases follow the new catalog. Purchases that have been decided keep their rewards.'
      }
      danger={countRetired(outcome) > 0}
      confirm="Import it"
      onConfirm={() => {
        onClose()
        onAccept()
      }}
    />
  )
}

function Running({ progress: { done, of }, onCancel }: { readonly progress: Progress; readonly onCancel: () => void }) {
  return (
    <div className="mt-4 flex items-center gap-3">
      <progress
        aria-label="Batches of the file"
        value={done}
        max={of}
        className="h-2 w-full max-w-md overflow-hidden rounded-full accent-brand"
      />
      <span className="num whitespace-nowrap text-ink-2 text-sm">
        {count(done)} of {count(of)}
      </span>
      <Button onClick={onCancel}>Cancel</Button>
    </div>
  )
}

type ResultProps = {
  readonly name: string
  readonly dryRun: boolean
  readonly outcome: Outcome
  readonly action: ReactNode
}

function Result({ name, dryRun, outcome, action }: ResultProps) {
  const { faults, cancelled } = outcome
  const title =
    faults.length > 0
      ? `${name} has ${plural(faults.length, 'fault')}`
      : cancelled
        ? 'It was canceled'
        : dryRun
          ? `What ${name} would change`
          : 'Catalog imported'
  return (
    <Card>
      <CardTitle aside={action}>{title}</CardTitle>
      {cancelled && (
        <p className="px-5 pt-1 text-ink-2 text-sm">
          {dryRun
            ? 'Nothing was changed.'
            : 'The batches before it are in the catalog; importing the file again is safe.'}
        </p>
      )}
      {faults.length > 0 && (
        <>
          <p className="px-5 pt-1 text-ink-2 text-sm">
            {dryRun
              ? 'Nothing was changed.'
              : 'The batch that contains them was not imported; the batches before it were.'}
          </p>
          <Faults faults={faults} />
        </>
      )}
      <Diff outcome={outcome} />
    </Card>
  )
}

function Faults({ faults }: { readonly faults: readonly Fault[] }) {
  return (
    <ul aria-label="Faults" className="mt-3 divide-y divide-line border-line border-t">
      {faults.map(({ where, message }) => (
        <li key={`${where} ${message}`} className="px-5 py-2.5 text-sm">
          <span className="font-medium">{where}</span> <span className="text-bad">{message}</span>
        </li>
      ))}
    </ul>
  )
}
