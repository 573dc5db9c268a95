import {
  cancelRedemption,
  type Destination,
  requestRedemption,
  setDestination,
} from '../../payouts/redemptions/index.ts'
import type { Database } from '../../platform/db/database.ts'
import { encodeId } from '../../platform/ids.ts'
import type { Vault } from '../../platform/vault/index.ts'
import { PAYOUT_METHODS, type PayoutMethod } from '../../tenants/publishers/index.ts'
import { parseAmount } from '../amounts.ts'
import { FieldFault } from '../errors.ts'
import { getOwnRedemption, pickCurrency, redeemPage, renderPayoutAccountPage } from '../pages/redeem.ts'
import type { PortalFields, PortalForms } from '../visit.ts'
import { buildRef } from './ref.ts'

type Deps = { readonly db: Database; readonly vault: Vault }

/** Returns the forms for redeeming, canceling a redemption, and setting the payout account. */
export function redeemForms({ db, vault }: Deps): PortalForms {
  return {
    '/redeem': {
      page: redeemPage,
      act: async (visit, body) => {
        const { publisher, user, now } = visit
        const currency = pickCurrency(visit, body['currency'])
        const request = {
          publisherUserId: user.publisherUserId,
          currency,
          amount: parseAmount(body['amount'] ?? '', currency),
          method: methodIn(body['method']),
          externalRef: buildRef({ user }, body),
        }
        const { redemptionId } = await db.transaction((tx) => requestRedemption(tx, publisher, request, now))
        return `/redemptions/${encodeId('rdm', redemptionId)}?done=redeemed`
      },
    },
    '/redemptions/:redemption_id/cancel': {
      act: async (visit, _body, params) => {
        const { publisher, now } = visit
        const { redemptionId } = await getOwnRedemption(visit, db.reader, params['redemption_id'] ?? '')
        const order = { redemptionId, reason: 'cancelled', actor: 'publisher' } as const
        await db.transaction((tx) => cancelRedemption(tx, publisher, order, now))
        return `/redemptions/${params['redemption_id']}?done=cancelled`
      },
    },
    '/redeem/account': {
      page: renderPayoutAccountPage,
      act: async ({ publisher, user, now }, body) => {
        const named = { publisherUserId: user.publisherUserId, destination: parseAccount(body) }
        await db.transaction((tx) => setDestination(tx, vault, publisher, named, now))
        return '/redeem?done=account'
      },
    },
  }
}

function methodIn(text: string | undefined): PayoutMethod {
  const method = PAYOUT_METHODS.find((one) => one === text)
  // Gift cards are bought on their own page, where the user chooses the offer.
  if (method === undefined || method === 'gift_card') throw new FieldFault('method', 'choose_one')
  return method
}

function parseAccount(body: PortalFields): Destination {
  const given = (name: string): string => {
    const text = (body[name] ?? '').trim()
    if (text === '') throw new FieldFault(name, 'required')
    return text
  }
  const holderName = given('holder_name')
  if (body['type'] === 'iban')
    return { type: 'iban', holderName, iban: given('iban').replaceAll(' ', '').toUpperCase(), bic: null }
  const accountType = body['account_type'] === 'savings' ? 'savings' : 'checking'
  const accountNumber = given('account_number').replaceAll(' ', '')
  return { type: 'us_bank_account', holderName, routingNumber: given('routing_number'), accountNumber, accountType }
}
