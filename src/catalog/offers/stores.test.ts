import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleStore, makeOffer } from '../../../test/offers/row.ts'
import { toJudged } from './rule-line.ts'
import { storeRule } from './stores.ts'

// The rule book (test/offers) covers the order of evidence. These tests cover which streets match.

const isAt = (listed: string, reported: string): boolean | undefined => {
  const offer = makeOffer({ stores: [{ ...exampleStore, storeNumber: null, streetAddress1: listed }] })
  return toJudged([storeRule(offer, { zipCode: '78701', street: reported })])[0]?.passed
}

const SAME: readonly (readonly [string, string])[] = [
  ['5 Main Street', '5 MAIN ST'],
  ['5 Fifth Avenue', '5 fifth ave'],
  ['5 Mill Road', '5 Mill Rd'],
  ['5 Sunset Boulevard', '5 Sunset Blvd'],
  ['5 Ocean Drive', '5 Ocean Dr'],
  ['5 Penny Lane', '5 Penny Ln'],
  ['5 Elm Court', '5 Elm Ct'],
  ['5 Park Place', '5 Park Pl'],
  ['5 Union Square', '5 Union Sq'],
  ['5 Coast Highway', '5 Coast Hwy'],
  ['5 Garden Parkway', '5 Garden Pkwy'],
  ['5 North Main', '5 N Main'],
  ['5 South Main', '5 S. Main'],
  ['5 East Main', '5 E Main'],
  ['5 West Main', '5 W Main,'],
  ['5-7 Main', '5 7  Main'],
  ['#5 Main', '5 Main'],
]

for (const [listed, reported] of SAME) {
  test(`${listed} equals ${reported}`, () => {
    assert.deepEqual([isAt(listed, reported), isAt(reported, listed)], [true, true])
  })
}

const OTHER: readonly (readonly [string, string])[] = [
  ['5 1st Street', '51 st Street'],
  ['5 North Main', '5 South Main'],
  ['5 East Main', '5 West Main'],
  ['5 Main Street', '5 Main Road'],
  ['5-7 Main', '57 Main'],
]

for (const [listed, reported] of OTHER) {
  test(`${listed} differs from ${reported}`, () => {
    assert.deepEqual([isAt(listed, reported), isAt(reported, listed)], [false, false])
  })
}
