import type { ProviderRow } from '../../provider.ts'

/**
 * What tells a merchant from others on the same card: the provider's lasting id, the website, and the names without
 * their store numbers. A row has several of these, and which ones changes from pending to posted and from bank to bank.
 */
export function merchantKeysOf(row: Pick<ProviderRow, 'merchantId' | 'website' | 'merchantName' | 'name'>): string[] {
  const { merchantId, website, merchantName, name } = row
  const keys = [
    merchantId === null ? null : `id:${merchantId.trim().toLowerCase()}`,
    website === null ? null : `web:${hostOf(website)}`,
    merchantName === null ? null : `name:${wordsOf(merchantName)}`,
    `name:${wordsOf(name)}`,
  ]
  return [...new Set(keys.filter((key) => key !== null))]
}

/** One of the keys is enough, unless both carry the provider's id and it differs. */
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

/** Letters only; a name that has none is taken as it is. */
function wordsOf(name: string): string {
  const words = name.toLowerCase().match(/\p{L}+/gu)
  return words === null ? name.trim().toLowerCase() : words.join(' ')
}
