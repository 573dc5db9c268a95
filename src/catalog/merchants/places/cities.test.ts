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

test('a city is recognized only in its own state', () => {
  each([
    ['BOISE ID', true, 'a large city'],
    ['WEISER ID', true, 'a small city'],
    ['OAKLAND CA', true, 'a city in another state'],
    ['BOISE CA', false, 'a city of Idaho'],
    ['BOISE XX', false, 'an unknown state'],
    ['ZZYZX ID', false, 'an unknown city'],
    ['ID', false, 'a state is not a city'],
  ])
})

test('abbreviated words in a city name are recognized', () => {
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
    ['FT MYERS BCH FL', true, 'the first and last words'],
    ['FORT MYERS BCH FL', true, 'only the last word'],
    ['FT MYERS BEACH FL', true, 'only the first word'],
    ['LAS N VEGAS NV', false, 'an opening word is shortened only at the start'],
    ['BCHLONG CA', false, 'an ending word is shortened only at the end'],
  ])
})

test('only a separate word of a city name can be abbreviated', () => {
  each([
    ['EASTON CT', true, 'a name that starts with East'],
    ['EON CT', false, 'East is not a separate word of the name'],
    ['S BAY FL', true, 'South is a word, and three letters remain'],
    ['FT IDA AR', false, 'a word other than Mount'],
  ])
})

test('a long city name may be truncated to between nine and thirteen letters', () => {
  each([
    ['SAN FRANC CA', false, 'eight letters'],
    ['SAN FRANCI CA', true, 'nine letters'],
    ['SAN FRANCISC CA', true, 'all but one letter'],
    ['SAN JUAN CAPIST CA', true, 'thirteen letters'],
    ['SAN JUAN CAPISTR CA', false, 'fourteen letters'],
    ['SAN JUAN CAPISTRANO CA', true, 'the whole name'],
    ['N LAS VEGA NV', false, 'eight letters of a shortened name'],
    ['FT LAUDERDA FL', true, 'nine letters of a shortened name'],
    ['SACRAMENT CA', true, 'nine of ten letters'],
  ])
})

test('a larger city is recognized even without its state', () => {
  for (const city of ['boise', 'sacramento', 'northlasvegas']) assert.equal(isCityAnywhere(city), true, city)
  for (const city of ['weiser', 'zzyzx', '', 'nlasvegas', 'sacrament']) assert.equal(isCityAnywhere(city), false, city)
})
