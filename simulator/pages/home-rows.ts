import { listTransactions } from '../purchases.ts'
import type { Item, Transaction } from '../state.ts'
import { action, button, check, input, more } from './controls.ts'
import { type Html, html } from './html.ts'

/** The page shows only the latest rows. The control interface returns all of them. */
const ROWS_SHOWN = 12
const REMOVED_SHOWN = 4

/** Shows the rows that the bank reports for a login, newest first, followed by those it removed. */
export function rowsTable(item: Item): Html | null {
  const rows = listTransactions(item)
  const removed = removedRows(item)
  if (rows.length + removed.length === 0) return null
  const names = new Map(item.accounts.map(({ accountId, name }) => [accountId, name]))
  const line = (row: Transaction, state: string, controls: Html) => html`
    <tr ${state === 'Removed' && html`class="gone"`}><td>${row.date}</td><td class="merchant">${row.name}</td>
    <td class="quiet">${names.get(row.account_id) ?? ''}</td>
    <td class="number">${row.amount.toFixed(2)} ${row.iso_currency_code ?? row.unofficial_currency_code ?? ''}</td>
    <td><span class="state ${state.toLowerCase()}">${state}</span></td><td class="doing"><div class="do">${controls}</div></td></tr>`
  return html`<table><thead><tr><th scope="col">Date</th><th scope="col">Merchant</th><th scope="col">Account</th>
    <th scope="col" class="number">Amount</th><th scope="col">State</th><th scope="col">Do</th></tr></thead>
    <tbody>${rows.slice(0, ROWS_SHOWN).map((row) => line(row, describeState(row), renderControls(row)))}
    ${removed.map((row) => line(row, 'Removed', removedControls(row)))}</tbody></table>
    ${rows.length > ROWS_SHOWN && html`<p class="quiet">The newest ${ROWS_SHOWN} of ${rows.length}.</p>`}`
}

/** Skips pending rows that a posted row has replaced. */
function removedRows(item: Item): Transaction[] {
  return Object.values(item.removed ?? {})
    .filter(({ postedAs }) => postedAs === undefined)
    .map(({ row }) => row)
    .slice(-REMOVED_SHOWN)
    .reverse()
}

function describeState(row: Transaction): 'Refund' | 'Pending' | 'Posted' {
  if (row.amount < 0) return 'Refund'
  return row.pending ? 'Pending' : 'Posted'
}

function renderControls(row: Transaction): Html {
  const path = `POST /_sim/purchases/${row.transaction_id}`
  if (row.pending) {
    return html`${button(`${path}/post`, 'Post')}${button(`${path}/void`, 'Void')}
      ${more(`row-${row.transaction_id}`, 'More', [postWithTip(path), change(path)])}`
  }
  const remove = button(`${path}/remove`, 'Remove the row')
  if (row.amount <= 0) return more(`row-${row.transaction_id}`, 'More', [change(path), remove])
  return html`${button(`${path}/refund`, 'Refund')}
    ${more(`row-${row.transaction_id}`, 'More', [refundInPart(path), change(path), remove])}`
}

function removedControls(row: Transaction): Html {
  const path = `POST /_sim/purchases/${row.transaction_id}`
  return html`${row.pending && button(`${path}/post`, 'Post')}${button(`${path}/bring-back`, 'Bring back')}`
}

function postWithTip(path: string): Html {
  return action(`${path}/post`, 'Post so', [
    input('Amount with tip', { name: 'amount', kind: 'amount' }),
    check('Linked to the pending row', 'linked', true),
    check('The pending row is removed one update later', 'late_removal'),
    check('The pending row is removed first (then post once more)', 'early_removal'),
  ])
}

function refundInPart(path: string): Html {
  return action(`${path}/refund`, 'Refund a part', [
    input('Amount to give back', { name: 'amount', kind: 'amount', required: true }),
    check('The refund is pending', 'pending'),
  ])
}

function change(path: string): Html {
  return action(`${path}/change`, 'Change the row', [
    input('New amount', { name: 'amount', kind: 'amount' }),
    input('New merchant', { name: 'merchant' }),
    input('New date', { name: 'date', kind: 'date' }),
  ])
}
