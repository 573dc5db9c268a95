import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findStanding } from '../console/src/pages/terms/standing.ts'

test('a terms revision is required until a later one in its series is', () => {
  const revision = (publisher_id: string | null, day: string) => ({ publisher_id, required_from: `${day}T00:00:00Z` })
  const all = [
    revision(null, '2026-01-01'),
    revision('pub_a', '2026-02-01'),
    revision(null, '2026-03-01'),
    revision(null, '2026-06-01'),
  ]
  const standings = (day: string) => all.map((one) => findStanding(one, all, Date.parse(`${day}T00:00:00Z`)))
  assert.deepEqual(standings('2026-01-15'), ['required', 'announced', 'announced', 'announced'])
  assert.deepEqual(standings('2026-04-01'), ['superseded', 'required', 'required', 'announced'])
  assert.deepEqual(standings('2026-06-01'), ['superseded', 'required', 'superseded', 'required'])
})
