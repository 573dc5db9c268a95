import type { Publisher } from './publisher.ts'

/**
 * What users see of the publisher while they link, and which of their accounts it asks for. The words are those of the
 * provider's `/link/token/create`.
 */
type LinkSettings = Pick<
  Publisher,
  'linkName' | 'linkLanguage' | 'linkCountries' | 'linkProducts' | 'linkAccountSubtypes'
>

/** The provider shows a placeholder instead of a longer name. */
const NAME_MAX = 30
const LANGUAGES = 'da nl en et fr de hi it lv lt no pl pt ro es sv vi'.split(' ')
const COUNTRIES = 'US GB ES NL FR IE CA DE IT PL DK NO SE EE LT LV PT BE AT FI'.split(' ')
/** Without it there is no feed. */
const NEEDED_PRODUCT = 'transactions'
/** Those that a link token can ask for by name alone; the provider's others need settings of their own. */
const PRODUCTS = [NEEDED_PRODUCT, 'assets', 'auth', 'identity', 'liabilities', 'signal']
/** Users with none of these accounts could not finish a link that asks for such a product. */
const PRODUCTS_OF_DEPOSITORY = ['auth', 'signal']

/** The subtypes that a publisher may ask for, by the provider's account type. */
const SUBTYPES = {
  credit: ['charge card', 'credit card'],
  depository: ['checking', 'savings', 'cash management', 'money market', 'prepaid', 'ebt', 'hsa', 'cd'],
} as const

/** The first invalid setting and what is allowed for it; null when all are valid. */
export function linkSettingFault(settings: LinkSettings): { readonly field: string; readonly text: string } | null {
  const { linkName, linkLanguage, linkCountries, linkProducts, linkAccountSubtypes } = settings
  if (linkName !== null && (linkName.trim() !== linkName || linkName === '' || [...linkName].length > NAME_MAX))
    return {
      field: 'link_name',
      text: `The link name must have 1 to ${NAME_MAX} characters, without leading or trailing spaces.`,
    }
  if (!LANGUAGES.includes(linkLanguage))
    return { field: 'link_language', text: `The link language must be one of ${LANGUAGES.join(', ')}.` }
  return (
    faultOfList('link_countries', 'link countries', linkCountries, COUNTRIES) ??
    faultOfList('link_products', 'link products', linkProducts, PRODUCTS) ??
    (linkProducts.includes(NEEDED_PRODUCT)
      ? null
      : {
          field: 'link_products',
          text: `The link products must contain ${NEEDED_PRODUCT}, which is the feed of purchases.`,
        }) ??
    faultOfList(
      'link_account_subtypes',
      'link account subtypes',
      linkAccountSubtypes,
      Object.values(SUBTYPES).flat(),
    ) ??
    faultOfDepository(settings)
  )
}

function faultOfDepository({ linkProducts, linkAccountSubtypes }: LinkSettings) {
  const product = linkProducts.find((one) => PRODUCTS_OF_DEPOSITORY.includes(one))
  const depository: readonly string[] = SUBTYPES.depository
  if (product === undefined || linkAccountSubtypes.some((subtype) => depository.includes(subtype))) return null
  const text = `The link product ${product} needs one of the link account subtypes ${depository.join(', ')}.`
  return { field: 'link_account_subtypes', text }
}

function faultOfList(field: string, what: string, values: readonly string[], known: readonly string[]) {
  const unknown = values.find((value) => !known.includes(value))
  if (values.length > 0 && unknown === undefined && new Set(values).size === values.length) return null
  const found = unknown === undefined ? 'Each may appear only once.' : `"${unknown}" is not one of them.`
  return { field, text: `The ${what} must be one or more of ${known.join(', ')}. ${found}` }
}

/** The publisher's name as far as the provider shows it, without half a word. */
export function linkNameOf({ linkName, name }: Pick<Publisher, 'linkName' | 'name'>): string {
  if (linkName !== null) return linkName
  // By whole characters, some of which take two places in a string.
  const whole = [...name.trim()]
  if (whole.length <= NAME_MAX) return whole.join('')
  const end = whole.lastIndexOf(' ', NAME_MAX)
  return whole
    .slice(0, end > 0 ? end : NAME_MAX)
    .join('')
    .trimEnd()
}

/** The account subtypes of each type that has any. */
export function accountFiltersOf({ linkAccountSubtypes }: Pick<Publisher, 'linkAccountSubtypes'>) {
  const filters: Record<string, { account_subtypes: string[] }> = {}
  for (const [type, subtypes] of Object.entries<readonly string[]>(SUBTYPES)) {
    const wanted = linkAccountSubtypes.filter((subtype) => subtypes.includes(subtype))
    if (wanted.length > 0) filters[type] = { account_subtypes: wanted }
  }
  return filters
}
