import { type GiftCard, type GiftCardOrder, listCards, listOrders } from '../../payouts/gift-cards/index.ts'
import { toDay } from '../../platform/calendar.ts'
import { encodeId } from '../../platform/ids.ts'
import { type Html, html } from '../../platform/text/html.ts'
import type { PageDeps, PortalPage, UserVisit } from '../visit.ts'
import { formatDay, formatMinorMoney } from '../words/formats.ts'

const PAGE_SIZE = 25
const PAGES_MAX = 400

/** Renders the user's gift cards, newest first. A button reveals their codes once. */
export async function renderGiftCardsPage(visit: UserVisit, { db, parts }: PageDeps): Promise<PortalPage> {
  const { publisher, user, words, base, query } = visit
  const page = /^\d{1,3}$/.test(query['page'] ?? '') ? Math.min(Number(query['page']), PAGES_MAX) : 0
  const filter = { userId: user.userId, status: null, externalRef: null, from: null, until: null }
  const paging = { page, size: PAGE_SIZE + 1, offset: page * PAGE_SIZE, sort: [] }
  const found = await listOrders(db.reader, publisher.id, filter, paging)
  const orders = found.slice(0, PAGE_SIZE)
  const cards = Map.groupBy(await listCards(db.reader, orders), ({ orderId }) => orderId)
  const { catalog } = await parts.catalog.getAssortment(publisher)
  const toName = ({ offerUid }: GiftCardOrder): string => {
    const brandUid = catalog.offers.get(offerUid)?.brandUid
    return (brandUid === undefined ? undefined : catalog.brands.get(brandUid)?.name) ?? words.giftCards.unknown
  }
  const items = orders.flatMap((order) =>
    (cards.get(order.orderId) ?? []).map((card) => cardItem(visit, { order, card, shop: toName(order) })),
  )
  const address = (at: number): string => `${base}/gift-cards?page=${at}`
  const content = html`<section class="form">
    <h1>${words.giftCards.title}</h1>
    ${items.length === 0 ? html`<p class="empty">${words.giftCards.none} <a href="${base}/offers">${words.home.browse}</a></p>` : items}
    <p class="more">
      ${page > 0 && html`<a class="btn soft" href="${address(page - 1)}">${words.purchases.newer}</a>`}
      ${found.length > PAGE_SIZE && html`<a class="btn soft" href="${address(page + 1)}">${words.purchases.older}</a>`}
    </p>
  </section>`
  return { title: words.giftCards.title, tab: 'purchases', content }
}

type ShownCard = { readonly order: GiftCardOrder; readonly card: GiftCard; readonly shop: string }

function cardItem({ words, base, publisher, today }: UserVisit, { order, card, shop }: ShownCard): Html {
  const { giftCards } = words
  const canReveal = card.status === 'delivered' && (card.revealedAt === null || card.mayReveal)
  const day = (at: Date): string => formatDay(words, toDay(at, publisher.timeZone), today)
  return html`<section class="panel">
    <h2>${shop} · ${formatMinorMoney(words, card.denomination, order.currency)}</h2>
    <p>${giftCards.bought(day(order.createdAt))}${card.expiresOn !== null && ` · ${giftCards.until(formatDay(words, card.expiresOn, today))}`}</p>
    <p><span class="pill ${card.status === 'delivered' ? 'earned' : 'pending'}">${giftCards.status[card.status]}</span>${card.mask !== null && ` ${card.mask}`}</p>
    ${canReveal && html`<form method="post" action="${base}/gift-cards/${encodeId('gcd', card.cardId)}/reveal"><p class="help">${giftCards.once}</p><div class="row"><button class="btn">${giftCards.reveal}</button></div></form>`}
    ${card.revealedAt !== null && html`<p class="help">${giftCards.shown(day(card.revealedAt))}</p>`}
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
