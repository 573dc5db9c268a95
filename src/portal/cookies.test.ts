import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { findFreePort } from '../../cli/ports.ts'
import { makeCaller, startTestApp } from '../../test/support/app.ts'
import { portalLink } from '../../test/support/portal.ts'

// The service runs behind a proxy that terminates TLS, so the address it listens on is not its public address.
const port = await findFreePort('127.0.0.1', 0)
const own = `http://127.0.0.1:${port}`
const app = await startTestApp({ settings: { LAUREL_BASE_URL: 'https://laurel.example.com', PORT: String(port) } })
after(() => app.close())

test('over HTTPS, a portal stores its session in a cookie that only its own host can set', async () => {
  const { apiKey } = app
  const link = await portalLink({ call: makeCaller(own, apiKey) }, 'ada')
  const base = link.replace(/\/enter\/.*/, '')
  const slug = base.split('/').at(-1)
  const enter = (path: string, embedded: boolean) => {
    const from = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': embedded ? 'iframe' : 'document' }
    return fetch(own + path, { method: 'POST', redirect: 'manual', headers: from })
  }
  const [set = ''] = (await enter(link, false)).headers.getSetCookie()
  assert.match(set, new RegExp(`^__Host-laurel_portal_${slug}=[\\w-]{43}; .*Path=/; .*HttpOnly; Secure; SameSite=Lax$`))
  const again = await portalLink({ call: makeCaller(own, apiKey) }, 'ada')
  assert.match((await enter(again, true)).headers.getSetCookie()[0] ?? '', /^__Host-.*; Path=\/; .*Partitioned/)
  const show = async (cookie: string) =>
    (await fetch(`${own}${base}/terms`, { redirect: 'manual', headers: { cookie } })).status
  const [cookie = ''] = set.split(';')
  const token = cookie.split('=')[1]
  assert.equal(await show(cookie), 200)
  for (const name of ['laurel_portal', `laurel_portal_${slug}`, '__Host-laurel_portal_other'])
    assert.equal(await show(`${name}=${token}`), 401, name)
  const [cleared = ''] = (await fetch(`${own}${base}/deleted`)).headers.getSetCookie()
  assert.match(cleared, new RegExp(`^__Host-laurel_portal_${slug}=; .*Path=/; .*Secure`))
})

test('a form sent from an unencrypted page on the same host is rejected if the service uses HTTPS', async () => {
  const link = await portalLink({ call: makeCaller(own, app.apiKey) }, 'bea')
  const enterFrom = async (origin: string) =>
    (await fetch(own + link, { method: 'POST', redirect: 'manual', headers: { origin } })).status
  assert.equal(await enterFrom(`http://127.0.0.1:${port}`), 409)
  assert.equal(await enterFrom('https://evil.example'), 409)
  assert.equal(await enterFrom(`https://127.0.0.1:${port}`), 303)
})
