import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCityAnywhere, isCityIn } from './cities.ts'

// Cities as printed on statements, without spaces, followed by the state.

type Row = readonly [printed: string, is: boolean, why: string]

function each(rows: readonly Row[]): void {
  for (const [printed, is, why] of rows) {
    const words = printed.toLowerCase().split(' ')
    assert.equal(isCityIn(words.at(-1) ?? '', words.slice(0, -1).join('')), is, `${printed}: ${why}`)
  }
}

test('a city belongs to its own state', () => {
  each([
    ['BOISE ID', true, 'a large one'],
    ['WEISER ID', true, 'a small one'],
    ['OAKLAND CA', true, 'another state'],
    ['BOISE CA', false, 'it lies in Idaho'],
    ['BOISE XX', false, 'no such state'],
    ['ZZYZX ID', false, 'no such city'],
    ['ID', false, 'a state alone is no city'],
  ])
})

test('words of a city name are shortened', () => {
  each([
    ['ST PAUL MN', true, 'Saint'],
    ['FT WAYNE IN', true, 'Fort'],
    ['MT VERNON NY', true, 'Mount'],
    ['N LAS VEGAS NV', true, 'North'],
    ['S BEND IN', true, 'South'],
    ['SO BEND IN', true, 'South'],
    ['E LANSING MI', true, 'East'],
    ['W COVINA CA', true, 'West'],
    ['LONG BCH CA', true, 'Beach'],
    ['PALM SPGS CA', true, 'Springs'],
    ['PALM SPG CA', true, 'Springs'],
    ['PALM SPRGS CA', true, 'Springs'],
    ['CITRUS HTS CA', true, 'Heights'],
    ['CITRUS HGTS CA', true, 'Heights'],
    ['CITRUS HT CA', true, 'Heights'],
    ['CULVER CTY CA', true, 'City'],
    ['CULVER CIT CA', true, 'City'],
    ['INCLINE VLG NV', true, 'Village'],
    ['INCLINE VILL NV', true, 'Village'],
    ['MENLO PK CA', true, 'Park'],
    ['SIMI VLY CA', true, 'Valley'],
    ['GRAND JCT CO', true, 'Junction'],
    ['VALLEY CTR CA', true, 'Center'],
    ['GARDEN GRV CA', true, 'Grove'],
    ['ROCK IS IL', true, 'Island'],
    ['ROCK ISL IL', true, 'Island'],
    ['CLINTON TWP MI', true, 'Township'],
    ['FT MYERS BCH FL', true, 'both ends'],
    ['FORT MYERS BCH FL', true, 'the end alone'],
    ['FT MYERS BEACH FL', true, 'the beginning alone'],
    ['LAS N VEGAS NV', false, 'a shortened word is one of the beginning'],
    ['BCHLONG CA', false, 'or one of the end'],
  ])
})

test('a short name has no word to shorten', () => {
  each([
    ['EASTON CT', true, 'its own name'],
    ['EON CT', false, 'East is no word of it'],
    ['S BAY FL', true, 'South is a word, three letters are left'],
    ['FT IDA AR', false, 'another word than Mount'],
  ])
})

test('a long name may be cut off at nine to thirteen letters', () => {
  each([
    ['SAN FRANC CA', false, 'eight letters'],
    ['SAN FRANCI CA', true, 'nine'],
    ['SAN FRANCISC CA', true, 'all but one'],
    ['SAN JUAN CAPIST CA', true, 'thirteen'],
    ['SAN JUAN CAPISTR CA', false, 'fourteen'],
    ['SAN JUAN CAPISTRANO CA', true, 'all of it'],
    ['N LAS VEGA NV', false, 'of a shortened name eight letters'],
    ['FT LAUDERDA FL', true, 'of a shortened name nine letters'],
    ['SACRAMENT CA', true, 'nine of ten'],
  ])
})

test('a larger city is recognized without its state', () => {
  for (const city of ['boise', 'sacramento', 'northlasvegas']) assert.equal(isCityAnywhere(city), true, city)
  for (const city of ['weiser', 'zzyzx', '', 'nlasvegas', 'sacrament']) assert.equal(isCityAnywhere(city), false, city)
})
