import { commonWords, distinguishingWords, isPlain, neutralWords, otherTrades, sharedTrades } from '../packs/words.ts'
import { isCityAnywhere } from '../places/cities.ts'
import { parseHost, sharedHosts, toRegistrable } from '../text/domains.ts'
import { findSpellings } from '../text/spellings.ts'
import { buildTokenForms, fold, tokenize } from '../text/tokens.ts'
import type { BrandFacts } from '../types.ts'

/**
 * The origin of a form, strongest first: the name itself, an alias from the catalog, a spelling from the packs, a
 * spelling that matches only as the whole name, the website's name, or the name without its trade or with a final s
 * dropped or added.
 */
type FormKind = 'name' | 'alias' | 'spelling' | 'exact' | 'site' | 'short'

/**
 * `distinct` refers to a single brand; `phrase` is several plain words; `word` is one plain word, or up to four
 * letters.
 */
type Risk = 'distinct' | 'phrase' | 'word'

export type Form = { readonly form: string; readonly kind: FormKind; readonly risk: Risk }

export type KnownForms = {
  readonly forms: readonly Form[]
  /** True if the packs list the brand. */
  readonly isWellKnown: boolean
  /** True if the packs list it with its website, not just its name. */
  readonly isConfirmedBySite: boolean
  /** The words of its names. */
  readonly words: readonly string[]
}

/** Returns the distinct forms by which a brand is looked up. */
export function collectForms(brand: BrandFacts): KnownForms {
  const names = [brand.name, ...brand.aliases].map(readName)
  const { list: packs, isConfirmedBySite } = findSpellings(new Set(names.flatMap(({ forms }) => forms)), brand.domains)
  const ignored = new Set(packs.flatMap(({ not }) => not ?? []).flatMap((text) => readName(text).forms))
  const owner = ownerIn(brand.name)
  const found = new Map<string, Form>()
  const add = ({ forms, words }: Name, kind: FormKind) => {
    for (const form of forms) {
      if (found.has(form) || form.length > longestForm || (kind === 'alias' && ignored.has(form))) continue
      const isCoined = packs.length > 0 && kind !== 'exact' && form !== owner && isCoinedName(words, form)
      found.set(form, { form, kind, risk: isCoined ? 'distinct' : rateRisk(words, form) })
    }
  }
  names.forEach((name, at) => {
    add(name, at === 0 ? 'name' : 'alias')
  })
  for (const { spellings, exact } of packs) {
    for (const spelling of spellings ?? []) add(readName(spelling), 'spelling')
    for (const spelling of exact ?? []) add(readName(spelling), 'exact')
  }
  for (const domain of brand.domains) {
    const site = siteName(domain)
    if (site !== null && isNamedSo(site, names)) add(readName(site), 'site')
  }
  // A shortened name is too weak as evidence for a brand known only by its name.
  const isNameOnly = packs.length === 0 && brand.aliases.length === 0 && brand.domains.length === 0
  for (const name of isNameOnly ? [] : names)
    for (const short of shorterNames(name)) if (!ignored.has(short.forms[0] ?? '')) add(short, 'short')
  return {
    forms: [...found.values()],
    isWellKnown: packs.length > 0,
    isConfirmedBySite,
    words: [...new Set(names.flatMap(({ words }) => words))],
  }
}

// Card networks carry 25 characters of a name. Longer forms could be found only in a provider's text.
export const longestForm = 64

type Name = { readonly words: readonly string[]; readonly forms: readonly string[] }

function readName(text: string): Name {
  const words = tokenize(fold(text)).texts
  return { words, forms: buildTokenForms(text, words) }
}

// Names this short are initials or syllables that any business name may start with.
const longestShortForm = 4

/** Returns the owner in a name like `Fry's Food`, because other businesses may be named after the same person. */
function ownerIn(name: string): string {
  const [first = ''] = fold(name).split(' ')
  return first.endsWith("'s") ? first.replace("'", '') : ''
}

/** Returns true for a four-letter name that is not a word. For a well-known brand (`LYFT`), it is unambiguous. */
function isCoinedName(words: readonly string[], form: string): boolean {
  return words.length === 1 && form.length === longestShortForm && /^[a-z]+$/.test(form) && !isPlain(form)
}

function rateRisk(words: readonly string[], form: string): Risk {
  if (form.length <= longestShortForm || commonWords.has(form)) return 'word'
  if (words.length === 1 && isCityAnywhere(form)) return 'word'
  let plain = 0
  for (const word of words) {
    if (word === 'the' || word === 'and') continue
    if (word.length > 1 && !isPlain(word)) return 'distinct'
    plain += 1
  }
  return plain > 1 ? 'phrase' : 'word'
}

/** Returns true if a site is named after the brand. A corporate group's site is not the brand's own. */
function isNamedSo(site: string, names: readonly Name[]): boolean {
  const stem = tokenize(site.slice(0, site.lastIndexOf(' '))).texts.join('')
  const named = stem.startsWith('the') ? stem.slice('the'.length) : stem
  return names.some(({ forms: [form = ''] }) => form !== '' && (named.startsWith(form) || form.startsWith(stem)))
}

// Top-level domains that mark a URL even when run together with the name (`BESTBUYCOM`).
const printedEndings = /\.(?:com|net|org)$/

function siteName(website: string): string | null {
  const host = parseHost(website)
  if (host === null) return null
  const domain = toRegistrable(host)
  // A brand on a subdomain shares the domain's name with others.
  const isOwn = host === domain || host === `www.${domain}`
  return isOwn && !sharedHosts.has(domain) && printedEndings.test(domain) ? domain.replaceAll('.', ' ') : null
}

const fewestShortLetters = 6

/**
 * Varies a name the way statements do. They drop the trade (`BONEFISH 7027` for Bonefish Grill), and drop or add a
 * final s (`QUALITY INNS`).
 */
function shorterNames({ words }: Name): Name[] {
  const shorter: string[][] = []
  const end = words.findLastIndex((word, at) => !isTradeOrNeutral(word) && !isGeneralStore(words, at)) + 1
  if (end > 0 && end < words.length && words.length - end <= 2) shorter.push(words.slice(0, end))
  const last = words.at(-1) ?? ''
  if (last.length > 2) shorter.push([...words.slice(0, -1), last.endsWith('s') ? last.slice(0, -1) : `${last}s`])
  const owned = words.findIndex((word) => word.length > 3 && word.endsWith('s'))
  if (owned >= 0 && owned < words.length - 1) shorter.push(words.with(owned, (words[owned] ?? '').slice(0, -1)))
  return shorter
    .map((kept): Name => ({ words: kept, forms: buildTokenForms('', kept) }))
    .filter(({ forms: [form = ''] }) => form.length >= fewestShortLetters)
}

const isGeneralStore = (words: readonly string[], at: number) => words[at] === 'general' && words[at + 1] === 'store'

const isTradeOrNeutral = (word: string) =>
  (otherTrades.has(word) || sharedTrades.has(word) || neutralWords.has(word) || word === 'and') &&
  !distinguishingWords.has(word)
