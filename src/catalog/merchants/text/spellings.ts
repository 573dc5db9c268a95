import abbreviationPack from '../packs/abbreviations.json' with { type: 'json' }
import pack from '../packs/spellings.json' with { type: 'json' }
import { parseHost, toRegistrable } from './domains.ts'
import { buildForms } from './tokens.ts'

type Spelling = {
  readonly name: string
  readonly domain?: string
  /** Additional sites under which a catalog may list the brand. */
  readonly alsoAt?: readonly string[]
  readonly spellings?: readonly string[]
  /** Spellings that match only as the whole name. */
  readonly exact?: readonly string[]
  /** Catalog aliases that are too general or wrong. */
  readonly not?: readonly string[]
}

/** The full forms of abbreviated words in names, and alternative spellings. */
export const abbreviations: ReadonlyMap<string, string> = new Map(Object.entries(abbreviationPack))

const spellings: readonly Spelling[] = pack
const spellingsByDomain = Map.groupBy(
  spellings.flatMap((spelling) =>
    [spelling.domain ?? '', ...(spelling.alsoAt ?? [])].map((domain) => ({ domain, spelling })),
  ),
  ({ domain }) => domain,
)
const spellingsByName = Map.groupBy(spellings, ({ name }) => buildForms(name)[0] ?? '')

/**
 * Returns the pack's entries for a brand: those with one of its websites and one of its names, or with only the name if
 * the brand has no valid website. `isConfirmedBySite` is true if a website confirms the name.
 */
export function findSpellings(
  forms: ReadonlySet<string>,
  domains: readonly string[],
): { readonly list: readonly Spelling[]; readonly isConfirmedBySite: boolean } {
  const sites = domains.map(parseHost).filter((host) => host !== null)
  if (sites.length === 0) {
    const list = [...forms].flatMap((form) => spellingsByName.get(form) ?? [])
    return { list, isConfirmedBySite: false }
  }
  const list = sites
    .flatMap((host) => spellingsByDomain.get(toRegistrable(host)) ?? [])
    .map(({ spelling }) => spelling)
    .filter(({ name }) => buildForms(name).some((form) => forms.has(form)))
  return { list, isConfirmedBySite: list.length > 0 }
}
