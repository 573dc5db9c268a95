import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { CONSOLE_COOKIE, openSession } from '../../src/accounts/index.ts'
import { decodeId } from '../../src/platform/ids.ts'
import type { TestApp } from './app.ts'

type OpenPage = (t: TestContext, options?: BrowserContextOptions) => Promise<Page>

/** Opens pages of the console as an admin who was invited and has signed in. */
export async function signedInPages(app: TestApp, openPage: OpenPage) {
  const { body } = await app.operator('POST', '/operator/staff', { email: 'noa@laurel.example', role: 'admin' })
  const accountId = decodeId<'account'>('acc', body.account_id)
  assert(accountId !== null)
  const seen = { address: '127.0.0.1', userAgent: 'Chromium' }
  const { token } = await app.service.db.transaction((tx) =>
    openSession(tx, { kind: 'operator', accountId }, seen, new Date()),
  )
  return async (t: TestContext, path: string): Promise<Page> => {
    const page = await openPage(t, { locale: 'en-US', viewport: { width: 1280, height: 800 } })
    await page.context().addCookies([{ name: CONSOLE_COOKIE, value: token, url: app.service.url }])
    await page.goto(`${app.service.url}/console${path}`)
    return page
  }
}
