import { handOutCode } from '../../catalog/allowances/index.ts'
import type { CatalogStore } from '../../catalog/catalog/index.ts'
import type { Database } from '../../platform/db/database.ts'
import { html } from '../../platform/text/html.ts'
import type { Vault } from '../../platform/vault/index.ts'
import type { PortalForms } from '../visit.ts'
import { formatDay } from '../words/formats.ts'

type Deps = { readonly db: Database; readonly vault: Vault; readonly catalog: CatalogStore }

/** Returns the form that assigns the user a voucher code from a pool, or displays their existing one. */
export function codeForms({ db, vault, catalog }: Deps): PortalForms {
  return {
    '/offers/:offer_uid/code': {
      act: async ({ publisher, user, words, base, now, today }, _body, params) => {
        const named = { publisherUserId: user.publisherUserId, offerUid: params['offer_uid'] ?? '' }
        const assortment = await catalog.getAssortment(publisher)
        const { code, expiresOn } = await db.transaction((tx) =>
          handOutCode(tx, { assortment, vault }, publisher, named, now),
        )
        const { vouchers } = words
        const content = html`<section class="plain">
          <h1>${vouchers.yours}</h1>
          <p class="amount secret">${code}</p>
          <p>${vouchers.text}</p>
          ${expiresOn !== null && html`<p>${words.brand.until(formatDay(words, expiresOn, today))}</p>`}
          <a class="btn" href="${base}/offers">${words.home.browse}</a>
        </section>`
        return { title: vouchers.yours, tab: 'offers', content }
      },
    },
  }
}
