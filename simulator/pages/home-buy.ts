import { getInstitution } from '../institutions.ts'
import { listSharedAccounts } from '../linking.ts'
import type { Item } from '../state.ts'
import { check, input, more, type Option, select } from './controls.ts'
import { type Html, html } from './html.ts'

/** Builds a form for a purchase with any of the accounts shown, or for a refund without a purchase. */
export function buyForm(items: readonly Item[]): Html {
  return html`<section><h2>Buy something</h2>
    <form data-calls="POST /_sim/purchases" data-said="Bought.">
      <div class="grid">
        <div class="payer">${select('Paid with', 'account_id', items.flatMap(buildPayerOptions))}</div>
        ${input('Merchant or bank descriptor', { name: 'merchant', required: true })}
        ${input('Amount', { name: 'amount', kind: 'amount', required: true })}
        ${check('Pending', 'pending')}
      </div>
      ${more('buy-details', 'Place, merchant fields and date', html`<div class="grid">${details()}</div>`)}
      <div class="choices-row"><button type="submit">Buy</button>
        <button type="submit" class="plain" data-calls="POST /_sim/refunds"
          data-said="Given back.">Give back without a purchase</button></div>
    </form></section>`
}

/** Puts the distinguishing part of an account first, because phones cut off the end of long lines. */
function buildPayerOptions(item: Item): Option[] {
  const bank = getInstitution(item.institutionId).name
  return listSharedAccounts(item).map(({ accountId, name, mask }) => {
    return [accountId, `${name} ${mask ?? ''}, ${bank}, ${item.clientUserId}`] as const
  })
}

function details(): Html[] {
  return [
    check("With the provider's merchant fields", 'with_enrichment', true),
    input('Website', { name: 'website', hint: 'example.com' }),
    input("The bank's own words", { name: 'original_description', hint: 'SQ *FERN FOODS 042' }),
    input('Category', { name: 'category', hint: 'GENERAL_MERCHANDISE' }),
    input('Merchant category code', { name: 'mcc', hint: '5411' }),
    input('Street', { name: 'location.address' }),
    input('City', { name: 'location.city' }),
    input('State', { name: 'location.region', hint: 'TX' }),
    input('ZIP code', { name: 'location.postal_code', hint: '78701' }),
    input('Store number', { name: 'location.store_number' }),
    input('Date, if not today', { name: 'date', kind: 'date' }),
  ]
}
