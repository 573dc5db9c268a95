import { type BrandFacts, type BrandIndex, buildBrandIndex } from '../../src/catalog/merchants/index.ts'

/** Returns a brand with its own website unless the test overrides it. */
export function brand(name: string, more: Partial<BrandFacts> = {}): BrandFacts {
  const domain = `${name.toLowerCase().replace(/[^a-z0-9]/g, '')}.com`
  return { brandUid: name, name, aliases: [], domains: [domain], merchantIds: [], mccs: [], ...more }
}

const food = ['5441', '5451', '5462', '5499', '5811', '5812', '5813', '5814']
const fuel = ['5172', '5411', '5499', '5541', '5542', '5812', '5814', '5921', '7538', '7542', '7549', '5983', '5999']

/** Well-known and invented names, and the hard cases: common words, short names, sister brands and namesakes. */
const known: readonly BrandFacts[] = [
  brand('Copperkettle', { aliases: ['CPRKTL MKTP'], merchantIds: ['m-1'] }),
  brand('Copperkettle Fresh'),
  brand("Wendell's"),
  brand('Marlow & Finch'),
  brand('Quillon Grill', { mccs: food }),
  brand('Thornbury Coffee Roasters', { mccs: food }),
  brand('Silver Fox Coffee', { mccs: food }),
  brand('Harrowgate Outfitters'),
  brand('Velmora Ostrich Fennimore'),
  brand('BQX'),
  brand('5 Below Zero'),
  brand('Target', { mccs: ['5310', '5411'], countries: ['us'] }),
  brand('Shell', { mccs: fuel }),
  brand('Delta Air Lines', { aliases: ['Delta'], domains: ['delta.com'], mccs: ['4511'] }),
  brand('Giant', {
    brandUid: 'Giant east',
    domains: ['giant-east.com'],
    mccs: ['5411'],
    countries: ['us-pa', 'us-md'],
  }),
  brand('Giant', { brandUid: 'Giant west', domains: ['giant-west.com'], mccs: ['5541'], countries: ['us-ca'] }),
  brand('Uber'),
  brand('Uber Eats', { domains: ['ubereats.com'] }),
  brand('DoorDash', { domains: ['doordash.com'] }),
  brand('Chipotle', { domains: ['chipotle.com'], mccs: food }),
  brand('eBay', { domains: ['ebay.com'] }),
  brand('YouTube', { domains: ['youtube.com'] }),
  brand('Microsoft', { domains: ['microsoft.com'] }),
  brand('Hulu', { domains: ['hulu.com'] }),
  brand('Kaufmarkt', { countries: ['de'] }),
  brand('Target', { brandUid: 'Target abroad', domains: ['target.com.au'], countries: ['au'] }),
  brand('Pellworm Ferry Cafe', { domains: [] }),
  brand('Lucky Garden', { domains: [] }),
]

/** Builds the catalog inside the test that needs it, so any error appears in that test. */
export const buildCatalog = (): BrandIndex => buildBrandIndex(known)
