import { listLinks } from '../../cards/index.ts'
import type { ShownBrand } from '../../catalog/index.ts'
import { evaluatePurchase, userView } from '../../transactions/index.ts'
import { FieldFault } from '../errors.ts'
import { amountOf } from '../forms/amounts.ts'
import type { PageDeps, UserVisit } from '../visit.ts'
import { minorMoney } from '../words/formats.ts'

type OfferView = ShownBrand['offers'][number]
type Tried = {
  readonly isUnreadable: boolean
  /** What the amount would earn, in words, by the id of the offer. */
  readonly earned: ReadonlyMap<string, string>
}

// Each is a replay of the user's purchases at the brand.
const OFFERS_MAX = 5
const SOURCES = {
  CARD_LINKED: 'CARD',
  AFFILIATE: 'AFFILIATE',
  GIFT_CARD: 'GIFT_CARD',
  VOUCHER_CODE: 'VOUCHER',
} as const

/** What the amount in the address would earn with each offer, had the user bought now; null: none is there. */
export async function triedAmount(
  visit: UserVisit,
  pages: PageDeps,
  offers: readonly OfferView[],
): Promise<Tried | null> {
  const text = visit.query['amount']
  if (text === undefined) return null
  try {
    const tried = offers.slice(0, OFFERS_MAX).map(async (one): Promise<[string, string]> => {
      const amount = amountOf(text, one.offer.currency)
      return [one.offer.offerUid, await wouldEarn(visit, pages, one, amount)]
    })
    return { isUnreadable: false, earned: new Map(await Promise.all(tried)) }
  } catch (error) {
    if (!(error instanceof FieldFault)) throw error
    return { isUnreadable: true, earned: new Map() }
  }
}

async function wouldEarn(
  { publisher, user, words, now }: UserVisit,
  { db, parts }: PageDeps,
  { offer }: OfferView,
  amount: bigint,
): Promise<string> {
  const { currency, brandUid, offerUid, offerType } = offer
  const isByCard = offerType === 'CARD_LINKED' && !publisher.ownCardFeed
  const cards = isByCard ? (await listLinks(db.reader, publisher, user.userId)).flatMap((one) => one.cards) : []
  const [card] = cards
  if (isByCard && card === undefined) return words.brand.linkFirst
  const facts = {
    ...{ brandUid, offerUid },
    ...(card === undefined ? {} : { accountId: card.accountId }),
    ...(offer.voucherCode === null ? {} : { voucherCode: offer.voucherCode }),
  }
  const purchase = {
    ...({
      userId: user.userId,
      source: SOURCES[offerType],
      externalId: '',
      kind: 'CLEARING',
      amount,
      currency,
    } as const),
    ...{ originalExternalId: null, occurredAt: now, dateOnly: false, facts },
  }
  const explained = await evaluatePurchase(db.reader, parts, publisher, purchase, now)
  const spent = minorMoney(words, amount, currency)
  const { status_reason: reason } = userView(explained)
  if (reason !== null) return words.brand.wouldEarnNothing(spent, words.reasons[reason as keyof typeof words.reasons])
  const { user: cashback, discount } = explained.paid
  return discount > 0n
    ? words.brand.wouldSave(spent, minorMoney(words, discount, currency))
    : words.brand.wouldEarn(spent, minorMoney(words, cashback, currency))
}
