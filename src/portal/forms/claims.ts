import type { CatalogStore } from '../../catalog/catalog/index.ts'
import { isDay } from '../../platform/calendar.ts'
import type { Database, Reader } from '../../platform/db/database.ts'
import { encodeId } from '../../platform/ids.ts'
import { addNote, openClaim, withdrawClaim } from '../../purchases/claims/index.ts'
import { parseAmount } from '../amounts.ts'
import { FieldFault } from '../errors.ts'
import { claimPage, getOwnClaim, getOwnPurchase, renderNewClaimPage } from '../pages/claims.ts'
import type { PortalFields, PortalForms, UserVisit } from '../visit.ts'
import { buildRef } from './ref.ts'

type Deps = { readonly db: Database; readonly catalog: Pick<CatalogStore, 'getAssortment'> }

/** Returns the forms for opening claims, adding notes to them, and withdrawing them. */
export function claimForms({ db, catalog }: Deps): PortalForms {
  return {
    '/claims': {
      page: renderNewClaimPage,
      act: async (visit, body) => {
        const { publisher, user, now } = visit
        const told = await readDetails(visit, db.reader, body)
        const claim = {
          publisherUserId: user.publisherUserId,
          externalRef: buildRef({ user }, body),
          ...({ openedBy: 'user', brandUid: null, offerUid: null, evidence: requiredText(body, 'evidence') } as const),
          ...told,
        }
        const assortment = await catalog.getAssortment(publisher)
        const { claimId } = await db.transaction((tx) => openClaim(tx, publisher, assortment, claim, now))
        return `/claims/${encodeId('clm', claimId)}?done=claimed`
      },
    },
    '/claims/:claim_id/notes': {
      page: claimPage,
      act: async (visit, body, params) => {
        const { claimId } = await getOwnClaim(visit, db.reader, params['claim_id'] ?? '')
        const note = { claimId, author: 'user', text: requiredText(body, 'text') }
        await db.transaction((tx) => addNote(tx, visit.publisher, note, visit.now))
        return `/claims/${params['claim_id']}?done=noted`
      },
    },
    '/claims/:claim_id/withdraw': {
      act: async (visit, _body, params) => {
        const { claimId } = await getOwnClaim(visit, db.reader, params['claim_id'] ?? '')
        await db.transaction((tx) => withdrawClaim(tx, visit.publisher, claimId, visit.now))
        return `/claims/${params['claim_id']}?done=withdrawn`
      },
    },
  }
}

const NAME_MAX = 255

/**
 * Returns the purchase that the user's claim is about: a recorded one, or one described by when and where it was made.
 */
async function readDetails(visit: UserVisit, reader: Reader, body: PortalFields) {
  const merchant = requiredText(body, 'merchant').slice(0, NAME_MAX)
  const { currency } = visit.publisher
  if ((body['transaction_uid'] ?? '') !== '') {
    const row = await getOwnPurchase(visit, reader, body['transaction_uid'] ?? '')
    const kind = row.status === 'CANCELLED' ? ('declined' as const) : ('incorrect' as const)
    const about = { transactionUid: body['transaction_uid'] ?? '', purchaseDate: null, orderId: null }
    return { ...about, kind, merchant, amount: row.amount, currency: row.currency }
  }
  const purchaseDate = body['purchase_date'] ?? ''
  if (!isDay(purchaseDate) || purchaseDate > visit.today) throw new FieldFault('purchase_date', 'required')
  const orderId = (body['order_id'] ?? '').trim().slice(0, NAME_MAX)
  return {
    transactionUid: null,
    kind: 'missing' as const,
    merchant,
    purchaseDate,
    currency,
    amount: parseAmount(body['amount'] ?? '', currency),
    orderId: orderId === '' ? null : orderId,
  }
}

function requiredText(body: PortalFields, name: string): string {
  const text = (body[name] ?? '').trim()
  if (text === '') throw new FieldFault(name, 'required')
  return text
}
