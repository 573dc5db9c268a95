import { Link } from '@tanstack/react-router'
import Download from 'lucide-react/icons/download'
import Upload from 'lucide-react/icons/upload'
import { useState } from 'react'
import { getAs, type Schemas } from '../../api/client.ts'
import { useRefusal } from '../../api/permissions.ts'
import { ChangeDialog } from '../../change-dialog.tsx'
import { saveFile } from '../../files.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { SelectField } from '../../ui/form/field.tsx'

type Format = Schemas['ExportCatalogFormat']
const FORMATS: readonly (readonly [Format, string])[] = [
  ['json', 'JSON, one document'],
  ['jsonl', 'JSON Lines, one brand per line'],
  ['csv', 'CSV, one offer a line'],
]

/** The buttons that export and import the catalog as a file. */
export function CatalogFiles() {
  const findRefusal = useRefusal()
  const [isAsking, setAsking] = useState(false)
  const [format, setFormat] = useState<Format>('json')
  const refusal = findRefusal('catalog:change')
  return (
    <>
      <Button refusal={findRefusal('catalog:export')} onClick={() => setAsking(true)}>
        <Download aria-hidden="true" className="size-4" /> Export
      </Button>
      {refusal === null ? (
        <Link to="/brands/import" className={buttonClass('primary')}>
          <Upload aria-hidden="true" className="size-4" /> Import
        </Link>
      ) : (
        <Button refusal={refusal}>
          <Upload aria-hidden="true" className="size-4" /> Import
        </Button>
      )}
      {isAsking && (
        <ChangeDialog
          onClose={() => setAsking(false)}
          title="Export the catalog"
          lead="All brands and offers, as a file that can be imported again."
          confirm="Export"
          act={async () => {
            saveFile(`catalog.${format}`, await getAs('blob', '/operator/catalog/export', { query: { format } }))
          }}
          onDone={() => setAsking(false)}
        >
          <SelectField name="format" label="Format" value={format} options={FORMATS} onChange={setFormat} />
        </ChangeDialog>
      )}
    </>
  )
}
