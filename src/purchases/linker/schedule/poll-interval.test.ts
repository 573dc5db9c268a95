import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '../../../platform/calendar.ts'
import { pollIntervalMs, type Signs } from './poll-interval.ts'

const NOW = new Date('2026-03-20T12:00:00Z')
const hoursAgo = (hours: number): Date => new Date(NOW.getTime() - hours * HOUR_MS)
const well: Signs = { isPolled: false, isComplete: true, heardAt: null, hintedAt: null, isUnannounced: false }
const own: Signs = { ...well, isPolled: true }

const cases: readonly [what: string, signs: Signs, hours: number][] = [
  ['a feed whose webhooks arrive is polled daily', { ...well, heardAt: hoursAgo(30), hintedAt: hoursAgo(30) }, 24],
  ['a feed that never had any rows is polled daily', well, 24],
  [
    'a feed that has gone silent is polled every six hours',
    { ...well, heardAt: hoursAgo(40), hintedAt: hoursAgo(50) },
    6,
  ],
  ['a recent webhook ends the silence', { ...well, heardAt: hoursAgo(100), hintedAt: hoursAgo(2) }, 24],
  ['a rarely used card is polled daily', { ...well, heardAt: hoursAgo(15 * 24) }, 24],
  ['unannounced rows mean that webhooks are being lost', { ...well, heardAt: NOW, isUnannounced: true }, 6],
  ['a feed with an incomplete history is polled hourly', { ...well, isComplete: false, heardAt: NOW }, 1],
  ['a busy item without webhooks is polled every 15 minutes', { ...own, heardAt: NOW }, 0.25],
  ['an item without webhooks is polled less often as it goes silent', { ...own, heardAt: hoursAgo(32) }, 2],
  ['a silent item without webhooks is polled at least every six hours', { ...own, heardAt: hoursAgo(1_000) }, 6],
  ['an item without webhooks that never had rows is polled every six hours', own, 6],
]

for (const [what, signs, hours] of cases)
  test(what, () => {
    assert.equal(pollIntervalMs(signs, NOW, 1) / HOUR_MS, hours)
    // Feeds that were read together, for example after downtime, spread out again.
    assert.equal(pollIntervalMs(signs, NOW, 0) / HOUR_MS, hours * 0.75)
  })
