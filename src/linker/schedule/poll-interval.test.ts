import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '../../platform/calendar.ts'
import { pollIntervalMs, type Signs } from './poll-interval.ts'

const NOW = new Date('2026-03-20T12:00:00Z')
const hoursAgo = (hours: number): Date => new Date(NOW.getTime() - hours * HOUR_MS)
const well: Signs = { isPolled: false, isComplete: true, heardAt: null, hintedAt: null, isUnannounced: false }
const own: Signs = { ...well, isPolled: true }

const cases: readonly [what: string, signs: Signs, hours: number][] = [
  ['a feed whose webhooks come is polled daily', { ...well, heardAt: hoursAgo(30), hintedAt: hoursAgo(30) }, 24],
  ['one that never brought anything, too', well, 24],
  ['one that fell silent is polled sooner', { ...well, heardAt: hoursAgo(40), hintedAt: hoursAgo(50) }, 6],
  ['a webhook breaks the silence', { ...well, heardAt: hoursAgo(100), hintedAt: hoursAgo(2) }, 24],
  ['a card that is hardly used is polled once a day', { ...well, heardAt: hoursAgo(15 * 24) }, 24],
  ['what came without a webhook shows that they are lost', { ...well, heardAt: NOW, isUnannounced: true }, 6],
  ['a past that is not all collected is looked for', { ...well, isComplete: false, heardAt: NOW }, 1],
  ['an item without webhooks is polled every 15 minutes while it is busy', { ...own, heardAt: NOW }, 0.25],
  ['then ever more seldom', { ...own, heardAt: hoursAgo(32) }, 2],
  ['but at least every six hours', { ...own, heardAt: hoursAgo(1_000) }, 6],
  ['also one that never brought anything', own, 6],
]

for (const [what, signs, hours] of cases)
  test(what, () => {
    assert.equal(pollIntervalMs(signs, NOW, 1) / HOUR_MS, hours)
    // Feeds that were read together, for example after downtime, spread out again.
    assert.equal(pollIntervalMs(signs, NOW, 0) / HOUR_MS, hours * 0.75)
  })
