import assert from 'node:assert/strict'
import { carryWholeCatalog } from '../../src/catalog/catalog/assortment/assortment.ts'
import type { CatalogStore } from '../../src/catalog/catalog/index.ts'
import { createErasures, requestErasure } from '../../src/data/erasure/index.ts'
import type { Database, Tx } from '../../src/platform/db/database.ts'
import { toUserId, type UserId } from '../../src/platform/ids.ts'
import { toJsonNumber } from '../../src/platform/money.ts'
import { workOff } from '../../src/platform/queue/leased-work.ts'
import { Refusal } from '../../src/platform/refusal.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { decideAdjustment, declineClaim, grantByAdjustment, grantByEvent } from '../../src/purchases/claims/decide.ts'
import { type Claim, declineOverdue, openClaim } from '../../src/purchases/claims/index.ts'
import { proposeAdjustment } from '../../src/purchases/claims/propose-adjustment.ts'
import type { LinkerDeps } from '../../src/purchases/linker/index.ts'
import type { SourceEventInput } from '../../src/purchases/transactions/index.ts'
import type { Publisher } from '../../src/tenants/publishers/index.ts'
import type { Currency, World } from './reward-world.ts'

/** The publisher and name of a user in a history, and the current time. */
type Of = { readonly publisher: Publisher; readonly name: string; readonly now: Date }

/**
 * Handles users' claims and adjustments in random histories, people's decisions about them, and the erasure of users.
 */
export function openDesk(db: Database, { vault, catalog }: Pick<World, 'vault' | 'catalog'>) {
  const partsAt = (now: Date): LinkerDeps => ({
    db,
    vault,
    clock: { now: () => now },
    log: createLog('silent'),
    baseUrl: 'http://127.0.0.1',
    // Nobody here has linked a card, so no provider is called and no catalog is refreshed.
    catalog: catalog as Partial<CatalogStore> as CatalogStore,
    providers: { sandbox: null as never, production: null },
  })
  return {
    ...openClaims(db, catalog),

    adjust: async ({ publisher, name, now }: Of, currency: Currency, amount: number): Promise<string | null> => {
      const asked = { kind: 'correction', paidBy: 'service', reason: 'a mistake', externalRef: null } as const
      const proposal = { ...asked, publisherUserId: name, currency, amount: BigInt(amount), by: 'Ana' }
      return (await unlessRefused(db, (tx) => proposeAdjustment(tx, publisher, proposal, now)))?.adjustmentId ?? null
    },

    /** Books or declines the user's nth proposal. */
    decideAdjustment: async ({ now }: Of, userId: UserId, nth: number, verdict: 'book' | 'decline') => {
      const [row] = await db.reader<{ adjustmentId: never }[]>`
        select adjustment_id from adjustments where user_id = ${userId} order by created_at offset ${nth} limit 1`
      if (row === undefined) return
      const decided = { ...row, verdict, by: 'Ben', getNow: () => now }
      await unlessRefused(db, (tx) => decideAdjustment(tx, decided))
    },

    /** Grants the claim with the first event of a recorded purchase. */
    grantPurchase: async ({ publisher, now }: Of, { claimId }: Claim, first: SourceEventInput): Promise<void> => {
      const { source, kind, externalId, currency, occurredAt, facts } = first
      const event = {
        source,
        kind,
        external_id: externalId,
        currency,
        amount: toJsonNumber(first.amount, currency),
        transaction_date_time: occurredAt?.toISOString() ?? '',
        brand_uid: facts.brandUid ?? '',
      }
      const parts = { ...partsAt(now), nowUnderLock: () => now }
      await unlessRefused(db, (tx) => grantByEvent(tx, parts, publisher, { claimId, by: 'Ana', event }, now))
    },

    fallDue: async (publisher: Publisher, now: Date): Promise<void> => {
      while (await db.transaction((tx) => declineOverdue(tx, publisher, now))) {}
    },

    /** Erases the user completely unless the request is rejected. */
    erase: async ({ publisher, name, now }: Of): Promise<void> => {
      const asked = { publisherUserId: name, confirm: name, by: 'key' }
      await unlessRefused(db, (tx) => requestErasure(tx, publisher, asked, now))
      await workOff(createErasures(partsAt(now), publisher.id))
      const open = await db.reader`
        select from erasures where user_id = ${toUserId(publisher.id, name)} and done_at is null`
      assert.equal(open.length, 0)
    },

    readClaims: async (userId: UserId): Promise<string[]> => {
      const rows = await db.reader<{ status: string }[]>`
        select status from claims where user_id = ${userId} order by created_at`
      return rows.map(({ status }) => status)
    },
  }
}

function openClaims(db: Database, catalog: World['catalog']) {
  let names = 0
  return {
    claim: async ({ publisher, name, now }: Of): Promise<Claim> => {
      const assortment = carryWholeCatalog(await catalog.current(), publisher)
      const told = { kind: 'missing', openedBy: 'user', transactionUid: null, evidence: 'A receipt.' } as const
      const nothing = { brandUid: null, offerUid: null, amount: null, currency: null, orderId: null, merchant: null }
      const claim = { ...told, ...nothing, publisherUserId: name, externalRef: `claim-${names++}`, purchaseDate: null }
      return db.transaction((tx) => openClaim(tx, publisher, assortment, claim, now))
    },

    decideClaim: async (
      { publisher, now }: Of,
      { claimId }: Claim,
      currency: Currency,
      amount: number | null,
    ): Promise<void> => {
      const asked = { kind: 'goodwill', paidBy: 'service', reason: 'a claim' } as const
      await unlessRefused<unknown>(db, (tx) =>
        amount === null
          ? declineClaim(tx, publisher, { claimId, by: 'Ana', reason: 'other', text: 'No.' }, now)
          : grantByAdjustment(
              tx,
              publisher,
              { claimId, by: 'Ana', adjustment: { ...asked, currency, amount: BigInt(amount) } },
              now,
            ),
      )
    },
  }
}

/** Returns null if the work is rejected, which changes nothing. The model decides what should be rejected. */
async function unlessRefused<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T | null> {
  return db.transaction(work).catch((error: unknown) => {
    assert(error instanceof Refusal, String(error))
    return null
  })
}
