import type { Command } from 'commander'
import { type AliasRow, createCatalogStore, listAliasHistory, revokeAlias } from '../../src/catalog/catalog/index.ts'
import {
  decideReviewAs,
  findReview,
  listReviews,
  OPERATOR_REVIEW,
  parseReviewId,
  presentDecided,
} from '../../src/catalog/reviews/index.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { encodeId, type Id, type PublisherId } from '../../src/platform/ids.ts'
import { defineCommand } from '../define.ts'
import { parseId, parseWholeNumber, readPublisherId, usage } from '../options.ts'
import { change, withChanges, withStorage } from '../storage.ts'
import { answer, answerJson, answerTable, note, shorten } from '../terminal.ts'

const SHOWN = 50
const SHOWN_MAX = 1_000
const WIDTH = 40
const NAME_WIDTH = 24
// The width of the longest field name.
const LABEL_WIDTH = 19

export function define(review: Command): void {
  defineCommand(review, 'list', 'list open reviews, those with the most purchases first')
    .option('--publisher <id>', "only this publisher's (pub_…)", readPublisherId)
    .option('--limit <count>', `how many (default: ${SHOWN})`, parseWholeNumber(SHOWN_MAX))
    .action(list)
  defineCommand(review, 'show', 'show a review with its evidence')
    .argument('<review>', 'the review (rev_…)')
    .action(show)
  defineCommand(review, 'decide', 'decide the brand for purchases from now on')
    .argument('<review>', 'the review (rev_…)')
    .option('--brand <brand_uid>', 'the brand')
    .option('--no-brand', 'the merchant is not a brand in this catalog')
    .option('--for-all', 'for all publishers, not only the one with the review')
    .requiredOption('--by <name>', 'name of the person who decides')
    .option('--note <text>', 'the reason')
    .action(decide)
  aliasCommands(review)
}

function aliasCommands(review: Command): void {
  defineCommand(review, 'aliases', 'list decided and learned aliases, including revoked ones')
    .option('--publisher <id>', 'the publisher (pub_…); default: aliases for all publishers', readPublisherId)
    .option('--limit <count>', `how many (default: ${SHOWN})`, parseWholeNumber(SHOWN_MAX))
    .action(aliases)
  defineCommand(review, 'revoke', 'revoke an alias for purchases from now on')
    .argument('<alias>', 'the alias (als_…)', parseId('als', 'an alias', 'review aliases'))
    .requiredOption('--by <name>', 'name of the person who decides')
    .action(revoke)
}

type List = { readonly publisher?: PublisherId; readonly limit?: number; readonly json?: true }

async function list({ publisher, limit = SHOWN, json }: List): Promise<void> {
  const filter = { publisherId: publisher ?? null, isOpen: true }
  const paging = { sort: [{ field: 'purchases' as const, descending: true }], size: limit, offset: 0 }
  const reviews = await withStorage(({ db }) => listReviews(db.reader, filter, paging))
  if (json) return answerJson({ reviews: reviews.map(OPERATOR_REVIEW.present) })
  if (reviews.length === 0) return note('There are no open reviews.')
  const columns = ['review', 'publisher', 'written as', 'looks like', 'brand', '>score', '>purchases']
  const rows = reviews.map((one) => [
    ...[encodeId('rev', one.reviewId), shorten(one.publisherName, NAME_WIDTH), shorten(one.template, WIDTH)],
    ...[shorten(one.proposedName ?? '', NAME_WIDTH), one.proposedUid],
    ...[one.score.toFixed(2), String(one.purchases)],
  ])
  answerTable(columns, rows)
}

async function show(text: string, { json }: { readonly json?: true }): Promise<void> {
  const review = await withStorage(({ db }) => findReview(db.reader, null, parseReviewId(text)))
  if (review === null) throw usage(`There is no review ${text}. List them with \`laurel review list\`.`)
  const shown = OPERATOR_REVIEW.present(review)
  if (json) return answerJson(shown)
  const { evidence, runner_up, sample_transaction_uids, ...plain } = shown
  for (const [name, value] of Object.entries(plain)) answer(`${name.padEnd(LABEL_WIDTH)}  ${value ?? ''}`)
  if (runner_up !== null)
    answer(
      `${'runner_up'.padEnd(LABEL_WIDTH)}  ${runner_up.brand_name ?? ''} ${runner_up.brand_uid} (${runner_up.score})`,
    )
  for (const one of evidence) answer(`${one.field.padEnd(LABEL_WIDTH)}  ${one.value} → ${one.matched}`)
  for (const uid of sample_transaction_uids) answer(`${'purchase'.padEnd(LABEL_WIDTH)}  ${uid}`)
}

type Decide = {
  /** False if the merchant is not a brand. */
  readonly brand?: string | false
  readonly forAll?: true
  readonly by: string
  readonly note?: string
  readonly json?: true
}

async function decide(reviewUid: string, { brand, forAll, by, note: why, json }: Decide): Promise<void> {
  if (typeof brand !== 'string' && brand !== false) throw usage('Specify --brand or --no-brand.')
  const answered = { reviewUid, isForAll: forAll === true, brandUid: brand === false ? null : brand, note: why ?? null }
  const decided = await withChanges(by, null, async ({ db }, actor) => {
    const catalog = await createCatalogStore(db).refresh()
    return db.transaction((tx) => decideReviewAs(tx, catalog, { ...answered, name: by, by: actor }, systemClock.now()))
  })
  const shown = presentDecided(decided)
  if (json) return answerJson(shown)
  answer(`${shown.review.template} is ${brand === false ? 'no brand' : brand} from now on.`)
  for (const { publisherId } of decided.closed) {
    const { template, since, until } = shown.rematch
    const named = `--publisher ${encodeId('pub', publisherId)} --template "${template}" --since ${since} --until ${until}`
    note(`To see what it would change in earlier purchases: laurel rematch preview ${named}`)
  }
}

async function aliases({ publisher, limit = SHOWN, json }: List): Promise<void> {
  const rows = await withStorage(({ db }) => listAliasHistory(db.reader, publisher ?? null, limit))
  if (json) return answerJson({ aliases: rows.map(presentAlias) })
  if (rows.length === 0) return note('There are no aliases yet.')
  const columns = ['alias', 'written as', 'brand', 'by', 'on', 'revoked by']
  const cells = rows.map((one) => [
    ...[encodeId('als', one.aliasUid), shorten(one.key, WIDTH), one.brandUid ?? 'none', one.decidedBy],
    ...[one.decidedAt.toISOString().slice(0, 10), one.revokedBy ?? ''],
  ])
  answerTable(columns, cells)
}

async function revoke(aliasUid: Id<string>, { by, json }: { readonly by: string; readonly json?: true }) {
  const revoked = await change(by, async (tx, _storage, now) => {
    const result = await revokeAlias(tx, aliasUid, by, now)
    return { action: 'alias.revoked', subject: encodeId('als', aliasUid), before: presentAlias(result), result }
  })
  if (json) return answerJson(presentAlias(revoked))
  answer(`${revoked.key} will be matched without it from now on.`)
}

function presentAlias(alias: AliasRow) {
  return {
    alias_uid: encodeId('als', alias.aliasUid),
    publisher_id: alias.publisherId === null ? null : encodeId('pub', alias.publisherId),
    key: alias.key,
    brand_uid: alias.brandUid,
    decided_by: alias.decidedBy,
    decided_at: alias.decidedAt.toISOString(),
    note: alias.note,
    revoked_by: alias.revokedBy,
    revoked_at: alias.revokedAt?.toISOString() ?? null,
  }
}
