import { fingerprintCode, listCodesByFingerprint } from '../../../catalog/allowances/index.ts'
import type { Assortment, CatalogStore } from '../../../catalog/catalog/index.ts'
import type { Reader } from '../../../platform/db/database.ts'
import type { Vault } from '../../../platform/vault/index.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import type { SourceEventInput } from '../event.ts'
import { matchFacts } from '../load/match.ts'

type Deps = {
  readonly catalog: Pick<CatalogStore, 'getAssortment'>
  readonly vault?: Pick<Vault, 'fingerprint'>
}

/**
 * Replaces pool voucher codes with their ids, because these codes are worth money and must not be stored in plaintext.
 * A pool code also identifies its offer. A code shared by the brand's offers is left unchanged, even if a pool contains
 * the same text.
 */
export async function replacePoolCodes(
  reader: Reader,
  { catalog, vault }: Deps,
  publisher: Publisher,
  inputs: readonly SourceEventInput[],
): Promise<readonly SourceEventInput[]> {
  const codes = new Set(inputs.flatMap(({ facts }) => facts.voucherCode ?? []))
  if (codes.size === 0) return inputs
  if (vault === undefined) throw new Error('looking up a voucher code requires the vault')
  const prints = new Map([...codes].map((code) => [code, fingerprintCode(vault, code)]))
  const known = Map.groupBy(await listCodesByFingerprint(reader, [...prints.values()]), ({ fingerprint }) =>
    fingerprint.toString('hex'),
  )
  if (known.size === 0) return inputs
  const assortment = await catalog.getAssortment(publisher)
  return inputs.map((input) => {
    const { voucherCode, ...facts } = input.facts
    const all = voucherCode === undefined ? [] : (known.get(prints.get(voucherCode)?.toString('hex') ?? '') ?? [])
    // A code from the other environment is also replaced, but cannot be used here.
    const own = all.filter((code) => code.environment === publisher.environment)
    const found = own.length > 0 ? own : all
    // Two pools may contain the same text. Prefers the named offer's code, then the one assigned to this user.
    const code =
      found.find(({ offerUid }) => offerUid === facts.offerUid) ??
      found.find(({ userId }) => userId === input.userId) ??
      found[0]
    if (code === undefined) return input
    const { brandUid } = matchFacts(assortment, facts)
    const isShared = isSharedBy(assortment, brandUid, voucherCode)
    const isNamed = facts.offerUid !== undefined || facts.brandUid !== undefined
    const isSure = brandUid === null || (code.userId === input.userId && !isShared)
    return {
      ...input,
      facts: {
        ...facts,
        ...(isShared ? { voucherCode } : {}),
        ...(!isNamed && isSure ? { offerUid: code.offerUid } : {}),
        voucherCodeId: code.codeId,
      },
    }
  })
}

function isSharedBy({ catalog }: Assortment, brandUid: string | null, voucherCode: string | undefined): boolean {
  const plain = (code: string | null): string | undefined => code?.trim().toUpperCase()
  const offers = brandUid === null ? [] : catalog.getOffers(brandUid)
  return offers.some((offer) => offer.voucherCode !== null && plain(offer.voucherCode) === plain(voucherCode ?? null))
}
