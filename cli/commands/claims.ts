import type { Command } from 'commander'
import { systemClock } from '../../src/platform/clock.ts'
import { encodeId, type PublisherId } from '../../src/platform/ids.ts'
import {
  CLAIM_LIST,
  CLAIM_STATUSES,
  type ClaimStatus,
  claimIdIn,
  claimNotFound,
  declineClaimAs,
  findClaim,
  listNotes,
  OPERATOR_CLAIM,
  PERSONS_REASONS,
  type PersonsReason,
} from '../../src/purchases/claims/index.ts'
import { presentRow, presentRows, readList } from '../../src/tenants/access/index.ts'
import type { By } from '../actor.ts'
import { defineChange, defineCommand } from '../define.ts'
import { parseChoice, readPublisherId } from '../options.ts'
import { changeAs, withStorage } from '../storage.ts'
import { answer, answerJson, answerTable, note } from '../terminal.ts'

// More than anyone can decide in a day. The nearest deadlines come first.
const SHOWN_MAX = 500
// The width of the longest field name.
const LABEL_WIDTH = 23

export function define(claims: Command): void {
  defineCommand(claims, 'list', 'list claims, nearest deadline first')
    .option('--publisher <id>', "only this publisher's (pub_…)", readPublisherId)
    .option('--status <status>', `${CLAIM_STATUSES.join(', ')} (default: open)`, parseChoice(...CLAIM_STATUSES))
    .action(list)
  defineCommand(claims, 'show', 'show a claim with its notes').argument('<claim>', 'the claim (clm_…)').action(show)
  defineChange(claims, 'decline', 'decline a claim; to grant one, use `POST /operator/claims/{claim_id}/grant`')
    .argument('<claim>', 'the claim (clm_…)')
    .requiredOption('--reason <reason>', PERSONS_REASONS.join(', '), parseChoice(...PERSONS_REASONS))
    .requiredOption('--text <text>', 'details, which the publisher can see')
    .action(decline)
}

type Listed = { readonly publisher?: PublisherId; readonly status?: ClaimStatus; readonly json?: true }

async function list({ publisher, status = 'open', json }: Listed): Promise<void> {
  const query = { status, limit: SHOWN_MAX, ...(publisher && { publisher_id: encodeId('pub', publisher) }) }
  const shown = await withStorage(async ({ db: { reader } }) => {
    const { rows } = await readList(reader, CLAIM_LIST, query, 'deadline')
    return presentRows(reader, OPERATOR_CLAIM, rows as never)
  })
  if (json) return answerJson({ claims: shown })
  if (shown.length === 0) return note(`There are no ${status} claims.`)
  const columns = ['claim', 'kind', 'user', '>amount', 'merchant', 'deadline']
  const rows = shown.map((one) => [
    ...[one.claim_id, one.kind, one.publisher_user_id],
    ...[one.amount === null ? '' : `${one.amount.toFixed(2)} ${one.currency}`, one.merchant ?? one.brand_uid ?? ''],
    one.deadline,
  ])
  answerTable(columns, rows)
}

async function show(text: string, { json }: { readonly json?: true }): Promise<void> {
  const claimId = claimIdIn(text)
  const { claim, notes } = await withStorage(async ({ db: { reader } }) => {
    const found = await findClaim(reader, null, claimId)
    if (found === null) throw claimNotFound()
    const written = await listNotes(reader, found)
    const notes = written.map((one) => ({ author: one.author, text: one.text, at: one.at.toISOString() }))
    return { claim: await presentRow(reader, OPERATOR_CLAIM, found), notes }
  })
  if (json) return answerJson({ ...claim, notes })
  for (const [name, value] of Object.entries(claim)) answer(`${name.padEnd(LABEL_WIDTH)}  ${value ?? ''}`)
  for (const one of notes) answer(`${`${one.author}, ${one.at.slice(0, 10)}`.padEnd(LABEL_WIDTH)}  ${one.text}`)
}

type Declined = { readonly reason: PersonsReason; readonly text: string; readonly json?: true }

async function decline(claimUid: string, { reason, text, json, by }: Declined & By): Promise<void> {
  const declined = await changeAs(by, (tx, { actor }) =>
    declineClaimAs(tx, systemClock, { claimUid, reason, text, by: actor }),
  )
  if (json) return answerJson({ claim_id: encodeId('clm', declined.claimId), status: declined.status, reason })
  answer(`The claim ${claimUid} was declined.`)
}
