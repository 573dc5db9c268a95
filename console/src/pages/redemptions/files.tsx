import { useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { getAs, post, type Schemas } from '../../api/client.ts'
import { useRefusal } from '../../api/permissions.ts'
import { publishers } from '../../api/queries.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { ChangeDialog } from '../../change-dialog.tsx'
import { saveFile } from '../../files.ts'
import { dateTime, day, money, plural } from '../../format.ts'
import { useList } from '../../lists/use-list.tsx'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { SelectField } from '../../ui/form/field.tsx'
import { useFields } from '../../ui/form/use-fields.ts'
import { More } from '../../ui/list/more.tsx'
import { type Table, TableCard } from '../../ui/list/table.tsx'
import { PAYOUT_FILES } from './queries.ts'

type File = Schemas['PayoutFile']
const FORMATS: readonly (readonly [Schemas['PayoutFileFormat'], string])[] = [
  ['nacha', 'NACHA, for banks in the USA'],
  ['pain.001', 'ISO 20022, pain.001'],
  ['csv', 'CSV'],
]

/** Payout files for a bank. Creates and downloads them, and settles them once the period for failures has passed. */
export function PayoutFiles() {
  const { rows, more } = useList(PAYOUT_FILES).list
  const findRefusal = useRefusal()
  const [isMaking, setMaking] = useState(false)
  const [settling, setSettling] = useState<File | null>(null)
  const fetchFile = useMutation({ mutationFn: download })
  const actions = (file: File) => (
    <div className="relative z-1 flex justify-end gap-2">
      <Button refusal={findRefusal('payout-files:make')} onClick={() => fetchFile.mutate(file)}>
        Download
      </Button>
      <Button refusal={findRefusal('payout-files:settle')} onClick={() => setSettling(file)}>
        All paid
      </Button>
    </div>
  )
  return (
    <>
      <TableCard
        title="Payout files"
        aside={
          <Button refusal={findRefusal('payout-files:make')} onClick={() => setMaking(true)}>
            Make a file
          </Button>
        }
        {...buildTable(actions)}
        rows={rows}
        empty={
          <p className="px-5 pt-1 pb-5 text-ink-2 text-sm">
            No file has been created yet. A file contains approved redemptions for a bank to pay.
          </p>
        }
        foot={<More query={more} />}
      />
      {isMaking && <NewFileDialog onClose={() => setMaking(false)} />}
      {settling !== null && <SettleDialog file={settling} onClose={() => setSettling(null)} />}
    </>
  )
}

function buildTable(actions: (file: File) => ReactNode): Table<File> {
  return {
    caption: 'Payout files, newest first',
    toKey: ({ file_id }) => file_id,
    columns: [
      { header: 'File', phone: 'title', cell: ({ file_id }) => <Copyable text={file_id} short /> },
      { header: 'Format', quiet: true, cell: ({ format }) => format },
      { header: 'Payouts', align: 'right', cell: ({ entries }) => entries },
      { header: 'Total', align: 'right', phone: 'amount', cell: ({ total, currency }) => money(total, currency) },
      { header: 'Pay on', isTime: true, cell: ({ pay_on }) => day(pay_on) },
      { header: 'Created', wideOnly: true, isTime: true, cell: ({ created_at }) => dateTime(created_at) },
      { header: 'Actions', align: 'right', phone: 'actions', cell: actions },
    ],
    note: ({ entries, pay_on, format }) => `${plural(entries, 'payout')} on ${day(pay_on)}, ${format}`,
  }
}

async function download({ file_id, format }: File): Promise<void> {
  const params = { path: { file_id } }
  const text = await getAs('text', '/operator/payout-files/{file_id}/content', params)
  const ending = format === 'pain.001' ? 'xml' : format === 'csv' ? 'csv' : 'ach'
  saveFile(`${file_id}.${ending}`, new Blob([String(text)], { type: 'text/plain' }))
}

function NewFileDialog({ onClose }: { readonly onClose: () => void }) {
  const { data: known } = useSuspenseQuery(publishers)
  const { values, field } = useFields({
    publisher_id: known[0]?.publisher_id ?? '',
    format: 'nacha' as Schemas['PayoutFileFormat'],
  })
  return (
    <ChangeDialog
      onClose={onClose}
      title="Make a payout file"
      lead="The file contains approved redemptions with the method “file”, oldest first. They are marked as sent, so the file must go to the bank."
      confirm="Make the file"
      act={() => post('/operator/payout-files', { body: values })}
      done={({ entries, left }) => [
        `The file has ${plural(entries, 'payout')}`,
        left.length === 0 ? undefined : `${left.length} were left out.`,
      ]}
      reload={['/operator/payout-files', '/operator/redemptions']}
    >
      <SelectField
        {...field('publisher_id')}
        label="Publisher"
        options={known.map(({ publisher_id, name }) => [publisher_id, name])}
      />
      <SelectField {...field('format')} label="Format" options={FORMATS} />
    </ChangeDialog>
  )
}

function SettleDialog({ file, onClose }: { readonly file: File; readonly onClose: () => void }) {
  return (
    <ChangeDialog
      onClose={onClose}
      title="Mark the whole file as paid"
      lead={`Marks as paid everything in the file that the bank has not reported as failed: up to ${money(file.total, file.currency)}. Use it for banks that report only failures, once their deadline has passed.`}
      confirm="All paid"
      act={() => post('/operator/payout-files/{file_id}/settle', { path: { file_id: file.file_id } })}
      done={({ paid }) => `${plural(paid, 'payout')} marked as paid`}
      reload={['/operator/redemptions']}
    />
  )
}
