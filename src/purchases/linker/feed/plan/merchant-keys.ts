import type { ProviderRow } from '../../provider.ts'

/**
 * Returns keys that identify a merchant among others on the same card: its brand, the provider's permanent id, the
 * website, and its names without store numbers. A row has several keys, which vary between pending and posted rows and
 * between banks.
 */
export function deriveMerchantKeys(
  { name, facts }: Pick<ProviderRow, 'name' | 'facts'>,
  brandUid: string | null,
): string[] {
  const { providerMerchantId, website, merchantName } = facts
  const keys = [
    brandUid && `brand:${brandUid}`,
    providerMerchantId && `id:${providerMerchantId.trim().toLowerCase()}`,
    website && `web:${parseHost(website)}`,
    merchantName && `name:${extractWords(merchantName)}`,
    `name:${extractWords(name)}`,
  ]
  return [...new Set(keys.filter((key) => typeof key === 'string'))]
}

/**
 * Returns true if two rows have the same brand. Otherwise, compares the provider's ids if both rows have one, or else
 * looks for any shared key.
 */
export function isSameMerchant(one: readonly string[], other: readonly string[]): boolean {
  if (agree(one, other, 'brand:') === true) return true
  return agree(one, other, 'id:') ?? one.some((key) => other.includes(key))
}

/** Returns true if two rows cannot be from the same merchant, because their brands or the provider's ids differ. */
export function isOtherMerchant(one: readonly string[], other: readonly string[]): boolean {
  return (agree(one, other, 'brand:') ?? agree(one, other, 'id:')) === false
}

/** Returns true if two rows have the same key of one kind; null if either row has none. */
function agree(one: readonly string[], other: readonly string[], kind: string): boolean | null {
  const key = one.find((candidate) => candidate.startsWith(kind))
  const otherKey = other.find((candidate) => candidate.startsWith(kind))
  return key === undefined || otherKey === undefined ? null : key === otherKey
}

function parseHost(website: string): string {
  return website
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/\/.*$/, '')
}

/** Extracts the words of a name. A name without letters is only trimmed and lowercased. */
function extractWords(name: string): string {
  const words = name.toLowerCase().match(/\p{L}+/gu)
  return words === null ? name.trim().toLowerCase() : words.join(' ')
}
