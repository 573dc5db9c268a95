import type { Command } from 'commander'
import { type Aliases, createCatalogStore } from '../../src/catalog/catalog/index.ts'
import {
  type BrandFacts,
  buildBrandIndex,
  deriveTemplate,
  type MatchOptions,
  type MerchantFacts,
  matchBrand,
} from '../../src/catalog/merchants/index.ts'
import type { PublisherId } from '../../src/platform/ids.ts'
import { getPublisher } from '../../src/tenants/publishers/index.ts'
import { readBrands } from '../match/brands.ts'
import { matchFile } from '../match/file.ts'
import { formatAnswer } from '../match/rows.ts'
import { show } from '../match/show.ts'
import { parsePattern, readPublisherId, usage } from '../options.ts'
import { withStorage } from '../storage.ts'
import { answerJson, formatCount, note } from '../terminal.ts'

type Options = {
  readonly catalog?: string
  readonly publisher?: PublisherId
  readonly in?: string
  readonly out: string
  readonly name?: string
  readonly website?: string
  readonly mcc?: string
  readonly city?: string
  readonly state?: string
  readonly country: string
  readonly providerId?: string
  readonly json?: true
}

export function define(command: Command): void {
  command
    .argument('[text...]', 'a descriptor as printed on a statement')
    .option('--name <name>', "the merchant's name as cleaned by the provider")
    .option('--website <address>', "the merchant's website")
    .option(
      '--mcc <code>',
      "the merchant's category code",
      parsePattern('--mcc', /^\d{4}$/, 'four digits, such as 5411'),
    )
    .option('--city <city>', 'where the purchase was made')
    .option('--state <state>', 'where the purchase was made')
    .option(
      '--country <code>',
      'where the purchase was made; also the default for rows of a file',
      parsePattern('--country', /^[a-z]{2}$/i, 'a two-letter country code, such as us'),
      'us',
    )
    .option('--provider-id <id>', "the linking provider's id for the merchant")
    .option(
      '--catalog <file>',
      'brands to match against: JSON as for `catalog import`, or one object per line; default: the catalog',
    )
    .option('--publisher <id>', 'apply the aliases of this publisher (pub_…)', readPublisherId)
    .option(
      '--in <file>',
      'one object per line: {id, descriptor, name, website, mcc, city, state, country, …}; - for stdin',
    )
    .option('--out <file>', 'one result per line, in the same order; - for stdout', '-')
    .action(run)
}

async function run(words: readonly string[], options: Options): Promise<void> {
  const facts = toFacts(words.join(' '), options)
  if (options.in === undefined && Object.values(facts).every((fact) => fact === undefined))
    throw usage('Specify what to match: a descriptor, --name, --website or --provider-id, or a file with --in.')
  if (options.in !== undefined && words.length > 0) throw usage('A descriptor cannot be combined with --in.')
  if (options.catalog !== undefined && options.publisher !== undefined)
    throw usage('--publisher uses the catalog of the service and cannot be combined with --catalog.')
  const { brands, matching } = await loadBrands(options)
  const index = buildBrandIndex(brands)
  const match = (merchant: MerchantFacts) => matchBrand(index, merchant, matching)
  if (options.in !== undefined) {
    const counts = await matchFile({ from: options.in, to: options.out, country: options.country, match })
    if (options.json && options.out !== '-') return answerJson(counts)
    return note(
      `${formatCount(counts.rows, 'row')}: ${counts.automatic} automatic, ${counts.review} to review, ${counts.none} none.`,
    )
  }
  const merchant = { ...facts, country: options.country }
  const found = match(merchant)
  const key = deriveTemplate(merchant)
  const names = new Map(brands.map((brand) => [brand.brandUid, brand.name]))
  const getName = (uid: string): string => names.get(uid) ?? uid
  if (!options.json) return show({ match: found, key, getName })
  const { brand_id, ...rest } = formatAnswer(found)
  answerJson({ brand_id, brand: brand_id === null ? null : getName(brand_id), ...rest, key })
}

function toFacts(text: string, options: Options): MerchantFacts {
  return {
    merchantDescriptor: text === '' ? undefined : text,
    merchantName: options.name,
    website: options.website,
    mcc: options.mcc,
    city: options.city,
    state: options.state,
    providerMerchantId: options.providerId,
  }
}

type Brands = { readonly brands: readonly BrandFacts[]; readonly matching: MatchOptions }

async function loadBrands({ catalog, publisher: publisherId }: Options): Promise<Brands> {
  if (catalog !== undefined) return { brands: await readBrands(catalog), matching: {} }
  return withStorage(async ({ db }) => {
    const store = createCatalogStore(db)
    const { brandFacts: brands } = await store.refresh()
    if (publisherId === undefined) return { brands, matching: {} }
    const aliases: Aliases = (await store.getAssortment(await getPublisher(db.reader, publisherId))).aliases
    return { brands, matching: { aliases } }
  })
}
