/**
 * Which tables an archive contains. Every table with a publisher_id travels as it is, so that none is forgotten; the
 * exceptions are listed here.
 */

/** Tables with a publisher_id that stay, and why. */
const STAYING: Readonly<Record<string, string>> = {
  accounts: 'people sign in here; staff are invited there, and users open an account there',
  ledger_days: 'added up anew from the journals',
  ledger_totals: 'added up anew from the journals',
  payout_cursors: "a position in a bank's events; the other installation has another bank",
  portal_links: 'links to this installation',
  user_mail_preferences: 'of accounts here',
  user_mails: 'they are sent from here',
  user_sign_ups: 'users open new accounts there',
  portals: 'addresses of this installation, which may be taken there',
  verified_rollups: 'the verification adds up all journals anew',
  webhook_queues: 'rebuilt from the waiting deliveries',
  sessions: 'they are those of a browser with this installation',
}

/** Tables without a publisher_id of which some rows are a publisher's (belongingTo in scope-queries.ts). */
const BELONGING: readonly string[] = ['closings', 'postback_answers']

/**
 * What is shared with the other publishers there. Rows that a publisher's rows name travel along, and are added where
 * they are missing; what is there stays as it is.
 */
export const SHARED: readonly string[] = ['categories', 'brands', 'offers', 'offer_versions', 'stores', 'networks']

/** Tables of the service itself, and why they stay. */
const OF_THE_SERVICE: Readonly<Record<string, string>> = {
  account_tokens: 'links that people of this installation were sent',
  alias_version: 'a counter',
  assortment_version: 'a counter',
  audit_log: 'what people of this operating company did',
  backup_codes: 'of people who sign in here',
  budget_warnings: 'about the budgets of this operating company',
  catalog_version: 'a counter',
  former_offers: 'former versions of this catalog; what was decided by them is frozen in the purchases',
  installation: 'the secrets of this installation',
  institutions: 'fetched from the provider again',
  key_holders: 'processes of this installation',
  ledger_added_up: 'how far the sums of this installation are',
  ledger_cut: 'the latest cut of this installation',
  ledger_verification: 'how far the verification of this installation is',
  mails: 'they are sent from here',
  master_keys: 'the secrets of this installation',
  network_reports: "how this operating company fetches a network's reports",
  offer_budget_slots: 'budgets that advertisers agreed on with this operating company',
  offer_budgets: 'budgets that advertisers agreed on with this operating company',
  operator_answers: 'answers to people of this operating company',
  operators: 'people of this operating company',
  payout_payer: 'the bank account of this operating company',
  passkey_challenges: 'of people who sign in here',
  passkeys: 'of people who sign in here',
  programs: 'agreements of this operating company with networks',
  provider_institutions: 'fetched from the provider again',
  provider_pacing: "the pace of this installation's calls",
  report_imports: 'how far reports of networks were read here',
  schema_migrations: 'the same there, or the import is refused',
  sign_in_attempts: 'attempts at this installation',
  unverified_journals: 'made by the trigger that sees the journals come in',
  verified_balances: 'the verification adds up all journals anew',
}

/**
 * Columns that are about the installation: they get new values there, so they do not count when the contents are
 * compared. Numbers that the database generates are such columns, too.
 */
const GIVEN_ANEW: Readonly<Record<string, readonly string[]>> = {
  match_aliases: ['publisher_id', 'revoked_at', 'revoked_by'],
  publishers: ['moves_at', 'imported_at'],
  terms_acceptances: ['document_id'],
  terms_documents: ['publisher_id', 'revision'],
  terms_rollouts: ['document_id'],
  transactions: ['judged_in'],
  webhook_deliveries: ['exhausted_position'],
}

/** A table as the schema has it. */
export type SchemaTable = {
  readonly name: string
  readonly columns: readonly string[]
  /** Columns whose values the database generates. */
  readonly generated: readonly string[]
  readonly key: readonly string[]
  /** The tables that its foreign keys name. */
  readonly needs: readonly string[]
}

/**
 * The tables that travel, each after those that it needs.
 * @throws Error when a list and the schema disagree: nothing is left behind because nobody has thought of it
 */
export function travelling(tables: readonly SchemaTable[]): SchemaTable[] {
  const fault = faultOf(tables)
  if (fault !== null) throw new Error(`${fault}: correct src/takeouts/tables.ts`)
  const chosen = tables.filter(
    ({ name, columns }) =>
      SHARED.includes(name) ||
      BELONGING.includes(name) ||
      (columns.includes('publisher_id') && STAYING[name] === undefined),
  )
  const ordered: SchemaTable[] = []
  const place = (table: SchemaTable): void => {
    if (ordered.includes(table)) return
    for (const needed of table.needs) {
      const found = chosen.find(({ name }) => name === needed)
      if (found !== undefined) place(found)
    }
    ordered.push(table)
  }
  for (const table of chosen) place(table)
  return ordered
}

function faultOf(tables: readonly SchemaTable[]): string | null {
  const columns = new Map(tables.map((table) => [table.name, table.columns]))
  const shared = [...Object.keys(OF_THE_SERVICE), ...BELONGING, ...SHARED]
  const stated = [...Object.keys(STAYING), ...shared, ...Object.keys(GIVEN_ANEW)]
  const isOwn = (name: string): boolean => columns.get(name)?.includes('publisher_id') === true
  const unstated = tables.find(({ name }) => !isOwn(name) && !shared.includes(name))
  if (unstated !== undefined) return `nothing says whether the table ${unstated.name} travels`
  const unknown = stated.find((name) => !columns.has(name))
  if (unknown !== undefined) return `there is no table ${unknown}`
  const twice = shared.find((name) => isOwn(name) || shared.indexOf(name) !== shared.lastIndexOf(name))
  if (twice !== undefined) return `the table ${twice} is listed twice`
  const missing = Object.entries(GIVEN_ANEW).flatMap(([name, given]) =>
    given.filter((column) => !columns.get(name)?.includes(column)).map((column) => `${name}.${column}`),
  )
  return missing.length === 0 ? null : `there is no column ${missing[0]}`
}

export const isSealed = (column: string): boolean => column.startsWith('sealed_')

/** The columns that must be the same there. */
export function comparedColumns({ name, columns, generated }: SchemaTable): string[] {
  const anew = [...generated, ...(GIVEN_ANEW[name] ?? [])]
  return columns.filter((column) => !anew.includes(column))
}
