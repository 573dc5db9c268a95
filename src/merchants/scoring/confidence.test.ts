import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brand } from '../../../test/support/brands.ts'
import { lookUp } from '../../platform/sharded-map.ts'
import { type BrandEntry, buildBrandIndex, type Owner } from '../brands/brand-index.ts'
import type { Hit } from '../names/search.ts'
import type { Band, UnmatchedReason } from '../types.ts'
import { automaticFrom, mccFit, reviewFrom, type Support, scoreOwner } from './confidence.ts'
import type { Trailing } from './trailing-text.ts'

// A rule book of how much a found name is worth, one circumstance at a time. Unless a row says otherwise, the whole
// text is the name of a brand known by its website: two words that no other brand uses as a name.

type Given = {
  readonly rest?: Trailing
  readonly risk?: Owner['risk']
  readonly kind?: Owner['kind']
  readonly hit?: Partial<Hit>
  readonly entry?: Partial<BrandEntry & Pick<BrandEntry['market'], 'states'>>
  readonly mccs?: readonly string[]
  readonly support?: Partial<Support>
  readonly atSite?: boolean
}
type Case = readonly [title: string, given: Given, band: Band, reason?: UnmatchedReason]

const names = ['Velmora Fennimore', 'Lucky Garden', ...Array.from({ length: 4 }, (_, at) => `Quorndon ${at}`)]
const nothing: Support = {
  mcc: undefined,
  site: [],
  state: '',
  cleaned: false,
  contradicted: false,
  isAfterUnknownPrefix: false,
  cut: null,
  lastWord: 'fennimore',
  storeNumber: false,
  isDashed: false,
  isPayment: false,
  isEntry: false,
  isSmall: false,
  isCompany: false,
  isAlone: false,
  tradeAfter: '',
}

function judged({ rest = 'end', risk = 'distinct', kind = 'name', hit, entry, mccs = [], support, atSite }: Given) {
  const facts = brand('Velmora Fennimore', { mccs })
  const { states = null, ...more } = entry ?? {}
  const whole: BrandEntry = {
    facts,
    isWellKnown: false,
    isConfirmedBySite: false,
    isNameOnly: false,
    market: { mccs, countries: null, states },
    form: 'velmorafennimore',
    words: ['velmora', 'fennimore'],
    ...more,
  }
  const owner: Owner = { entry: whole, form: whole.form, kind, risk }
  const found: Hit = { owners: [owner], form: whole.form, strategy: 'whole_name', from: 0, to: 2, split: 0, ...hit }
  const around = { ...nothing, ...support, site: atSite ? [whole] : [] }
  const { score, reason } = scoreOwner(buildBrandIndex(names.map((name) => brand(name))), found, owner, rest, around)
  return { band: score >= automaticFrom ? 'automatic' : score >= reviewFrom ? 'review' : 'none', reason }
}

const own = { mccs: ['5411'], support: { mcc: '5411' } } as const
const other = { mccs: ['5411'], support: { mcc: '1711' } } as const
const many = { mccs: Array.from({ length: 13 }, (_, at) => String(5401 + at)), support: { mcc: '5411' } }
const isWellKnown = { isWellKnown: true }
const onlyName = { isNameOnly: true }
const inOhio = { states: new Set(['oh']) }
const lone = { hit: { to: 1, form: 'velmo' } }
const code = { risk: 'word', hit: { to: 1, form: 'bqx' }, entry: { form: 'bqx' } } as const
const unconfirmed = 'name_unconfirmed'

const SUPPORT: readonly Case[] = [
  ['the whole text', {}, 'automatic'],
  ['the brand’s site outweighs a category that is not its own', { ...other, atSite: true }, 'automatic'],
  ['a category that is not its own', other, 'review', 'mcc_conflict'],
  ['and a text that says more', { ...other, rest: 'foreign' }, 'none', 'mcc_conflict'],
  ['and a name of plain words', { ...other, risk: 'phrase' }, 'none', 'mcc_conflict'],
  ['a payment to a shop is for its card', { support: { isPayment: true } }, 'review', 'not_a_purchase'],
  ['a payment to an insurer', { mccs: ['6300'], support: { isPayment: true } }, 'automatic'],
  ['a payment to a cable company', { mccs: ['4899'], support: { isPayment: true } }, 'automatic'],
  ['a payment to a power company', { mccs: ['4900'], support: { isPayment: true } }, 'automatic'],
  ['a payment to a telephone company', { mccs: ['4812'], support: { isPayment: true } }, 'automatic'],
  ['a payment to a network', { mccs: ['4816'], support: { isPayment: true } }, 'automatic'],
  [
    'a payment to who is a bank too',
    { mccs: ['4899', '6050'], support: { isPayment: true } },
    'review',
    'not_a_purchase',
  ],
  [
    'a payment to a store that has a line for telephones',
    { mccs: ['4812', '5311'], support: { isPayment: true } },
    'review',
    'not_a_purchase',
  ],
]

const REST: readonly Case[] = [
  ['another merchant’s words after the name', { rest: 'foreign' }, 'review', unconfirmed],
  ['of a brand known by its name alone', { rest: 'foreign', entry: onlyName }, 'none', unconfirmed],
  ['of plain words', { rest: 'foreign', risk: 'word' }, 'none', unconfirmed],
  ['of plain words and the right category', { rest: 'foreign', risk: 'word', ...own }, 'review', unconfirmed],
  ['a slip of the pen', { hit: { strategy: 'misspelt' } }, 'review', unconfirmed],
  ['a slip of the pen and the right category', { hit: { strategy: 'misspelt' }, ...own }, 'review', unconfirmed],
  ['a name that must be all of the text, and is', { kind: 'exact' }, 'automatic'],
  ['and its number', { kind: 'exact', rest: 'number' }, 'automatic'],
  ['and its place', { kind: 'exact', rest: 'place' }, 'automatic'],
  ['and more', { kind: 'exact', rest: 'open' }, 'review', unconfirmed],
  ['and details', { kind: 'exact', rest: 'detail' }, 'review', unconfirmed],
  ['a distinct name against another that was cleaned', { support: { contradicted: true } }, 'automatic'],
  [
    'plain words against another',
    { risk: 'phrase', rest: 'number', support: { contradicted: true } },
    'review',
    unconfirmed,
  ],
]

const DISTINCT: readonly Case[] = [
  ['more words', { rest: 'open' }, 'automatic'],
  ['more words after one short word', { rest: 'open', ...lone }, 'review', unconfirmed],
  ['after two short words', { rest: 'open', hit: { to: 2, form: 'velmo' } }, 'automatic'],
  ['after one word of six letters', { rest: 'open', hit: { to: 1, form: 'velmor' } }, 'automatic'],
  ['after one short word that half the country knows', { rest: 'open', ...lone, entry: isWellKnown }, 'automatic'],
  ['after one short word, with the right category', { rest: 'open', ...lone, ...own }, 'automatic'],
  ['with a category of a long list', { rest: 'open', ...lone, ...many }, 'review', unconfirmed],
  ['after a stranger’s name', { rest: 'open', support: { isAfterUnknownPrefix: true } }, 'review', unconfirmed],
  ['after a stranger’s name, and nothing more', { support: { isAfterUnknownPrefix: true } }, 'automatic'],
  [
    'one short word in a state where the brand is not',
    { rest: 'place', ...lone, entry: inOhio, support: { state: 'tx' } },
    'review',
    unconfirmed,
  ],
  ['in a state where it is', { rest: 'place', ...lone, entry: inOhio, support: { state: 'oh' } }, 'automatic'],
  ['in a state that is not given', { rest: 'place', ...lone, entry: inOhio }, 'automatic'],
  ['of a brand that is everywhere', { rest: 'place', ...lone, support: { state: 'tx' } }, 'automatic'],
  ['a long name in another state', { rest: 'place', entry: inOhio, support: { state: 'tx' } }, 'automatic'],
  ['one short word alone, and another state', { ...lone, entry: inOhio, support: { state: 'tx' } }, 'automatic'],
]

const SHORTENED: readonly Case[] = [
  ['alone', { kind: 'short' }, 'review', unconfirmed],
  ['with its number', { kind: 'short', rest: 'number' }, 'automatic'],
  ['with a number elsewhere', { kind: 'short', rest: 'place', support: { storeNumber: true } }, 'automatic'],
  ['with the right category', { kind: 'short', ...own }, 'automatic'],
  ['of a well-known brand, alone', { kind: 'short', entry: isWellKnown }, 'automatic'],
  ['of a well-known brand, at a place', { kind: 'short', rest: 'place', entry: isWellKnown }, 'automatic'],
  ['of a well-known brand, with details', { kind: 'short', rest: 'detail', entry: isWellKnown }, 'automatic'],
  [
    'of a well-known brand, with more words',
    { kind: 'short', rest: 'open', entry: isWellKnown },
    'review',
    unconfirmed,
  ],
  ['of a well-known brand, in a town', { kind: 'short', rest: 'town', entry: isWellKnown }, 'review', unconfirmed],
  ['plain words with their number', { kind: 'short', risk: 'phrase', rest: 'number' }, 'automatic'],
  ['one plain word with its number', { kind: 'short', risk: 'word', rest: 'number' }, 'review', unconfirmed],
  [
    'one plain word of a well-known brand with its number',
    { kind: 'short', risk: 'word', rest: 'number', entry: isWellKnown },
    'automatic',
  ],
  [
    'plain words at a place',
    { kind: 'short', risk: 'phrase', rest: 'place', entry: isWellKnown },
    'review',
    unconfirmed,
  ],
]

const PLAIN: readonly Case[] = [
  ['alone', { risk: 'word' }, 'automatic'],
  ['with the right category and more words', { risk: 'word', rest: 'open', ...own }, 'automatic'],
  ['with more words', { risk: 'word', rest: 'open' }, 'none', unconfirmed],
  ['several, with more words', { risk: 'phrase', rest: 'open' }, 'review', unconfirmed],
  ['famous, with more words', { risk: 'word', rest: 'open', entry: isWellKnown }, 'review', unconfirmed],
  [
    'with more words, and a number among them',
    { risk: 'word', rest: 'open', support: { storeNumber: true } },
    'none',
    unconfirmed,
  ],
  ['with its number', { risk: 'word', rest: 'number' }, 'automatic'],
  ['in a town', { risk: 'word', rest: 'town' }, 'none', unconfirmed],
  ['in a town, with a store number', { risk: 'word', rest: 'town', support: { storeNumber: true } }, 'automatic'],
  ['several, in a town', { risk: 'phrase', rest: 'town' }, 'automatic'],
  ['famous, in a town', { risk: 'word', rest: 'town', entry: isWellKnown }, 'automatic'],
  ['with a word and a number', { risk: 'word', rest: 'counted' }, 'review', unconfirmed],
  ['several, with a word and a number', { risk: 'phrase', rest: 'counted' }, 'automatic'],
  [
    'in a state where the brand is not',
    { risk: 'word', rest: 'place', entry: inOhio, support: { state: 'tx' } },
    'review',
    unconfirmed,
  ],
  ['in a state where it is', { risk: 'word', rest: 'place', entry: inOhio, support: { state: 'oh' } }, 'automatic'],
  [
    'famous, in another state',
    { risk: 'word', rest: 'place', entry: { ...inOhio, ...isWellKnown }, support: { state: 'tx' } },
    'automatic',
  ],
  [
    'a cleaned name, in another state',
    { risk: 'word', entry: inOhio, support: { state: 'tx', cleaned: true } },
    'automatic',
  ],
  ['three letters', code, 'automatic'],
  ['three letters before details', { ...code, rest: 'detail' }, 'review', unconfirmed],
  ['four letters before details', { ...code, hit: { to: 1, form: 'bqxz' }, rest: 'detail' }, 'automatic'],
  [
    'three letters after an unknown prefix',
    { ...code, rest: 'number', support: { isAfterUnknownPrefix: true } },
    'review',
    unconfirmed,
  ],
  ['two letters short for a longer name', { risk: 'word', hit: { to: 1, form: 'vf' } }, 'review', unconfirmed],
  ['two letters with their number', { risk: 'word', rest: 'number', hit: { to: 1, form: 'vf' } }, 'automatic'],
  ['two letters that are the name', { risk: 'word', hit: { to: 1, form: 'vf' }, entry: { form: 'vf' } }, 'automatic'],
  ['three letters short for a longer name', { risk: 'word', hit: { to: 1, form: 'vfx' } }, 'automatic'],
]

const TAIL: readonly Case[] = [
  ['alone', { entry: onlyName }, 'review', unconfirmed],
  ['a cleaned name', { entry: onlyName, support: { cleaned: true } }, 'automatic'],
  ['at a place', { entry: onlyName, rest: 'place' }, 'automatic'],
  ['by another name', { entry: onlyName, kind: 'alias', rest: 'place' }, 'automatic'],
  ['spelled otherwise', { entry: onlyName, kind: 'spelling', rest: 'place' }, 'none', unconfirmed],
  ['with its number', { entry: onlyName, rest: 'number' }, 'automatic'],
  ['with a number elsewhere', { entry: onlyName, support: { storeNumber: true } }, 'automatic'],
  ['plain words with a number', { entry: onlyName, risk: 'phrase', rest: 'number' }, 'review', unconfirmed],
  ['plain words at a place', { entry: onlyName, risk: 'phrase', rest: 'place' }, 'review', unconfirmed],
  ['the right category', { entry: onlyName, risk: 'phrase', ...own }, 'automatic'],
  [
    'in another state',
    { entry: { ...onlyName, ...inOhio }, rest: 'number', support: { state: 'tx' } },
    'review',
    unconfirmed,
  ],
  ['with more words', { entry: onlyName, rest: 'open' }, 'none', unconfirmed],
  ['in a town', { entry: onlyName, rest: 'town' }, 'none', unconfirmed],
  ['with a word and a number', { entry: onlyName, rest: 'counted' }, 'none', unconfirmed],
  ['with details', { entry: onlyName, rest: 'detail' }, 'none', unconfirmed],
  ['with more words and the right category', { entry: onlyName, rest: 'open', ...own }, 'review', unconfirmed],
  [
    'words that many are called by',
    { entry: { ...onlyName, facts: brand('Quorndon') }, rest: 'place' },
    'review',
    unconfirmed,
  ],
  [
    'words that are short or plain',
    { entry: { ...onlyName, facts: brand('The Tiv Garden') }, rest: 'place' },
    'review',
    unconfirmed,
  ],
]

const cut = { strategy: 'truncated' } as const
const CUT: readonly Case[] = [
  ['by the length to which networks cut', { hit: cut, support: { cut: 'by length' } }, 'automatic'],
  ['by a number', { hit: cut, rest: 'number', support: { cut: 'by break', lastWord: 'fenn' } }, 'automatic'],
  ['by nothing that shows', { hit: cut }, 'review', unconfirmed],
  ['with more words', { hit: cut, rest: 'open', support: { cut: 'by length' } }, 'review', unconfirmed],
  ['with a word and a number', { hit: cut, rest: 'counted', support: { cut: 'by length' } }, 'review', unconfirmed],
  [
    'the same where half the country pays',
    { entry: { isWellKnown: true }, hit: cut, rest: 'counted', support: { cut: 'by length' } },
    'automatic',
  ],
  [
    'by a till before the place',
    { hit: cut, rest: 'place', support: { cut: 'by till', lastWord: 'fenn' } },
    'automatic',
  ],
  [
    'by a till before the place and a number',
    { hit: cut, rest: 'number', support: { cut: 'by till', lastWord: 'fenn' } },
    'automatic',
  ],
  [
    'by a till before a town',
    { hit: cut, rest: 'town', support: { cut: 'by till', lastWord: 'fenn' } },
    'review',
    unconfirmed,
  ],
  [
    'by a till after a whole word',
    { hit: cut, rest: 'place', support: { cut: 'by till', lastWord: 'velmora' } },
    'review',
    unconfirmed,
  ],
  [
    'after a whole word, rather a shorter name',
    { hit: cut, support: { cut: 'by break', lastWord: 'velmora' } },
    'review',
    unconfirmed,
  ],
  ['after a whole word, by length', { hit: cut, support: { cut: 'by length', lastWord: 'velmora' } }, 'automatic'],
  ['against another name', { hit: cut, support: { cut: 'by length', contradicted: true } }, 'review', unconfirmed],
  [
    'after an unknown prefix',
    { hit: cut, support: { cut: 'by length', isAfterUnknownPrefix: true } },
    'review',
    unconfirmed,
  ],
  ['of one plain word', { hit: cut, risk: 'word', support: { cut: 'by length' } }, 'review', unconfirmed],
  ['of plain words', { hit: cut, risk: 'phrase', support: { cut: 'by length' } }, 'automatic'],
]

for (const [chapter, cases] of Object.entries({
  'what supports a name': SUPPORT,
  'what follows a name': REST,
  'a distinct name': DISTINCT,
  'a shortened name': SHORTENED,
  'plain words or a short name': PLAIN,
  'a brand known by its name alone': TAIL,
  'a name whose end is missing': CUT,
})) {
  for (const [title, given, band, reason = null] of cases) {
    test(`${chapter}: ${title}`, () => {
      assert.deepEqual(judged(given), { band, reason })
    })
  }
}

test('the code of a single airline, car rental or hotel fits every brand of that kind', () => {
  const fit = (known: readonly string[], stated: string | undefined) => {
    const entry = lookUp(buildBrandIndex([brand('x', { mccs: known })]).byUid, 'x')
    return entry === undefined ? null : mccFit(entry, stated)
  }
  const FITS: readonly (readonly [known: string, stated: string, fits: boolean])[] = [
    ['4511', '3000', true],
    ['4511', '3350', true],
    ['4511', '3351', false],
    ['7512', '3351', true],
    ['7512', '3500', true],
    ['7512', '3501', false],
    ['7011', '3501', true],
    ['7011', '3999', true],
    ['7011', '4000', false],
    ['4511', '2999', false],
    ['3001', '4511', true],
    ['3001', '3002', true],
  ]
  for (const [known, stated, fits] of FITS)
    assert.equal(fit(['1', known], stated), fits ? 'agrees' : 'differs', `${stated} of ${known}`)
  assert.deepEqual([fit([], '5411'), fit(['5411'], ''), fit(['5411'], undefined)], ['unknown', 'unknown', 'unknown'])
})
