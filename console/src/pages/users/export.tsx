import { useRef, useState } from 'react'
import { getAs } from '../../api/client.ts'
import { useChange } from '../../api/use-change.ts'
import { saveFile } from '../../files.ts'
import { count } from '../../format.ts'
import { ConfirmDialog } from '../../ui/form/dialog.tsx'
import { SelectField } from '../../ui/form/field.tsx'

type Format = 'json' | 'csv'
type Props = { readonly publisher: string; readonly user: string; readonly onClose: () => void }

/** Downloads all stored data about a user. Closing the dialog stops the download. */
export function ExportDialog({ publisher, user, onClose }: Props) {
  const [format, setFormat] = useState<Format>('json')
  const [read, setRead] = useState(0)
  const stop = useRef(new AbortController())
  const fetchArchive = useChange({
    act: async () => {
      const params = { path: { publisher_user_id: user }, query: { format } }
      const { signal } = stop.current
      const body = await getAs('stream', '/users/{publisher_user_id}/archive', { ...params, signal, publisher })
      const parts: BlobPart[] = []
      const reader = (body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader()
      for (let bytes = 0; ; setRead(bytes)) {
        const { done, value } = await reader.read()
        if (done) return new Blob(parts)
        parts.push(value)
        bytes += value.length
      }
    },
    onDone: (file) => {
      onClose()
      saveFile(`archive_${user}.${format}`, file)
    },
    done: 'Archive downloaded',
  })
  return (
    <ConfirmDialog
      onClose={() => {
        stop.current.abort()
        onClose()
      }}
      title="Export the user’s data"
      lead="Everything stored about the user. Card numbers are masked and voucher codes left out."
      confirm="Download"
      change={fetchArchive}
    >
      <SelectField
        name="format"
        label="Format"
        value={format}
        options={[
          ['json', 'JSON: one document'],
          ['csv', 'CSV: a table for each section'],
        ]}
        onChange={(chosen) => setFormat(chosen === 'csv' ? 'csv' : 'json')}
      />
      {fetchArchive.isPending && (
        <p role="status" className="num text-ink-2 text-sm">
          {count(Math.ceil(read / 1024))} KiB so far
        </p>
      )}
    </ConfirmDialog>
  )
}
