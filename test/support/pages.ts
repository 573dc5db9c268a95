import type { Reader } from '../../src/platform/db/database.ts'
import { buildWalkedPage } from '../../src/platform/http/index.ts'
import { type OperatorList, readList } from '../../src/tenants/access/index.ts'

/** Reads an entire list in pages of one row. */
export async function readPages<Row extends object>(
  reader: Reader,
  list: OperatorList<Row>,
  query: object,
  sort: string,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let place = {}; ; ) {
    const page = buildWalkedPage(
      await readList(reader, list, { ...query, ...place, limit: 1 }, sort),
      sort,
      (row) => row,
    )
    rows.push(...page.content)
    if (page.next_cursor === null) return rows
    place = { cursor: page.next_cursor }
  }
}
