import type { BrandView } from '../../catalog/catalog/index.ts'
import { SOURCE_OF_TYPE } from '../../catalog/offers/index.ts'
import { type Html, html } from '../../platform/text/html.ts'
import { type Explained, evaluatePurchase } from '../../purchases/transactions/index.ts'
import { listLinks } from '../../sources/cards/index.ts'
import { parseAmount } from '../amounts.ts'
import { FieldFault } from '../errors.ts'
import type { PageDeps, UserVisit } from '../visit.ts'
import { formatMinorMoney, formatMoney } from '../words/formats.ts'
import { describeCondition, describeReason } from '../words/reasons.ts'

type OfferView = BrandView['offers'][number]
type Tried = {
  readonly isUnreadable: boolean
  /** The formatted reward, by offer ID. */
  readonly earned: ReadonlyMap<string, Html>
}

// Evaluating each offer replays the user's purchases at the brand.
const OFFERS_MAX = 5

/** Returns the reward that the amount in the query string would earn from each offer; null if there is no amount. */
export async function computeTriedAmount(
  visit: UserVisit,
  pages: PageDeps,
  offers: readonly OfferView[],
): Promise<Tried | null> {
  const text = visit.query['amount']
  if (text === undefined) return null
  try {
    const tried = offers.slice(0, OFFERS_MAX).map(async (one): Promise<[string, Html]> => {
      const amount = parseAmount(text, one.offer.currency)
      return [one.offer.offerUid, await wouldEarn(visit, pages, one, amount)]
    })
    return { isUnreadable: false, earned: new Map(await Promise.all(tried)) }
  } catch (error) {
    if (!(error instanceof FieldFault)) throw error
    return { isUnreadable: true, earned: new Map() }
  }
}

async function wouldEarn(
  visit: UserVisit,
  { db, parts }: PageDeps,
  { offer }: OfferView,
  amount: bigint,
): Promise<Html> {
  const { publisher, user, now } = visit
  const { currency, brandUid, offerUid, offerType } = offer
  const isByCard = offerType === 'CARD_LINKED' && !publisher.ownCardFeed
  const cards = isByCard ? (await listLinks(db.reader, publisher, user.userId)).flatMap((one) => one.cards) : []
  const [card] = cards
  const facts = {
    brandUid,
    offerUid,
    ...(card === undefined ? {} : { accountId: card.accountId }),
    ...(offer.voucherCode === null ? {} : { voucherCode: offer.voucherCode }),
  }
  const purchase = {
    ...({
      userId: user.userId,
      source: SOURCE_OF_TYPE[offerType],
      externalId: '',
      kind: 'CLEARING',
      amount,
      currency,
    } as const),
    // There is no purchase time, because the user has not bought anything yet.
    originalExternalId: null,
    occurredAt: null,
    dateOnly: false,
    facts,
  }
  const explained = await evaluatePurchase(db.reader, parts, publisher, purchase, now)
  return resultText(visit, explained, formatMinorMoney(visit.words, amount, currency))
}

function resultText({ words, today }: UserVisit, explained: Explained, spent: string): Html {
  const { paid, currency, conditional = null } = explained
  const { brand } = words
  if (conditional !== null) {
    const { reward, isDiscount, conditions } = conditional
    const earned = reward === null ? null : formatMoney(words, String(reward), currency)
    const text = isDiscount ? brand.wouldSaveIf : brand.wouldEarnIf
    return html`${earned === null ? brand.wouldDepend(spent) : text(spent, earned)}
      <ul class="rules">${conditions.map((line) => html`<li>${describeCondition({ words, today }, line)}</li>`)}</ul>`
  }
  const refusal = refusalText({ words, today, currency }, explained)
  if (refusal !== null) return html`${brand.wouldEarnNothing(spent, refusal)}`
  return paid.discount > 0n
    ? html`${brand.wouldSave(spent, formatMinorMoney(words, paid.discount, currency))}`
    : html`${brand.wouldEarn(spent, formatMinorMoney(words, paid.user, currency))}`
}

/**
 * Returns the reason why the amount would earn nothing. The usual wording describes a past purchase, which would be
 * misleading here. Does not name a rule that the user could still meet if another rule would refuse the purchase
 * anyway.
 */
function refusalText(reading: Parameters<typeof describeReason>[0], explained: Explained): string | null {
  const { words, currency } = reading
  const failed = explained.trace.candidates[0]?.rules.filter(({ passed }) => !passed) ?? []
  const least = failed.find(({ rule }) => rule === 'min_spend')?.bound
  if (least != null) return words.brand.tooLittle(formatMoney(words, least, currency))
  return failed.some(({ rule }) => rule === 'budget') ? words.brand.ranOut : describeReason(reading, explained)
}
