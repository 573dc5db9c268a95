import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brand } from '../../../../test/support/brands.ts'
import { lookUp } from '../../../platform/sharded-map.ts'
import { type BrandEntry, buildBrandIndex, type Owner } from '../brands/brand-index.ts'
import type { Hit } from '../search.ts'
import type { Band, UnmatchedReason } from '../types.ts'
import { automaticFrom, compareMcc, reviewFrom, type Support, scoreOwner } from './confidence.ts'
import type { Trailing } from './trailing-text.ts'

// A rule book for scoring a name once it is found, one circumstance at a time. Unless a row says otherwise, the whole
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
  ['the name is the whole text', {}, 'automatic'],
  ['the brand’s website outweighs a conflicting category', { ...other, atSite: true }, 'automatic'],
  ['a conflicting category', other, 'review', 'mcc_conflict'],
  ['a conflicting category and foreign text', { ...other, rest: 'foreign' }, 'none', 'mcc_conflict'],
  ['a conflicting category and a name of plain words', { ...other, risk: 'phrase' }, 'none', 'mcc_conflict'],
  ['a payment to a store is for its card', { support: { isPayment: true } }, 'review', 'not_a_purchase'],
  ['a payment to an insurer', { mccs: ['6300'], support: { isPayment: true } }, 'automatic'],
  ['a payment to a cable company', { mccs: ['4899'], support: { isPayment: true } }, 'automatic'],
  ['a payment to a power company', { mccs: ['4900'], support: { isPayment: true } }, 'automatic'],
  ['a payment to a phone company', { mccs: ['4812'], support: { isPayment: true } }, 'automatic'],
  ['a payment to a network operator', { mccs: ['4816'], support: { isPayment: true } }, 'automatic'],
  [
    'a payment to a company that is also a bank',
    { mccs: ['4899', '6050'], support: { isPayment: true } },
    'review',
    'not_a_purchase',
  ],
  [
    'a payment to a store that also sells phone plans',
    { mccs: ['4812', '5311'], support: { isPayment: true } },
    'review',
    'not_a_purchase',
  ],
]

const REST: readonly Case[] = [
  ['another merchant’s words after the name', { rest: 'foreign' }, 'review', unconfirmed],
  [
    'another merchant’s words, for a brand known only by name',
    { rest: 'foreign', entry: onlyName },
    'none',
    unconfirmed,
  ],
  ['another merchant’s words after plain words', { rest: 'foreign', risk: 'word' }, 'none', unconfirmed],
  [
    'another merchant’s words after plain words, in the right category',
    { rest: 'foreign', risk: 'word', ...own },
    'review',
    unconfirmed,
  ],
  ['a misspelling', { hit: { strategy: 'misspelt' } }, 'review', unconfirmed],
  ['a misspelling in the right category', { hit: { strategy: 'misspelt' }, ...own }, 'review', unconfirmed],
  ['an exact-only name that is the whole text', { kind: 'exact' }, 'automatic'],
  ['an exact-only name and a store number', { kind: 'exact', rest: 'number' }, 'automatic'],
  ['an exact-only name and a place', { kind: 'exact', rest: 'place' }, 'automatic'],
  ['an exact-only name and more words', { kind: 'exact', rest: 'open' }, 'review', unconfirmed],
  ['an exact-only name and details', { kind: 'exact', rest: 'detail' }, 'review', unconfirmed],
  ['a distinct name contradicted by the cleaned name', { support: { contradicted: true } }, 'automatic'],
  [
    'plain words contradicted by the cleaned name',
    { risk: 'phrase', rest: 'number', support: { contradicted: true } },
    'review',
    unconfirmed,
  ],
]

const DISTINCT: readonly Case[] = [
  ['followed by more words', { rest: 'open' }, 'automatic'],
  ['one short word followed by more words', { rest: 'open', ...lone }, 'review', unconfirmed],
  ['two short words followed by more words', { rest: 'open', hit: { to: 2, form: 'velmo' } }, 'automatic'],
  ['one six-letter word followed by more words', { rest: 'open', hit: { to: 1, form: 'velmor' } }, 'automatic'],
  ['one short, well-known word followed by more words', { rest: 'open', ...lone, entry: isWellKnown }, 'automatic'],
  ['one short word followed by more words, in the right category', { rest: 'open', ...lone, ...own }, 'automatic'],
  [
    'one short word followed by more words, for a brand with many categories',
    { rest: 'open', ...lone, ...many },
    'review',
    unconfirmed,
  ],
  [
    'after an unknown prefix, followed by more words',
    { rest: 'open', support: { isAfterUnknownPrefix: true } },
    'review',
    unconfirmed,
  ],
  ['after an unknown prefix, with nothing else', { support: { isAfterUnknownPrefix: true } }, 'automatic'],
  [
    'one short word in a state without the brand',
    { rest: 'place', ...lone, entry: inOhio, support: { state: 'tx' } },
    'review',
    unconfirmed,
  ],
  [
    'one short word in the brand’s state',
    { rest: 'place', ...lone, entry: inOhio, support: { state: 'oh' } },
    'automatic',
  ],
  ['one short word in an unknown state', { rest: 'place', ...lone, entry: inOhio }, 'automatic'],
  ['one short word of a brand in all states', { rest: 'place', ...lone, support: { state: 'tx' } }, 'automatic'],
  ['a long name in another state', { rest: 'place', entry: inOhio, support: { state: 'tx' } }, 'automatic'],
  ['one short word by itself, in another state', { ...lone, entry: inOhio, support: { state: 'tx' } }, 'automatic'],
]

const SHORTENED: readonly Case[] = [
  ['by itself', { kind: 'short' }, 'review', unconfirmed],
  ['with its store number', { kind: 'short', rest: 'number' }, 'automatic'],
  ['with a store number elsewhere', { kind: 'short', rest: 'place', support: { storeNumber: true } }, 'automatic'],
  ['with the right category', { kind: 'short', ...own }, 'automatic'],
  ['of a well-known brand, by itself', { kind: 'short', entry: isWellKnown }, 'automatic'],
  ['of a well-known brand, at a place', { kind: 'short', rest: 'place', entry: isWellKnown }, 'automatic'],
  ['of a well-known brand, with details', { kind: 'short', rest: 'detail', entry: isWellKnown }, 'automatic'],
  [
    'of a well-known brand, with more words',
    { kind: 'short', rest: 'open', entry: isWellKnown },
    'review',
    unconfirmed,
  ],
  ['of a well-known brand, in a town', { kind: 'short', rest: 'town', entry: isWellKnown }, 'review', unconfirmed],
  ['plain words with a store number', { kind: 'short', risk: 'phrase', rest: 'number' }, 'automatic'],
  ['one plain word with a store number', { kind: 'short', risk: 'word', rest: 'number' }, 'review', unconfirmed],
  [
    'one plain word of a well-known brand with a store number',
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
  ['by itself', { risk: 'word' }, 'automatic'],
  ['with more words, in the right category', { risk: 'word', rest: 'open', ...own }, 'automatic'],
  ['with more words', { risk: 'word', rest: 'open' }, 'none', unconfirmed],
  ['several plain words with more words', { risk: 'phrase', rest: 'open' }, 'review', unconfirmed],
  ['well-known, with more words', { risk: 'word', rest: 'open', entry: isWellKnown }, 'review', unconfirmed],
  [
    'with more words that include a number',
    { risk: 'word', rest: 'open', support: { storeNumber: true } },
    'none',
    unconfirmed,
  ],
  ['with its store number', { risk: 'word', rest: 'number' }, 'automatic'],
  ['in a city', { risk: 'word', rest: 'town' }, 'none', unconfirmed],
  ['in a city, with a store number', { risk: 'word', rest: 'town', support: { storeNumber: true } }, 'automatic'],
  ['several plain words in a city', { risk: 'phrase', rest: 'town' }, 'automatic'],
  ['well-known, in a city', { risk: 'word', rest: 'town', entry: isWellKnown }, 'automatic'],
  ['with a word and a number', { risk: 'word', rest: 'counted' }, 'review', unconfirmed],
  ['several plain words with a word and a number', { risk: 'phrase', rest: 'counted' }, 'automatic'],
  [
    'in a state without the brand',
    { risk: 'word', rest: 'place', entry: inOhio, support: { state: 'tx' } },
    'review',
    unconfirmed,
  ],
  ['in the brand’s state', { risk: 'word', rest: 'place', entry: inOhio, support: { state: 'oh' } }, 'automatic'],
  [
    'well-known, in another state',
    { risk: 'word', rest: 'place', entry: { ...inOhio, ...isWellKnown }, support: { state: 'tx' } },
    'automatic',
  ],
  [
    'a cleaned name in another state',
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
  ['two letters that abbreviate a longer name', { risk: 'word', hit: { to: 1, form: 'vf' } }, 'review', unconfirmed],
  ['two letters with a store number', { risk: 'word', rest: 'number', hit: { to: 1, form: 'vf' } }, 'automatic'],
  [
    'two letters that are the whole name',
    { risk: 'word', hit: { to: 1, form: 'vf' }, entry: { form: 'vf' } },
    'automatic',
  ],
  ['three letters that abbreviate a longer name', { risk: 'word', hit: { to: 1, form: 'vfx' } }, 'automatic'],
]

const TAIL: readonly Case[] = [
  ['by itself', { entry: onlyName }, 'review', unconfirmed],
  ['a cleaned name', { entry: onlyName, support: { cleaned: true } }, 'automatic'],
  ['at a place', { entry: onlyName, rest: 'place' }, 'automatic'],
  ['by an alias', { entry: onlyName, kind: 'alias', rest: 'place' }, 'automatic'],
  ['by a known spelling', { entry: onlyName, kind: 'spelling', rest: 'place' }, 'none', unconfirmed],
  ['with its store number', { entry: onlyName, rest: 'number' }, 'automatic'],
  ['with a store number elsewhere', { entry: onlyName, support: { storeNumber: true } }, 'automatic'],
  ['plain words with a store number', { entry: onlyName, risk: 'phrase', rest: 'number' }, 'review', unconfirmed],
  ['plain words at a place', { entry: onlyName, risk: 'phrase', rest: 'place' }, 'review', unconfirmed],
  ['plain words in the right category', { entry: onlyName, risk: 'phrase', ...own }, 'automatic'],
  [
    'in another state',
    { entry: { ...onlyName, ...inOhio }, rest: 'number', support: { state: 'tx' } },
    'review',
    unconfirmed,
  ],
  ['with more words', { entry: onlyName, rest: 'open' }, 'none', unconfirmed],
  ['in a city', { entry: onlyName, rest: 'town' }, 'none', unconfirmed],
  ['with a word and a number', { entry: onlyName, rest: 'counted' }, 'none', unconfirmed],
  ['with details', { entry: onlyName, rest: 'detail' }, 'none', unconfirmed],
  ['with more words, in the right category', { entry: onlyName, rest: 'open', ...own }, 'review', unconfirmed],
  [
    'words that many brands share',
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
  ['at the networks’ length limit', { hit: cut, support: { cut: 'by length' } }, 'automatic'],
  ['before a number', { hit: cut, rest: 'number', support: { cut: 'by break', lastWord: 'fenn' } }, 'automatic'],
  ['without a visible cause', { hit: cut }, 'review', unconfirmed],
  ['with more words', { hit: cut, rest: 'open', support: { cut: 'by length' } }, 'review', unconfirmed],
  ['with a word and a number', { hit: cut, rest: 'counted', support: { cut: 'by length' } }, 'review', unconfirmed],
  [
    'of a well-known brand, with a word and a number',
    { entry: { isWellKnown: true }, hit: cut, rest: 'counted', support: { cut: 'by length' } },
    'automatic',
  ],
  [
    'by a till, before a place',
    { hit: cut, rest: 'place', support: { cut: 'by till', lastWord: 'fenn' } },
    'automatic',
  ],
  [
    'by a till, before a place and a number',
    { hit: cut, rest: 'number', support: { cut: 'by till', lastWord: 'fenn' } },
    'automatic',
  ],
  [
    'by a till, before a city',
    { hit: cut, rest: 'town', support: { cut: 'by till', lastWord: 'fenn' } },
    'review',
    unconfirmed,
  ],
  [
    'by a till, after a whole word',
    { hit: cut, rest: 'place', support: { cut: 'by till', lastWord: 'velmora' } },
    'review',
    unconfirmed,
  ],
  [
    'after a whole word, more likely a shorter name',
    { hit: cut, support: { cut: 'by break', lastWord: 'velmora' } },
    'review',
    unconfirmed,
  ],
  [
    'after a whole word, at the length limit',
    { hit: cut, support: { cut: 'by length', lastWord: 'velmora' } },
    'automatic',
  ],
  [
    'contradicted by the cleaned name',
    { hit: cut, support: { cut: 'by length', contradicted: true } },
    'review',
    unconfirmed,
  ],
  [
    'after an unknown prefix',
    { hit: cut, support: { cut: 'by length', isAfterUnknownPrefix: true } },
    'review',
    unconfirmed,
  ],
  ['of one plain word', { hit: cut, risk: 'word', support: { cut: 'by length' } }, 'review', unconfirmed],
  ['of several plain words', { hit: cut, risk: 'phrase', support: { cut: 'by length' } }, 'automatic'],
]

for (const [chapter, cases] of Object.entries({
  'support for a name': SUPPORT,
  'text after a name': REST,
  'a distinct name': DISTINCT,
  'a shortened name': SHORTENED,
  'plain words or a short name': PLAIN,
  'a brand known only by name': TAIL,
  'a truncated name': CUT,
})) {
  for (const [title, given, band, reason = null] of cases) {
    test(`${chapter}: ${title}`, () => {
      assert.deepEqual(judged(given), { band, reason })
    })
  }
}

test('the code of an individual airline, car rental company or hotel fits every brand of that kind', () => {
  const fit = (known: readonly string[], stated: string | undefined) => {
    const entry = lookUp(buildBrandIndex([brand('x', { mccs: known })]).byUid, 'x')
    return entry === undefined ? null : compareMcc(entry, stated)
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
