import { type GiftCard, type GiftCardOrder, listCards, listOrders } from '../../payouts/gift-cards/index.ts'
import { encodeId } from '../../platform/ids.ts'
import { type Html, html } from '../../platform/text/html.ts'
import type { PageDeps, PortalPage, UserVisit } from '../visit.ts'
import { formatDay, formatInstant, formatMinorMoney } from '../words/formats.ts'
import { cutPage, readPaging } from './paging.ts'

/** Renders the user's gift cards, newest first. A button reveals their codes once. */
export async function renderGiftCardsPage(visit: UserVisit, { db, parts }: PageDeps): Promise<PortalPage> {
  const { publisher, user, words, base } = visit
  const filter = { userId: user.userId, status: null, externalRef: null, from: null, until: null }
  const found = await listOrders(db.reader, publisher.id, filter, readPaging(visit))
  const { rows: orders, links } = cutPage(visit, '/gift-cards', found)
  const cards = Map.groupBy(await listCards(db.reader, orders), ({ orderId }) => orderId)
  const { catalog } = await parts.catalog.getAssortment(publisher)
  const toName = ({ offerUid }: GiftCardOrder): string => {
    const brandUid = catalog.offers.get(offerUid)?.brandUid
    return (brandUid === undefined ? undefined : catalog.brands.get(brandUid)?.name) ?? words.giftCards.unknown
  }
  const items = orders.flatMap((order) =>
    (cards.get(order.orderId) ?? []).map((card) => cardItem(visit, { order, card, shop: toName(order) })),
  )
  const content = html`<section class="form">
    <h1>${words.giftCards.title}</h1>
    ${items.length === 0 ? html`<p class="empty">${words.giftCards.none} <a href="${base}/offers">${words.home.browse}</a></p>` : items}
    ${links}
  </section>`
  return { title: words.giftCards.title, tab: 'purchases', content }
}

type ShownCard = { readonly order: GiftCardOrder; readonly card: GiftCard; readonly shop: string }

function cardItem(visit: UserVisit, { order, card, shop }: ShownCard): Html {
  const { words, base, today } = visit
  const { giftCards } = words
  const canReveal = card.status === 'delivered' && (card.revealedAt === null || card.mayReveal)
  return html`<section class="panel">
    <h2>${shop} · ${formatMinorMoney(words, card.denomination, order.currency)}</h2>
    <p>${giftCards.bought(formatInstant(visit, order.createdAt))}${card.expiresOn !== null && ` · ${giftCards.until(formatDay(words, card.expiresOn, today))}`}</p>
    <p><span class="pill ${card.status === 'delivered' ? 'earned' : 'pending'}">${giftCards.status[card.status]}</span>${card.mask !== null && ` ${card.mask}`}</p>
    ${canReveal && html`<form method="post" action="${base}/gift-cards/${encodeId('gcd', card.cardId)}/reveal"><p class="help">${giftCards.once}</p><div class="row"><button class="btn">${giftCards.reveal}</button></div></form>`}
    ${card.revealedAt !== null && html`<p class="help">${giftCards.shown(formatInstant(visit, card.revealedAt))}</p>`}
  </section>`
}

/** Renders a gift card's number and code. This is the only time they are displayed. */
export function renderRevealedPage({ words, base }: UserVisit, details: { number: string; code: string }): PortalPage {
  const { giftCards } = words
  const content = html`<section class="form">
    <h1>${giftCards.yours}</h1>
    <p class="note" role="status">${giftCards.keep}</p>
    <dl class="facts">
      <div><dt>${giftCards.number}</dt><dd class="secret">${details.number}</dd></div>
      <div><dt>${giftCards.code}</dt><dd class="secret">${details.code}</dd></div>
    </dl>
    <p class="more"><a class="btn soft" href="${base}/gift-cards">${giftCards.title}</a></p>
  </section>`
  return { title: giftCards.yours, tab: 'purchases', content }
}
