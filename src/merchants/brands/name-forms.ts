import { spellingsOf } from '../packs/spellings.ts'
import { commonWords, distinguishingWords, isPlain, neutralWords, otherTrades, sharedTrades } from '../packs/words.ts'
import { isCityAnywhere } from '../places/cities.ts'
import { hostOf, registrableOf, sharedHosts } from '../text/domains.ts'
import { fold, formsOfTokens, tokenize } from '../text/tokens.ts'
import type { BrandFacts } from '../types.ts'

/**
 * Where a form comes from, in falling strength: the name itself, an alias of the catalog, a spelling of the packs, one
 * that counts only as the whole name, the website's name, the name without its trade or its last s.
 */
type FormKind = 'name' | 'alias' | 'spelling' | 'exact' | 'site' | 'short'

/** `distinct` names one brand only; `phrase` is several plain words; `word` is one, or up to four letters. */
type Risk = 'distinct' | 'phrase' | 'word'

export type Form = { readonly form: string; readonly kind: FormKind; readonly risk: Risk }

export type KnownForms = {
  readonly forms: readonly Form[]
  /** The packs know the brand. */
  readonly isWellKnown: boolean
  /** They know it by its website, not only by its name. */
  readonly isConfirmedBySite: boolean
  /** The words of its names. */
  readonly words: readonly string[]
}

/** Every form under which a brand is looked up, each once. */
export function knownForms(brand: BrandFacts): KnownForms {
  const names = [brand.name, ...brand.aliases].map(readName)
  const { list: packs, isConfirmedBySite } = spellingsOf(new Set(names.flatMap(({ forms }) => forms)), brand.domains)
  const ignored = new Set(packs.flatMap(({ not }) => not ?? []).flatMap((text) => readName(text).forms))
  const owner = ownerIn(brand.name)
  const found = new Map<string, Form>()
  const add = ({ forms, words }: Name, kind: FormKind) => {
    for (const form of forms) {
      if (found.has(form) || form.length > longestForm || (kind === 'alias' && ignored.has(form))) continue
      const isCoined = packs.length > 0 && kind !== 'exact' && form !== owner && isCoinedName(words, form)
      found.set(form, { form, kind, risk: isCoined ? 'distinct' : riskOf(words, form) })
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
  // Half a name says nothing if only the brand's name is known.
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

// Card networks carry 25 characters of a name; longer forms could only be found in what a provider sends.
export const longestForm = 64

type Name = { readonly words: readonly string[]; readonly forms: readonly string[] }

function readName(text: string): Name {
  const words = tokenize(fold(text)).texts
  return { words, forms: formsOfTokens(text, words) }
}

// Names this short are initials and syllables; any business may begin with them.
const longestShortForm = 4

/** `Fry's Food` is named after a person, and other businesses may be, too. */
function ownerIn(name: string): string {
  const [first = ''] = fold(name).split(' ')
  return first.endsWith("'s") ? first.replace("'", '') : ''
}

/** Four letters that are no word: of a well-known brand (`LYFT`) they name no other. */
function isCoinedName(words: readonly string[], form: string): boolean {
  return words.length === 1 && form.length === longestShortForm && /^[a-z]+$/.test(form) && !isPlain(form)
}

function riskOf(words: readonly string[], form: string): Risk {
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

/** Whether a site is named like the brand: the site of its group is not its own. */
function isNamedSo(site: string, names: readonly Name[]): boolean {
  const stem = tokenize(site.slice(0, site.lastIndexOf(' '))).texts.join('')
  const named = stem.startsWith('the') ? stem.slice('the'.length) : stem
  return names.some(({ forms: [form = ''] }) => form !== '' && (named.startsWith(form) || form.startsWith(stem)))
}

// Endings that say that an address is meant when they are printed onto the name (`BESTBUYCOM`).
const printedEndings = /\.(?:com|net|org)$/

function siteName(website: string): string | null {
  const host = hostOf(website)
  if (host === null) return null
  const domain = registrableOf(host)
  // A brand that has only a part of the domain shares its name with others.
  const isOwn = host === domain || host === `www.${domain}`
  return isOwn && !sharedHosts.has(domain) && printedEndings.test(domain) ? domain.replaceAll('.', ' ') : null
}

const fewestShortLetters = 6

/** Statements drop the trade (`BONEFISH 7027` of Bonefish Grill) and the last s (`QUALITY INNS`). */
function shorterNames({ words }: Name): Name[] {
  const shorter: string[][] = []
  const end = words.findLastIndex((word, at) => !isTradeOrNeutral(word) && !isGeneralStore(words, at)) + 1
  if (end > 0 && end < words.length && words.length - end <= 2) shorter.push(words.slice(0, end))
  const last = words.at(-1) ?? ''
  if (last.length > 2) shorter.push([...words.slice(0, -1), last.endsWith('s') ? last.slice(0, -1) : `${last}s`])
  const owned = words.findIndex((word) => word.length > 3 && word.endsWith('s'))
  if (owned >= 0 && owned < words.length - 1) shorter.push(words.with(owned, (words[owned] ?? '').slice(0, -1)))
  return shorter
    .map((kept): Name => ({ words: kept, forms: formsOfTokens('', kept) }))
    .filter(({ forms: [form = ''] }) => form.length >= fewestShortLetters)
}

const isGeneralStore = (words: readonly string[], at: number) => words[at] === 'general' && words[at + 1] === 'store'

const isTradeOrNeutral = (word: string) =>
  (otherTrades.has(word) || sharedTrades.has(word) || neutralWords.has(word) || word === 'and') &&
  !distinguishingWords.has(word)
