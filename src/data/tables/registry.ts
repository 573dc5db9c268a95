import { type OtherRow, PUBLISHER_TABLES, SERVICE_TABLES, SHARED_TABLES } from './other-tables.ts'
import { USER_TABLES, type UserRow } from './user-tables.ts'

/** A table of the database. */
export type SchemaTable = {
  readonly name: string
  readonly columns: readonly string[]
  /** Columns whose values the database generates. */
  readonly generated: readonly string[]
  /** Columns that hold no free text: IDs, times, whole numbers, flags, enumerated values, references. */
  readonly textless: readonly string[]
  readonly key: readonly string[]
  /** Tables that its foreign keys reference. */
  readonly needs: readonly string[]
}

export type UserTable = SchemaTable & UserRow & { readonly owner: 'user' }
/** A table of the database with its row in the registry. */
export type RegisteredTable =
  | UserTable
  | (SchemaTable & OtherRow & { readonly owner: 'publisher' | 'shared' | 'service' })

const REGISTRY = {
  user: USER_TABLES,
  publisher: PUBLISHER_TABLES,
  shared: SHARED_TABLES,
  service: SERVICE_TABLES,
}

/** Returns the registered tables, in registry order. */
export function findRegistered(schema: readonly SchemaTable[], registry = REGISTRY): RegisteredTable[] {
  return Object.entries(registry).flatMap(([owner, rows]) =>
    Object.entries(rows).flatMap(([name, row]) => {
      const table = schema.find((one) => one.name === name)
      return table === undefined ? [] : [{ ...table, ...row, owner } as RegisteredTable]
    }),
  )
}

export const isUserTable = (table: RegisteredTable): table is UserTable => table.owner === 'user'

export const splitNames = (list = ''): string[] => list.split(/\s+/).filter((name) => name !== '')

// Column names reviewed as identifying nobody in any table.
const IMPERSONAL = ['brand_uid', 'currency', 'kind', 'offer_uid', 'source', 'status', 'type']
// Column names reviewed as identifying nobody in any table, provided they hold no free text.
const IMPERSONAL_IF_TEXTLESS = splitNames(`
  accepted_at acknowledged_at activated_at adjustment_id adjusts affiliate_id agreed amount announced_duplicate_id
  approvals_needed at attempts authorized_at available break_told_at card_id cause_id cause_version chosen_at claim_id
  click_id clicked_at code_id contradiction_id created_at date_only deactivated_at deadline debt decided_at
  delivery_id denomination destination_id digest document_id done_at due_at earned_at earned_total effective_at
  ended_at endpoint_id erasure_id error event_id exhausted_position extra_attempts fee_amount feed_id file_id
  generation granted_event_is_new granted_transaction_id gross handed_as handed_out_at held is_orphan is_sold item_id
  journal_id judged_in lapses_at last_attempt_at latency_ms leased_until link_id linked_at matures_at method
  most_gross network network_id new_accounts_available next_attempt_at note_id observed_at occurred_at opened_by
  order_id ordinal paid_by peak_amount pending period planned_at policy position postback_id publisher_amount
  publisher_id queued_at reactivated_at reauthentication_deadline received_at recorded_at redeemed_total redemption_id
  refunded rematch_id removed reported_at reported_id requested_at response_status revealed_at revision sequence since
  sold_at stacked taken_over total transaction_id unlinked_at updated_at usable_from user_amount user_discount user_id
  version via waits_until
`)

/** Returns the table's columns whose names were reviewed as identifying nobody. */
function listImpersonal({ columns, textless }: SchemaTable): string[] {
  return columns.filter(
    (column) => IMPERSONAL.includes(column) || (textless.includes(column) && IMPERSONAL_IF_TEXTLESS.includes(column)),
  )
}

/**
 * Returns the columns whose names were reviewed as identifying nobody, and those listed in the table's registry row.
 */
function listDecided(table: UserTable): string[] {
  const { columns, replaced, nulled, set = {}, kept, hidden } = table
  const listed = [replaced, nulled, kept, hidden].flatMap(splitNames)
  const decided = new Set([...listImpersonal(table), ...listed, ...Object.keys(set)])
  return columns.filter((column) => decided.has(column))
}

// Columns of no use to someone reading an archive.
const UNREADABLE = /sealed|hash|fingerprint|sha256|salt/

/** Returns the columns that a user's archive contains. */
export function listArchivedColumns(table: UserTable): string[] {
  const hidden = ['user_id', 'publisher_id', ...splitNames(table.hidden)]
  return listDecided(table)
    .filter((column) => !hidden.includes(column) && !UNREADABLE.test(column))
    .sort()
}

/** Returns the columns that must be equal in both installations after a move. */
export function listComparedColumns({ columns, generated, anew }: RegisteredTable): string[] {
  const differing = [...generated, ...splitNames(anew)]
  return columns.filter((column) => !differing.includes(column))
}

/** Lists the differences between the registry and the database, so that no table or column is overlooked. */
export function findFaults(schema: readonly SchemaTable[], userTables = USER_TABLES): string[] {
  const registry = { ...REGISTRY, user: userTables }
  const rows = Object.values(registry).flatMap((tables) => Object.keys(tables))
  const tables = findRegistered(schema, registry)
  const sections = tables.filter(isUserTable).flatMap((table) => ('section' in table ? table.section : []))
  return [
    ...schema.filter(({ name }) => !rows.includes(name)).map(({ name }) => `${name} has no row`),
    ...rows.filter((row) => !schema.some(({ name }) => name === row)).map((row) => `there is no table ${row}`),
    ...findRepeated(rows).map((row) => `${row} has two rows`),
    ...IMPERSONAL_IF_TEXTLESS.filter((name) => !tables.some((table) => hasTextless(table, name))).map(
      (name) => `no table of users has a column ${name} without free text`,
    ),
    ...findRepeated(sections).map((section) => `two tables are the section ${section}`),
    ...tables.flatMap((table) =>
      [
        ...findOwnerFaults(table),
        ...(isUserTable(table) ? findUserFaults(table) : findOtherFaults(table)),
        ...findUnknown(table, splitNames(table.anew)),
      ].map((fault) => `${table.name} ${fault}`),
    ),
  ]
}

const hasTextless = (table: RegisteredTable, name: string): boolean =>
  isUserTable(table) && table.textless.includes(name)

function findRepeated(names: readonly string[]): string[] {
  return names.filter((name, place) => names.indexOf(name) < place)
}

function findUnknown({ columns }: SchemaTable, named: readonly string[]): string[] {
  return named.filter((column) => !columns.includes(column)).map((column) => `has no column ${column}`)
}

function findOwnerFaults({ columns, owner, stays }: RegisteredTable): string[] {
  if (columns.includes('user_id') !== (owner === 'user'))
    return ['must belong to users if, and only if, it has a user_id']
  if (columns.includes('publisher_id'))
    return owner === 'user' || owner === 'publisher' ? [] : ['must belong to publishers, because it has a publisher_id']
  return owner === 'user' && stays === undefined ? ['cannot move without a publisher_id'] : []
}

const REMEDY = 'list it in user-tables.ts, or in registry.ts if it identifies nobody in any table'

function findUserFaults(table: UserTable): string[] {
  const { columns, replaced, nulled, set = {}, kept, hidden, deleted } = table
  const decided = listDecided(table)
  const erased = [...splitNames(replaced), ...splitNames(nulled), ...Object.keys(set)]
  const needless = [...listImpersonal(table), ...erased, ...splitNames(hidden)]
  // If an erasure deletes all rows and the archive omits them, no column needs to be listed.
  const isGone = deleted !== undefined && 'omitted' in table
  return [
    ...findUnknown(table, [...erased, ...splitNames(kept), ...splitNames(hidden)]),
    ...findRepeated(erased).map((column) => `erases ${column} in two ways`),
    ...columns
      .filter((column) => !isGone && !decided.includes(column))
      .map((column) => `does not say whether ${column} is personal: ${REMEDY}`),
    ...splitNames(kept)
      .filter((column) => needless.includes(column))
      .map((column) => `need not say that ${column} is kept`),
  ]
}

// Columns that may quote or reference a user even though their table has no user_id.
const TELLING = /^(after|answer|email|payload|samples|sealed_answer|transaction_id)$/

function findOtherFaults({ columns, needs, personal }: SchemaTable & OtherRow): string[] {
  const isTelling = columns.some((column) => TELLING.test(column)) || needs.some((name) => name in USER_TABLES)
  if (isTelling === (personal !== undefined)) return []
  return [isTelling ? 'does not say how an erasure removes what it reveals about users' : 'reveals nothing about users']
}
