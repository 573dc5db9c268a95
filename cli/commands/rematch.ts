import type { Command } from 'commander'
import { createCatalogStore } from '../../src/catalog/catalog/index.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { encodeId, type PublisherId } from '../../src/platform/ids.ts'
import {
  applyRematchAs,
  getRematch,
  listChanges,
  parseDayFilter,
  presentChanges,
  presentPreview,
  previewRematch,
  REMATCH,
  REMATCH_LIST,
  type Rematch,
  undoRematchAs,
} from '../../src/purchases/transactions/index.ts'
import { readList } from '../../src/tenants/access/index.ts'
import { getPublisher, publisherNow } from '../../src/tenants/publishers/index.ts'
import { defineCommand } from '../define.ts'
import { readDay, readPublisherId } from '../options.ts'
import { type Storage, withChanges, withStorage } from '../storage.ts'
import { answer, answerJson, answerTable, formatCount, formatTable, note } from '../terminal.ts'

type Asked = {
  readonly publisher: PublisherId
  readonly brand?: string
  readonly template?: string
  readonly since?: string
  readonly until?: string
  readonly json?: true
}
type Shown = ReturnType<typeof presentPreview>

const SHOWN = 50
const timed = { clock: systemClock }

export function define(rematch: Command): void {
  filtered(defineCommand(rematch, 'preview', 'show what would change and by how much, without changing it')).action(
    preview,
  )
  filtered(defineCommand(rematch, 'apply', 'decide the purchases again, recording who decided and why'))
    .requiredOption('--by <name>', 'name of the person who decides')
    .requiredOption('--reason <text>', 'why')
    .option('--hash <hash>', 'hash of a preview; refused if the result would differ')
    .action(apply)
  defineCommand(rematch, 'undo', 'undo a re-match; purchases decided since then are left alone')
    .argument('<rematch>', 'the re-match (rmt_…)')
    .requiredOption('--by <name>', 'name of the person who decides')
    .action(undo)
  defineCommand(rematch, 'list', 'list re-matches, newest first')
    .requiredOption('--publisher <id>', 'the publisher (pub_…)', readPublisherId)
    .action(list)
  defineCommand(rematch, 'show', 'show the purchases changed by a re-match, before and after')
    .argument('<rematch>', 'the re-match (rmt_…)')
    .action(show)
}

function filtered(command: Command): Command {
  return command
    .requiredOption('--publisher <id>', 'the publisher of the purchases (pub_…)', readPublisherId)
    .option('--brand <brand_uid>', 'purchases matched to this brand, before or after the re-match')
    .option('--template <key>', 'purchases with this merchant template')
    .option('--since <day>', 'first day, yyyy-MM-dd', readDay)
    .option('--until <day>', 'last day, yyyy-MM-dd', readDay)
    .option('--json', 'print one JSON object')
}

async function preview({ json, ...asked }: Asked): Promise<void> {
  const shown = await withStorage(async (storage) => {
    const { publisher, filter, deps } = await named(storage, asked)
    return presentPreview(
      publisher,
      await previewRematch(deps, publisher, filter, publisherNow(publisher, systemClock)),
    )
  })
  if (json) return answerJson(shown)
  for (const line of formatLines(shown)) answer(line)
  note(
    `${formatCount(shown.examined, 'purchase')} examined, ${shown.changed} would change. To apply exactly this, add ` +
      `--hash ${shown.hash}`,
  )
}

type Apply = Asked & { readonly by: string; readonly reason: string; readonly hash?: string }

async function apply({ json, by, reason, hash = '', ...asked }: Apply): Promise<void> {
  await withChanges(by, null, async (storage, actor) => {
    const { publisher, filter, deps } = await named(storage, asked)
    const order = { filter, by, reason, expected: hash || null }
    printRematch(await applyRematchAs(deps, publisher, order, actor, timed), json)
  })
}

async function undo(uid: string, { by, json }: { readonly by: string; readonly json?: true }): Promise<void> {
  await withChanges(by, null, async ({ db }, actor) => {
    const deps = { db, catalog: createCatalogStore(db) }
    const rematch = await undoRematchAs(deps, uid, by, actor, timed)
    printRematch(rematch, json)
    if (rematch.kept > 0 && !json)
      note(`${rematch.kept} ${rematch.kept === 1 ? 'was' : 'were'} left alone, because of a later decision.`)
  })
}

async function list({ publisher, json }: { readonly publisher: PublisherId; readonly json?: true }): Promise<void> {
  const shown = await withStorage(async ({ db }) => {
    await getPublisher(db.reader, publisher)
    const query = { publisher_id: encodeId('pub', publisher), limit: SHOWN }
    return (await readList(db.reader, REMATCH_LIST, query, '-started_at')).rows.map(REMATCH.present)
  })
  if (json) return answerJson({ rematches: shown })
  if (shown.length === 0) return note('There are no re-matches yet.')
  const columns = ['rematch', 'on', 'by', 'changed', 'undoes', 'why']
  const rows = shown.map((one) => [
    ...[one.rematch_uid, one.started_at.slice(0, 10), one.decided_by, String(one.changed)],
    ...[one.undoes ?? '', one.reason],
  ])
  answerTable(columns, rows)
}

async function show(uid: string, { json }: { readonly json?: true }): Promise<void> {
  const shown = await withStorage(async ({ db }) => {
    const rematch = await getRematch(db, uid)
    const changes = await listChanges(db.reader, rematch.publisherId, rematch.rematchId)
    return { ...REMATCH.present(rematch), changes: presentChanges(rematch, changes) }
  })
  if (json) return answerJson(shown)
  for (const line of formatLines(shown)) answer(line)
}

async function named({ db }: Storage, { publisher: id, brand, template, since, until }: Asked) {
  const publisher = await getPublisher(db.reader, id)
  const filter = parseDayFilter(publisher, {
    ...(brand === undefined ? {} : { brand_uid: brand }),
    ...(template === undefined ? {} : { template }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  })
  return { publisher, filter, deps: { db, catalog: createCatalogStore(db) } }
}

function printRematch(rematch: Rematch, json: true | undefined): void {
  const shown = REMATCH.present(rematch)
  if (json) {
    answerJson(shown)
    return
  }
  answer(
    `${encodeId('rmt', rematch.rematchId)}: ${shown.changed} of ${formatCount(shown.examined, 'purchase')} changed.`,
  )
  for (const line of formatTotals(shown.totals)) answer(line)
}

function formatLines({ changes, totals }: Pick<Shown, 'changes' | 'totals'>): string[] {
  const columns = ['purchase', 'brand', 'offer', 'status', '>cashback']
  const pair = (before: unknown, after: unknown): string =>
    before === after ? String(before ?? 'none') : `${before ?? 'none'} → ${after ?? 'none'}`
  const rows = changes.map(({ transaction_uid, before, after }) => [
    transaction_uid,
    pair(before.brand_uid, after.brand_uid),
    pair(before.offer_uid, after.offer_uid),
    pair(before.status_reason ?? before.status, after.status_reason ?? after.status),
    pair(before.user_cashback, after.user_cashback),
  ])
  return [...(rows.length === 0 ? [] : formatTable(columns, rows)), ...formatTotals(totals)]
}

function formatTotals(totals: Shown['totals']): string[] {
  const columns = ['in all', '>before', '>after']
  const rows = totals.flatMap(({ currency, ...parts }) =>
    Object.entries(parts).map(([name, { before, after }]) => [
      name.replaceAll('_', ' '),
      ...[before, after].map((amount) => `${amount.toFixed(2)} ${currency}`),
    ]),
  )
  return rows.length === 0 ? [] : formatTable(columns, rows)
}
