import type { Item } from '../state.ts'
import type { World } from '../world.ts'
import { buyForm } from './home-buy.ts'
import { chaosPanel, webhooksPanel } from './home-chaos.ts'
import { foldedItem, itemCard } from './home-items.ts'
import { payoutsPanel } from './home-payouts.ts'
import { type Html, html } from './html.ts'
import type { Page } from './layout.ts'

const ITEMS_SHOWN = 50
/** The number of logins shown in full. The newest are probably the ones in use, so older ones get a single line. */
const ITEMS_OPEN = 10

/** Builds the home page. `search` filters the logins by user, username, item or account. */
export function homePage(world: World, search: string): Page {
  const all = Object.values(world.state.items)
  const found = all.filter((item) => fits(item, search.trim())).reverse()
  const items = found.slice(0, ITEMS_SHOWN)
  return {
    title: 'Linking simulator',
    kind: 'home',
    script: 'home',
    content: html`<header><h1>Linking simulator</h1>
      <p class="quiet">Simulated time: <time>${world.now().toISOString()}</time></p></header>
      <main>
        <p class="alert" role="alert" id="fault" hidden></p>
        <p class="said" role="status" id="said" hidden></p>
        ${introduction(all.length === 0)}
        ${items.length > 0 && buyForm(items)}
        <section><h2>Linked logins</h2>
          ${all.length > 0 && searchForm(search)}
          ${
            all.length === 0 &&
            html`<p>No one has linked a bank yet. Ask the service for a link token and open
            <code>/link?token=…</code> with it.</p>`
          }
          ${all.length > 0 && found.length === 0 && html`<p>No login fits.</p>`}
          ${items.slice(0, ITEMS_OPEN).map((item) => itemCard(world, item))}
          ${items.slice(ITEMS_OPEN).map((item) => foldedItem(world, item))}
          ${found.length > ITEMS_SHOWN && html`<p class="quiet">The newest ${ITEMS_SHOWN} of ${found.length}.</p>`}
        </section>
        ${payoutsPanel(world)}
        ${chaosPanel(world)}
        ${webhooksPanel(world)}
      </main>`,
  }
}

function fits(item: Item, wanted: string): boolean {
  const { clientUserId, itemId, username, accounts } = item
  return (
    wanted === '' || [clientUserId, itemId, username, ...accounts.map(({ accountId }) => accountId)].includes(wanted)
  )
}

function searchForm(search: string): Html {
  return html`<form method="get" role="search" class="search">
    <label><span>User, username, item or account</span>
      <input type="search" name="q" value="${search}" autocomplete="off"></label>
    <button type="submit" class="small">Show only these</button></form>`
}

function introduction(nobodyYet: boolean): Html {
  return html`<section><details id="introduction" ${nobodyYet && html`open`}>
    <summary><h2>What this is</h2></summary>
    <p>A stand-in for the account-linking provider. It answers the provider's calls, plays its banks, and shows what a
      user's cards do. Nothing in it is real.</p>
    <ul>
      <li><strong>Link a card.</strong> A link token from the service opens <code>/link?token=…</code>; any username
        signs in with the password <code>pass_good</code>.</li>
      <li><strong>Buy something.</strong> The service hears of it by webhook and reads it by sync.</li>
      <li><strong>Break the login</strong> and see the card ask for a new sign-in.</li>
      <li><strong>Simulate failures</strong>, as in real feeds, before your users meet it.</li>
    </ul>
    <p>Everything here can be done by program, too: <a href="/readme">the simulator's README</a>.
      As JSON: <a href="/_sim/items">items</a>, <a href="/_sim/purchases">purchases</a>, <a href="/_sim/clock">clock</a>,
      <a href="/_sim/faults">faults</a>, <a href="/_sim/calls">calls</a>, <a href="/_sim/webhooks">webhooks</a>,
      <a href="/_sim/payouts">payouts</a>, <a href="/_sim/gift-cards">gift cards</a>.
    </p></details></section>`
}
