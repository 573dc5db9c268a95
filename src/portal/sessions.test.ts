import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startTestApp } from '../../test/support/app.ts'
import { enterActive } from '../../test/support/portal.ts'

// The clock is fixed so that no rate limit refills during a test.
const clock = { now: () => new Date('2026-11-21T10:00:00Z') }
const app = await startTestApp({ clock, settings: { LAUREL_STRANGER_CALLS_PER_SECOND: '1' } })
const { url } = app.service
after(() => app.close())

const AT_ONCE = 40

test('sessions are rate-limited per user; other requests, even with a guessed token, per network', async () => {
  const ada = await enterActive(app, app, 'ada')
  const adaElsewhere = await enterActive(app, app, 'ada')
  const bob = await enterActive(app, app, 'bob')
  assert.equal((await bob.browser('GET', ada.base)).status, 200)
  const stranger = (cookie: string) => fetch(url + ada.base, { headers: { cookie } })
  const statuses = new Set<number>()
  for (let nth = 0; nth < AT_ONCE; nth++)
    statuses.add((await stranger(nth % 2 === 0 ? '' : `laurel_portal=${'A'.repeat(42)}${nth % 10}`)).status)
  assert.deepEqual([...statuses], [401, 429], 'together with entering, the network has used up its share')
  assert.equal((await stranger('')).status, 429)
  assert.equal((await bob.browser('GET', bob.base)).status, 200, 'a session is not slowed down by its network')
  let answered = 0
  for (let nth = 0; nth < AT_ONCE; nth++) if ((await ada.browser('GET', ada.base)).status === 200) answered++
  assert.ok(answered >= AT_ONCE - 3 && answered < AT_ONCE, `a user has their own share: ${answered}`)
  assert.equal((await adaElsewhere.browser('GET', ada.base)).status, 429, 'which another session does not add to')
  assert.equal((await bob.browser('GET', bob.base)).status, 200, 'and takes nothing from the next')
  assert.equal((await bob.browser('POST', `${bob.base}/sign-out`, {})).status, 303)
  assert.equal((await bob.browser('GET', bob.base)).status, 429, 'a session that has ended is a stranger')
})
