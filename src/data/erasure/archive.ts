import type { Database, Tx } from '../../platform/db/database.ts'
import { type ReadingBounds, streamSnapshot } from '../../platform/db/streamed-snapshot.ts'
import { encodeId, type PublisherId, type UserId } from '../../platform/ids.ts'
import { csvLine } from '../../platform/text/csv.ts'
import { listArchivedColumns, listUserTables, type UserTable } from '../tables/index.ts'
import { readSection } from './archive-queries.ts'

type ArchiveFormat = 'json' | 'csv'

type Deps = {
  /** The connection pool for reports. */
  readonly reports: Database
  /** Runs a piece of work at a lower priority than API calls. See createApp. */
  readonly givingWay: <T>(part: () => T) => Promise<T>
}
type Whose = { readonly publisherId: PublisherId; readonly userId: UserId; readonly now: Date }

/** Streams a user's archive, read from a single snapshot. */
export function streamArchive(
  deps: Deps,
  whose: Whose,
  format: ArchiveFormat,
  bounds?: ReadingBounds,
): ReturnType<typeof streamSnapshot> {
  return streamSnapshot(deps.reports, (tx) => yieldArchive(deps, tx, whose, FORMATS[format]), bounds)
}

type Section = UserTable & { readonly section: string }

type Writer = {
  readonly head: (whose: Whose) => string
  readonly open: (section: Section, index: number) => string
  readonly rows: (section: Section, texts: readonly string[], isFirst: boolean) => string
  readonly close: string
  readonly end: string
}

async function* yieldArchive({ givingWay }: Deps, tx: Tx, whose: Whose, format: Writer): AsyncGenerator<string> {
  yield format.head(whose)
  const sections = (await listUserTables(tx)).filter((table): table is Section => 'section' in table)
  for (const [index, section] of sections.entries()) {
    yield format.open(section, index)
    let isFirst = true
    for await (const texts of readSection(tx, whose.publisherId, whose.userId, section)) {
      const isFirstPortion = isFirst
      yield await givingWay(() => format.rows(section, texts, isFirstPortion))
      isFirst = false
    }
    yield format.close
  }
  yield format.end
}

const FORMATS: Readonly<Record<ArchiveFormat, Writer>> = {
  json: {
    head: ({ userId, now }) =>
      `{"svc_user_id":"${encodeId('usr', userId)}","created_at":"${now.toISOString()}","sections":{`,
    open: ({ section }, index) => `${index === 0 ? '' : ','}\n"${section}":[`,
    rows: (_section, texts, isFirst) => `${isFirst ? '' : ','}\n${texts.join(',\n')}`,
    close: ']',
    end: '\n}}\n',
  },
  csv: {
    head: ({ userId, now }) => `archive,${encodeId('usr', userId)},${now.toISOString()}\r\n`,
    open: (table) => `\r\nsection,${table.section}\r\n${csvLine(listArchivedColumns(table))}`,
    rows: (table, texts) => {
      const columns = listArchivedColumns(table)
      return texts
        .map((text) => JSON.parse(text) as Readonly<Record<string, unknown>>)
        .map((row) => csvLine(columns.map((column) => row[column])))
        .join('')
    },
    close: '',
    end: '',
  },
}
