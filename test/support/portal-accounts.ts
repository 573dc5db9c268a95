import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Tenant, TestApp } from './app.ts'
import { eventually } from './eventually.ts'
import { type Browser, enterActive, openBrowser } from './portal.ts'

/** A user with a portal account, and the browser they opened it in. */
export type Account = { readonly browser: Browser; readonly base: string; readonly email: string }
type Address = Pick<Account, 'base' | 'email'>

export const PASSWORD = 'a sentence that nobody guesses'
export const CODE = /: ([0-9a-f]{5}-[0-9a-f]{5})\./

/** Allows or disallows user accounts at the publisher's portal with this slug. */
export async function allowAccounts(tenant: Tenant, slug: string, allows_accounts = true): Promise<void> {
  const look = { slug, shown_name: null, hue: 42, chroma: 0.16, frame_ancestors: [] }
  const { status, body } = await tenant.call('PUT', '/portal/settings', { ...look, allows_accounts })
  assert.deepEqual([status, body.allows_accounts], [200, allows_accounts])
}

/** Waits for a matching email from a portal to this address, and returns the match in the newest one. */
export async function mailed(app: TestApp, { base, email }: Address, pattern: RegExp, not = ''): Promise<string> {
  const folder = join(app.service.config.dataDir, 'mails')
  return eventually(async () => {
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json')).sort()
    const mails = await Promise.all(names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8'))))
    const found = mails
      .filter((mail) => mail.to === email && mail.text.includes(`${base}/`))
      .flatMap((mail) => pattern.exec(`${mail.subject}\n${mail.text}`)?.[1] ?? [])
      .at(-1)
    return found === not ? undefined : found
  })
}

/** Enters as a user through a link and opens a portal account. */
export async function signUp(
  app: TestApp,
  tenant: Tenant,
  user: string,
  email = `${user}@example.com`,
): Promise<Account> {
  const { browser, base } = await enterActive(app, tenant, user)
  const asked = await browser('POST', `${base}/you/sign-in`, { email })
  assert.equal(asked.headers.get('location'), `${base}/you/sign-in?done=code`, asked.text)
  const code = await mailed(app, { base, email }, CODE)
  const done = await browser('POST', `${base}/you/sign-in/confirm`, { code, password: PASSWORD })
  assert.equal(done.headers.get('location'), `${base}/you/sign-in?done=ownAccount`, done.text)
  return { browser, base, email }
}

/** Opens a browser and signs in with the user's password. */
export async function signedIn(app: TestApp, { base, email }: Address, password = PASSWORD): Promise<Browser> {
  const browser = openBrowser(app)
  const answer = await browser('POST', `${base}/sign-in`, { email, password })
  assert.deepEqual([answer.status, answer.headers.get('location')], [303, base], answer.text)
  return browser
}
