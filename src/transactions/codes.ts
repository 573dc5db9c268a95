import type { Reader } from '../platform/database.ts'
import type { Vault } from '../platform/vault.ts'
import type { Publisher } from '../publishers/index.ts'
import { fingerprintOf, listCodesByFingerprint } from '../rewards/index.ts'
import type { SourceEventInput } from './event.ts'

/**
 * Events with the ids of voucher codes in place of the codes, where they are of a pool: such a code is worth money and is not
 * kept in the clear. It also names its offer, so that nothing else needs to be known of the purchase.
 */
export async function withCodesOfPools(
  reader: Reader,
  { vault }: { readonly vault?: Pick<Vault, 'fingerprint'> },
  { environment }: Pick<Publisher, 'environment'>,
  inputs: readonly SourceEventInput[],
): Promise<readonly SourceEventInput[]> {
  const codes = new Set(inputs.flatMap(({ facts }) => facts.voucherCode ?? []))
  if (codes.size === 0) return inputs
  if (vault === undefined) throw new Error('a voucher code can be looked up only with the vault')
  const prints = new Map([...codes].map((code) => [code, fingerprintOf(vault, code)]))
  const known = Map.groupBy(await listCodesByFingerprint(reader, [...prints.values()]), ({ fingerprint }) =>
    fingerprint.toString('hex'),
  )
  return inputs.map((input) => {
    const { voucherCode, ...facts } = input.facts
    const all = voucherCode === undefined ? [] : (known.get(prints.get(voucherCode)?.toString('hex') ?? '') ?? [])
    // One of the other environment is not kept in the clear either; it is nobody's here, so it counts for nothing.
    const own = all.filter((code) => code.environment === environment)
    const found = own.length > 0 ? own : all
    // Two pools may hold the same text: the named offer's is meant, then the one that this user was given.
    const code =
      found.find(({ offerUid }) => offerUid === facts.offerUid) ??
      found.find(({ userId }) => userId === input.userId) ??
      found[0]
    if (code === undefined) return input
    const named = facts.offerUid === undefined && facts.brandUid === undefined ? { offerUid: code.offerUid } : {}
    return { ...input, facts: { ...facts, ...named, voucherCodeId: code.codeId } }
  })
}
