import { getInstitution } from '../institutions.ts'
import { sharedAccounts } from '../linking.ts'
import { listTransactions } from '../purchases.ts'
import type { Account, Item, Transaction } from '../state.ts'
import { dayOf, type World } from '../world.ts'
import { type Html, html } from './html.ts'
import type { Page } from './layout.ts'

/** A page is for looking; whoever wants all rows asks the control interface. */
const ROWS_SHOWN = 20
const ITEMS_SHOWN = 50

export function homePage(world: World): Page {
  const items = Object.values(world.state.items).reverse()
  return {
    title: 'Linking simulator',
    kind: 'home',
    script: 'home',
    content: html`<header><h1>Linking simulator</h1>
      <p class="quiet">Simulated time: <time>${world.now().toISOString()}</time></p></header>
      <main>
        ${introduction()}
        <p class="alert" role="alert" id="fault" hidden></p>
        ${items.length > 0 && purchaseForm(items)}
        <section><h2>Linked logins</h2>
          ${
            items.length === 0 &&
            html`<p>No one has linked a bank yet. Ask the service for a link token and open
            <code>/link?token=…</code> with it.</p>`
          }
          ${items.slice(0, ITEMS_SHOWN).map((item) => itemCard(world, item))}
          ${items.length > ITEMS_SHOWN && html`<p class="quiet">The newest ${ITEMS_SHOWN} of ${items.length}.</p>`}
        </section>
      </main>`,
  }
}

function introduction(): Html {
  return html`<section><h2>What this is</h2>
    <p>A stand-in for the account-linking provider. It answers the provider's calls, plays its banks, and shows what a
      user's cards do: here you make the purchases. Nothing in it is real.</p>
    <ul>
      <li><strong>Link a card.</strong> A link token from the service opens <code>/link?token=…</code>; any username
        signs in with the password <code>pass_good</code>.</li>
      <li><strong>Buy something.</strong> With the form below, or by <code>POST /_sim/purchases</code>. The service hears
        of it by webhook and reads it by sync.</li>
      <li><strong>Break the login</strong> and see the card ask for a new sign-in.</li>
    </ul>
    <p>Documentation: <a href="/readme">the simulator's README</a>.
      As JSON: <a href="/_sim/items">items</a>, <a href="/_sim/purchases">purchases</a>, <a href="/_sim/clock">clock</a>.
    </p></section>`
}

function purchaseForm(items: readonly Item[]): Html {
  const accounts = items
    .slice(0, ITEMS_SHOWN)
    .flatMap((item) => sharedAccounts(item).map((account) => option(item, account)))
  return html`<section><h2>Make a purchase</h2>
    <form data-control="/_sim/purchases" class="grid">
      <div class="wide"><label for="account">Paid with</label>
        <select id="account" name="account_id">${accounts}</select></div>
      <div><label for="merchant">Merchant or bank descriptor</label>
        <input id="merchant" name="merchant" required maxlength="255"></div>
      <div><label for="amount">Amount</label>
        <input id="amount" name="amount" data-type="number" type="number" min="0" step="0.01" required></div>
      <div><label for="date">Date, if not today</label>
        <input id="date" name="date" type="date"></div>
      <div><label for="website">Website, if any</label>
        <input id="website" name="website" placeholder="example.com"></div>
      <label class="check"><input type="checkbox" name="pending" data-type="boolean"> Pending</label>
      <label class="check"><input type="checkbox" name="with_enrichment" data-type="boolean" checked>
        With the provider's merchant fields</label>
      <div class="wide"><button type="submit">Buy</button></div>
    </form></section>`
}

function option(item: Item, { accountId, name, mask }: Account): Html {
  const bank = getInstitution(item.institutionId).name
  return html`<option value="${accountId}">${item.clientUserId}: ${bank}, ${name} ${mask ?? ''}</option>`
}

function itemCard(world: World, item: Item): Html {
  const broken = item.error !== null
  const verb = broken ? 'repair' : 'break'
  const rows = listTransactions(item)
  return html`<article class="card">
    <div class="card-head">
      <div><h3>${getInstitution(item.institutionId).name}</h3>
        <p class="quiet">User <code>${item.clientUserId}</code>, signed in as <code>${item.username}</code>;
          its today is <time>${dayOf(world.nowOf(item))}</time></p></div>
      <span class="badge ${broken ? 'bad' : 'good'}">${broken ? 'Login broken' : 'Healthy'}</span>
      ${control(`/_sim/items/${item.itemId}/${verb}`, broken ? 'Repair the login' : 'Break the login')}
    </div>
    <ul class="accounts">${sharedAccounts(item).map(({ name, mask, subtype }) => {
      return html`<li>${name} <span class="quiet">${subtype}${mask && ` •••• ${mask}`}</span></li>`
    })}</ul>
    ${rows.length > 0 && purchaseTable(item, rows)}
  </article>`
}

function purchaseTable(item: Item, rows: readonly Transaction[]): Html {
  const names = new Map(item.accounts.map(({ accountId, name }) => [accountId, name]))
  return html`<table><thead><tr><th scope="col">Date</th><th scope="col">Merchant</th><th scope="col">Account</th>
    <th scope="col" class="number">Amount</th><th scope="col">State</th><th scope="col">Do</th></tr></thead>
    <tbody>${rows.slice(0, ROWS_SHOWN).map((row) => {
      return html`<tr><td>${row.date}</td><td>${row.name}</td><td>${names.get(row.account_id) ?? ''}</td>
        <td class="number">${row.amount.toFixed(2)} ${row.iso_currency_code}</td>
        <td>${stateOf(row)}</td><td class="do">${controlsOf(row)}</td></tr>`
    })}</tbody></table>
    ${rows.length > ROWS_SHOWN && html`<p class="quiet">The newest ${ROWS_SHOWN} of ${rows.length}.</p>`}`
}

function stateOf(row: Transaction): string {
  if (row.amount < 0) return 'Refund'
  return row.pending ? 'Pending' : 'Posted'
}

function controlsOf(row: Transaction): Html | null {
  const path = `/_sim/purchases/${row.transaction_id}`
  if (row.pending) return html`${control(`${path}/post`, 'Post')}${control(`${path}/void`, 'Void')}`
  return row.amount > 0 ? control(`${path}/refund`, 'Refund') : null
}

function control(path: string, label: string): Html {
  return html`<form data-control="${path}"><button type="submit" class="small">${label}</button></form>`
}
