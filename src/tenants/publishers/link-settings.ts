import type { Publisher } from './publisher.ts'

/**
 * The settings that users see when they link a card, and the accounts that they may link. Uses the terms of the
 * provider's `/link/token/create`.
 */
type LinkSettings = Pick<
  Publisher,
  'linkName' | 'linkLanguage' | 'linkCountries' | 'linkProducts' | 'linkAccountSubtypes'
>

/** The provider replaces names longer than this with a placeholder. */
const NAME_MAX = 30
const LANGUAGES = 'da nl en et fr de hi it lv lt no pl pt ro es sv vi'.split(' ')
const COUNTRIES = 'US GB ES NL FR IE CA DE IT PL DK NO SE EE LT LV PT BE AT FI'.split(' ')
/** The product that provides the transaction feed. */
const NEEDED_PRODUCT = 'transactions'
/** Products that a link token can request without additional settings. The provider's other products need them. */
const PRODUCTS = [NEEDED_PRODUCT, 'assets', 'auth', 'identity', 'liabilities', 'signal']
/**
 * Products that require a depository account. Users without such an account cannot complete a link that requests these
 * products.
 */
const PRODUCTS_OF_DEPOSITORY = ['auth', 'signal']

/** The account subtypes that a publisher may request, by the provider's account type. */
const SUBTYPES = {
  credit: ['charge card', 'credit card'],
  depository: ['checking', 'savings', 'cash management', 'money market', 'prepaid', 'ebt', 'hsa', 'cd'],
} as const

/** Returns the first invalid setting and its allowed values; null if all are valid. */
export function linkSettingFault(settings: LinkSettings): { readonly field: string; readonly text: string } | null {
  const { linkName, linkLanguage, linkCountries, linkProducts, linkAccountSubtypes } = settings
  if (linkName !== null && (linkName.trim() !== linkName || linkName === '' || [...linkName].length > NAME_MAX))
    return {
      field: 'link_name',
      text: `The link name must be 1 to ${NAME_MAX} characters without leading or trailing spaces.`,
    }
  if (!LANGUAGES.includes(linkLanguage))
    return { field: 'link_language', text: `The link language must be one of ${LANGUAGES.join(', ')}.` }
  return (
    findListFault('link_countries', 'link countries', linkCountries, COUNTRIES) ??
    findListFault('link_products', 'link products', linkProducts, PRODUCTS) ??
    (linkProducts.includes(NEEDED_PRODUCT)
      ? null
      : {
          field: 'link_products',
          text: `The link products must include ${NEEDED_PRODUCT}, which is the feed of purchases.`,
        }) ??
    findListFault(
      'link_account_subtypes',
      'link account subtypes',
      linkAccountSubtypes,
      Object.values(SUBTYPES).flat(),
    ) ??
    findDepositoryFault(settings)
  )
}

function findDepositoryFault({ linkProducts, linkAccountSubtypes }: LinkSettings) {
  const product = linkProducts.find((one) => PRODUCTS_OF_DEPOSITORY.includes(one))
  const depository: readonly string[] = SUBTYPES.depository
  if (product === undefined || linkAccountSubtypes.some((subtype) => depository.includes(subtype))) return null
  const text = `The link product ${product} requires one of the link account subtypes ${depository.join(', ')}.`
  return { field: 'link_account_subtypes', text }
}

function findListFault(field: string, what: string, values: readonly string[], known: readonly string[]) {
  const unknown = values.find((value) => !known.includes(value))
  if (values.length > 0 && unknown === undefined && new Set(values).size === values.length) return null
  const found = unknown === undefined ? 'Each may appear only once.' : `"${unknown}" is not one of them.`
  return { field, text: `The ${what} must be one or more of ${known.join(', ')}. ${found}` }
}

/**
 * Returns the publisher's link name or, if it has none, its own name, truncated at a word boundary to the length that
 * the provider displays.
 */
export function getLinkName({ linkName, name }: Pick<Publisher, 'linkName' | 'name'>): string {
  if (linkName !== null) return linkName
  // Counts code points, because some characters take two UTF-16 code units.
  const whole = [...name.trim()]
  if (whole.length <= NAME_MAX) return whole.join('')
  const end = whole.lastIndexOf(' ', NAME_MAX)
  return whole
    .slice(0, end > 0 ? end : NAME_MAX)
    .join('')
    .trimEnd()
}

/** Groups the publisher's account subtypes by type, omitting types without any. */
export function buildAccountFilters({ linkAccountSubtypes }: Pick<Publisher, 'linkAccountSubtypes'>) {
  const filters: Record<string, { account_subtypes: string[] }> = {}
  for (const [type, subtypes] of Object.entries<readonly string[]>(SUBTYPES)) {
    const wanted = linkAccountSubtypes.filter((subtype) => subtypes.includes(subtype))
    if (wanted.length > 0) filters[type] = { account_subtypes: wanted }
  }
  return filters
}
