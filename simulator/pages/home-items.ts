import { SUBTYPES } from '../accounts.ts'
import { getInstitution } from '../institutions.ts'
import { listSharedAccounts } from '../linking.ts'
import type { Item } from '../state.ts'
import { toDay, type World } from '../world.ts'
import { action, button, check, fixed, input, more, select } from './controls.ts'
import { rowsTable } from './home-rows.ts'
import { type Html, html } from './html.ts'

/** Builds a login's card, with its state, accounts, controls and rows. */
export function itemCard(world: World, item: Item): Html {
  const path = `POST /_sim/items/${item.itemId}`
  return html`<article class="card" aria-label="${getInstitution(item.institutionId).name}, ${item.clientUserId}">
    <div class="card-head">
      <div><h3>${getInstitution(item.institutionId).name}</h3>
        <p class="quiet">User <code>${item.clientUserId}</code>, signed in as <code>${item.username}</code>;
          its today is <time>${toDay(world.getNow(item))}</time></p></div>
      ${badges(item)}
      ${item.error === null ? button(`${path}/break`, 'Break the login') : button(`${path}/repair`, 'Repair the login')}
    </div>
    <ul class="accounts">${listSharedAccounts(item).map(({ name, mask, subtype }) => {
      return html`<li>${name} <span class="quiet">${subtype}${mask && ` •••• ${mask}`}</span></li>`
    })}</ul>
    ${more(`item-${item.itemId}`, 'More with this login', loginControls(path, item))}
    ${rowsTable(item)}
  </article>`
}

/** Builds a login's card, collapsed to a single line until it is opened. */
export function foldedItem(world: World, item: Item): Html {
  return html`<details class="folded" id="login-${item.itemId}">
    <summary>${getInstitution(item.institutionId).name} <span class="quiet">${item.clientUserId}</span>
      ${item.error !== null && html`<span class="badge bad">Login broken</span>`}</summary>
    ${itemCard(world, item)}</details>`
}

function badges({ error, frozen, history, consentExpiresAt }: Item): Html {
  return html`${
    error === null
      ? html`<span class="badge good">Healthy</span>`
      : html`<span class="badge bad">Login broken</span> <code>${error.error_code}</code>`
  }
    ${frozen === true && html`<span class="badge warn">Bank silent</span>`}
    ${history !== undefined && html`<span class="badge warn">History not read yet</span>`}
    ${
      consentExpiresAt !== undefined &&
      html`<span class="badge warn">Consent ends ${consentExpiresAt.slice(0, 16).replace('T', ' ')}</span>`
    }`
}

/** The errors that clients see most often. ITEM_LOGIN_REQUIRED is by far the most common. */
const ERROR_CODES = [
  'ITEM_LOGIN_REQUIRED',
  'ITEM_LOCKED',
  'PASSWORD_RESET_REQUIRED',
  'ACCESS_NOT_GRANTED',
  'NO_ACCOUNTS',
  'ITEM_NOT_SUPPORTED',
  'INSTITUTION_NO_LONGER_SUPPORTED',
  'INSTITUTION_DOWN',
] as const

function loginControls(path: string, item: Item): (Html | null)[] {
  const accounts = listSharedAccounts(item).map(({ accountId, name }) => [accountId, name] as const)
  const silent = check('No webhook', 'silent')
  const frozen = item.frozen ?? false
  return [
    action(`${path}/break`, 'Break it so', [
      select(
        'Error',
        'error_code',
        ERROR_CODES.map((code) => [code, code] as const),
      ),
      silent,
    ]),
    action(`${path}/revoke`, 'Revoke', [html`<p>The user revokes the permission at the bank.</p>`, silent]),
    action(`${path}/expire-consent`, 'Let consent expire', [
      input('In days (none: now)', { name: 'in_seconds', kind: 'days' }),
      select('Announced as', 'as', [
        ['disconnect', 'PENDING_DISCONNECT'],
        ['expiration', 'PENDING_EXPIRATION'],
      ]),
      silent,
    ]),
    accounts.length === 0
      ? null
      : action(`${path}/close-account`, 'Close the account', [select('Account', 'account_id', accounts), silent]),
    action(
      `${path}/open-account`,
      'Open an account',
      select(
        'New account',
        'subtype',
        SUBTYPES.map((subtype) => [subtype, subtype] as const),
      ),
    ),
    button(`${path}/freeze`, frozen ? 'Let the bank report again' : 'Silence the bank', {
      hidden: fixed('frozen', !frozen),
    }),
    item.history === undefined ? null : button(`${path}/collect`, 'Read more of the history'),
    button(`${path}/change-ids`, 'Change all ids'),
    button(`${path}/forget-cursors`, 'Forget the cursors'),
  ]
}
