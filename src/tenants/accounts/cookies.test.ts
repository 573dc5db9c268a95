import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { findFreePort } from '../../../cli/ports.ts'
import { makeCaller, startTestApp } from '../../../test/support/app.ts'
import { encodeId } from '../../platform/ids.ts'
import { toLocalActor } from './actor.ts'
import { linkForFirstAdmin } from './people.ts'

// The service runs behind a proxy that terminates TLS, so the address it listens on is not its public address.
const port = await findFreePort('127.0.0.1', 0)
const settings = { LAUREL_BASE_URL: 'https://laurel.example.com', PORT: String(port) }
const app = await startTestApp({ settings })
after(() => app.close())

test("only the console's own host can set the console session cookie over HTTPS", async () => {
  const { db } = app.service
  const ask = makeCaller(`http://127.0.0.1:${port}`, null)
  const token = await db.transaction((tx) =>
    linkForFirstAdmin(tx, 'admin@laurel.localhost', toLocalActor('tests'), new Date()),
  )
  const entered = await ask('POST', '/accounts/enter', { token })
  assert.equal(entered.status, 200, JSON.stringify(entered.body))
  const set = entered.headers.getSetCookie().find((one) => one.includes('laurel_console')) ?? ''
  assert.match(set, /^__Host-laurel_console=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  const [cookie = ''] = set.split(';')
  const acting = { 'laurel-publisher': encodeId('pub', app.publisher.id) }
  for (const path of ['/accounts/me', '/operator/me', '/publishers/me']) {
    assert.equal((await ask('GET', path, undefined, { cookie, ...acting })).status, 200, path)
    const planted = cookie.replace('__Host-', '')
    assert.equal((await ask('GET', path, undefined, { cookie: planted, ...acting })).status, 401, path)
  }
})
