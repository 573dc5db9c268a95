import type { ProviderRow } from '../../provider.ts'

/**
 * Identify a merchant among others on the same card: the provider's permanent id, the website, and the names without
 * store numbers. A row has several of these; which ones differs between pending and posted rows and between banks.
 */
export function merchantKeysOf({ name, facts }: Pick<ProviderRow, 'name' | 'facts'>): string[] {
  const { providerMerchantId, website, merchantName } = facts
  const keys = [
    providerMerchantId && `id:${providerMerchantId.trim().toLowerCase()}`,
    website && `web:${hostOf(website)}`,
    merchantName && `name:${wordsOf(merchantName)}`,
    `name:${wordsOf(name)}`,
  ]
  return [...new Set(keys.filter((key) => typeof key === 'string'))]
}

/** Whether two rows share a key; when both have the provider's id, that alone decides. */
export function isSameMerchant(one: readonly string[], other: readonly string[]): boolean {
  const id = one.find(isId)
  const otherId = other.find(isId)
  if (id !== undefined && otherId !== undefined) return id === otherId
  return one.some((key) => other.includes(key))
}

function isId(key: string): boolean {
  return key.startsWith('id:')
}

function hostOf(website: string): string {
  return website
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/\/.*$/, '')
}

/** The letters of a name; a name without letters stays as it is. */
function wordsOf(name: string): string {
  const words = name.toLowerCase().match(/\p{L}+/gu)
  return words === null ? name.trim().toLowerCase() : words.join(' ')
}
