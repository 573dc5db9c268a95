import type { Reader, SqlPart } from '../../platform/db/database.ts'
import type { PublisherId } from '../../platform/ids.ts'
import type { RegisteredTable } from '../tables/index.ts'

export async function findSchemaVersion(reader: Reader): Promise<string> {
  const [row] = await reader<[{ name: string }]>`
    select name from schema_migrations order by number desc limit 1`
  return row.name
}

/** The installation that a publisher leaves, or the one that it moves to. */
type InstallationSide = 'source' | 'target'

/** Returns a condition for the rows of a table that belong to the publisher. */
export function matchesPublisher(
  reader: Reader,
  { name, columns }: RegisteredTable,
  id: PublisherId,
  side: InstallationSide,
): SqlPart {
  const own = reader`publisher_id = ${id}`
  const answered = reader`
    select a.postback_id from postback_answers a join sub_ids s on s.sub_id = a.click_sub_id where s.publisher_id = ${id}`
  switch (name) {
    case 'closings':
    case 'statements':
      // A publisher's own books are named after its ID.
      return reader`books = ${id}::uuid::text`
    case 'postbacks':
      // Includes reports without a click that an operator assigned to one of the publisher's clicks.
      return reader`(${own} or postback_id in (${answered}))`
    case 'postback_answers':
      return reader`(postback_id in (select p.postback_id from postbacks p where p.publisher_id = ${id}) or postback_id in (${answered}))`
    case 'allowance_holds':
      // Budgets are agreed with each operating company, so holds under the source's budgets do not count toward the
      // target's.
      return reader`(${own} and kind <> 'budget')`
    case 'terms_documents':
      // In the target, the service's documents have become the publisher's own.
      return side === 'target' ? own : reader`(publisher_id is null or ${own})`
    case 'match_aliases':
      return side === 'target'
        ? own
        : reader`(${own} or alias_uid in (select r.alias_uid from review_items r where r.publisher_id = ${id}))`
    default:
      // Anyone with the key can put arbitrary rows into an archive, so in the target a row about another publisher's
      // user does not match. Events without a user have the publisher's ID as their `user_id`.
      return side === 'target' && columns.includes('user_id')
        ? reader`(${own} and (user_id is null or user_id = ${id} or user_id in (select u.user_id from users u where u.publisher_id = ${id})))`
        : own
  }
}

/**
 * Returns a condition for the rows of a shared table that the publisher's rows reference, through a column with the
 * same name as the shared table's key.
 */
export function isReferencedByPublisher(
  reader: Reader,
  table: RegisteredTable,
  tables: readonly RegisteredTable[],
  id: PublisherId,
): SqlPart {
  const named = (column: string): SqlPart => {
    const holders = tables.filter(({ owner, columns }) => owner !== 'shared' && columns.includes(column))
    const parts = holders.map(
      (holder) => reader`
        select ${reader(column)} from ${reader(holder.name)} where ${matchesPublisher(reader, holder, id, 'source')}`,
    )
    return parts.reduce((all, one) => reader`${all} union ${one}`)
  }
  const offers = named('offer_uid')
  const brands = reader`${named('brand_uid')} union select brand_uid from offers where offer_uid in (${offers})`
  switch (table.name) {
    case 'categories':
      return reader`category_id in (${named('category_id')} union select category_id from brands where brand_uid in (${brands}))`
    case 'brands':
      return reader`brand_uid in (${brands})`
    case 'networks':
      return reader`network in (${named('network')})`
    default:
      return reader`offer_uid in (${offers})`
  }
}
