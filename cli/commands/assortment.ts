import type { Command } from 'commander'
import {
  type AssortmentContent,
  type CarriageMode,
  changeCarriage,
  changeSplit,
  changeWording,
  presentAssortment,
  readAssortment,
  readAssortmentContent,
  readSubjectNames,
  saveAssortment,
} from '../../src/catalog/catalog/index.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { Problem } from '../../src/platform/http/index.ts'
import type { PublisherId } from '../../src/platform/ids.ts'
import { ppmToPercent } from '../../src/platform/money.ts'
import type { By } from '../actor.ts'
import { defineChange } from '../define.ts'
import { UserError } from '../errors.ts'
import { readText } from '../files.ts'
import { readPercent, readPublisherId, usage } from '../options.ts'
import { withChanges } from '../storage.ts'
import { answer, answerJson, formatTable, shorten } from '../terminal.ts'

export function assortmentCommands(publishers: Command): void {
  defineChange(
    publishers,
    'assortment',
    'show which brands and offers a publisher carries, with terms, wording and order',
  )
    .argument('<id>', 'the publisher (pub_…)', readPublisherId)
    .option('--file <file>', 'first replace it with this JSON file, in the format of --json')
    .action(show)
  defineChange(
    publishers,
    'carry',
    "change what a publisher carries; an offer's setting overrides its brand's, and a brand's overrides its " +
      "category's",
  )
    .argument('<id>', 'the publisher (pub_…)', readPublisherId)
    .option('--all', 'carry everything and remove all individual settings')
    .option('--only [brands...]', 'carry only these and remove all earlier settings')
    .option('--with [brands...]', 'carry these too')
    .option('--without [brands...]', 'do not carry these')
    .option('--forget [brands...]', 'remove the settings for these, so that they follow their brand or category')
    .option('--category <ids...>', 'apply to these categories')
    .option('--offer <uids...>', 'apply to these offers')
    .action(carry)
  defineChange(publishers, 'split', 'change the shares of the publisher and the service for brands or offers')
    .argument('<id>', 'the publisher (pub_…)', readPublisherId)
    .option('--brand <uids...>', 'for all offers of these brands without their own setting')
    .option('--offer <uids...>', 'for these offers')
    .option('--fee <percent>', "the service's share", readPercent)
    .option('--share <percent>', "the publisher's share", readPercent)
    .option('--agreed', 'remove the setting: brands follow the agreement, offers follow their brand')
    .action(split)
  defineChange(publishers, 'wording', "set the publisher's own description of an offer")
    .argument('<id>', 'the publisher (pub_…)', readPublisherId)
    .argument('[text]', 'the description; default: the one in the catalog')
    .requiredOption('--offer <uid>', 'the offer')
    .action(word)
  defineChange(publishers, 'category-order', 'change the order in which categories are listed')
    .argument('<id>', 'the publisher (pub_…)', readPublisherId)
    .argument('[ids]', 'category ids, such as 3,1,2; the others follow; default: the order of the catalog')
    .action(order)
}

/** Options shared by all of these commands. */
type Common = By & { readonly json?: true }

async function show(id: PublisherId, { file, ...common }: Common & { readonly file?: string }): Promise<void> {
  if (file === undefined) return saveAndShow(id, common, null)
  const read = await readFile(file)
  await saveAndShow(id, common, () => read)
}

async function readFile(file: string): Promise<AssortmentContent> {
  const text = await readText(file)
  try {
    return checked(JSON.parse(text))
  } catch (error) {
    throw error instanceof SyntaxError ? new UserError(`${file} is not valid JSON.`) : error
  }
}

/** @throws UserError that lists each invalid field */
function checked(value: unknown): AssortmentContent {
  try {
    return readAssortment(value)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const details = (error.errors ?? []).map(({ field, message }) => `${field}: ${message}`)
    throw new UserError('Nothing was changed: this is not a valid assortment.', { details })
  }
}

const MODES = ['all', 'only', 'with', 'without', 'forget'] as const
type Carry = Common &
  Partial<Readonly<Record<CarriageMode, true | readonly string[]>>> & {
    readonly category?: readonly string[]
    readonly offer?: readonly string[]
  }

async function carry(id: PublisherId, { by, json, ...given }: Carry): Promise<void> {
  const [mode, ...others] = MODES.filter((one) => given[one] !== undefined)
  if (mode === undefined || others.length > 0)
    throw usage('Specify one of --all, --only, --with, --without or --forget.')
  const brands = given[mode]
  const named = {
    brandUids: brands === true || brands === undefined ? [] : brands,
    categoryIds: (given.category ?? []).flatMap(readCategories),
    offerUids: given.offer ?? [],
  }
  const isEmpty = Object.values(named).every((list) => list.length === 0)
  if (isEmpty !== (mode === 'all'))
    throw usage(
      isEmpty
        ? 'Specify at least one brand, --category or --offer.'
        : '--all cannot be combined with brands, categories or offers.',
    )
  await saveAndShow(id, { by, json }, (content) => changeCarriage(content, mode, named))
}

type SplitOptions = Common & {
  readonly brand?: readonly string[]
  readonly offer?: readonly string[]
  readonly fee?: number
  readonly share?: number
  readonly agreed?: true
}

async function split(
  id: PublisherId,
  { by, json, brand = [], offer = [], fee, share, agreed }: SplitOptions,
): Promise<void> {
  if (brand.length + offer.length === 0) throw usage('Specify at least one --brand or --offer.')
  const isGiven = fee !== undefined && share !== undefined
  if (isGiven === (agreed === true) || (agreed === true && (fee ?? share) !== undefined))
    throw usage('Specify --fee and --share, or --agreed.')
  if (isGiven && fee + share > 1_000_000)
    throw usage('Fee and share must each be from 0% to 100% and add up to at most 100%.')
  const terms = isGiven ? { feePpm: fee, sharePpm: share } : null
  await saveAndShow(id, { by, json }, (content) => changeSplit(content, { brandUids: brand, offerUids: offer }, terms))
}

async function word(
  id: PublisherId,
  text: string | undefined,
  { by, json, offer }: Common & { readonly offer: string },
) {
  await saveAndShow(id, { by, json }, (content) => changeWording(content, offer, text ?? null))
}

async function order(id: PublisherId, ids: string | undefined, { by, json }: Common): Promise<void> {
  const categoryOrder = ids === undefined ? [] : readCategories(ids)
  await saveAndShow(id, { by, json }, (content) => ({ ...content, categoryOrder }))
}

function readCategories(text: string): number[] {
  return text.split(',').map((one) => {
    if (!/^[1-9]\d{0,8}$/.test(one.trim())) throw usage(`"${text}" must be category ids, such as 3,1,2.`)
    return Number(one)
  })
}

/** Saves the change, if any, and prints the resulting assortment. */
async function saveAndShow(
  publisherId: PublisherId,
  { by, json }: { readonly by?: string | undefined; readonly json?: true | undefined },
  change: ((content: AssortmentContent) => AssortmentContent) | null,
): Promise<void> {
  const { content, names } = await withChanges(by, null, async ({ db }, actor) => {
    if (change !== null) {
      // Validates the result by the same rules as files and operator requests.
      const lawful = (before: AssortmentContent) => checked(presentAssortment(change(before)))
      const asked = { publisherId, change: lawful, by: actor }
      await db.transaction((tx) => saveAssortment(tx, asked, systemClock.now()))
    }
    const saved = await readAssortmentContent(db.reader, publisherId)
    return { content: saved, names: await readSubjectNames(db.reader, saved) }
  })
  if (json) return answerJson(presentAssortment(content))
  const namesByKey = new Map(names.map(({ kind, id: subject, name }) => [`${kind} ${subject}`, name ?? '']))
  for (const line of formatLines(content, namesByKey)) answer(line)
}

const NAME_WIDTH = 30
const WORDING_WIDTH = 60

function formatLines(content: AssortmentContent, namesByKey: ReadonlyMap<string, string>): string[] {
  const { carriesOthers, categories, brands, offers, categoryOrder } = content
  const about = (kind: string, id: string): string[] => [
    kind,
    id,
    shorten(namesByKey.get(`${kind} ${id}`) ?? '', NAME_WIDTH),
  ]
  const formatEntries = (kind: string, said: AssortmentContent['brands' | 'categories']): string[][] =>
    [...said].map(([id, { carried, split: terms, wording }]) => [
      ...about(kind, String(id)),
      carried === null ? '' : carriedText(carried),
      ...(terms === null ? ['', ''] : [terms.feePpm, terms.sharePpm].map((ppm) => `${ppmToPercent(ppm)}%`)),
      shorten((wording ?? '').replaceAll(/\s+/g, ' '), WORDING_WIDTH),
    ])
  const rows = [
    ...formatEntries('category', categories),
    ...formatEntries('brand', brands),
    ...formatEntries('offer', offers),
  ]
  const first = carriesOthers ? 'Carries everything' : 'Carries nothing'
  const order = categoryOrder.map((id) => `${id} ${namesByKey.get(`category ${id}`) ?? ''}`.trim())
  return [
    rows.length === 0 ? `${first}.` : `${first} except as listed below.`,
    ...(rows.length === 0 ? [] : formatTable(COLUMNS, rows)),
    order.length === 0
      ? 'Categories are listed as in the catalog.'
      : `Categories are listed in this order: ${order.join(', ')}.`,
  ]
}

const COLUMNS = ['of', 'id', 'name', 'carried', '>fee', '>share', 'wording'] as const

function carriedText(carried: boolean): string {
  return carried ? 'yes' : 'no'
}
