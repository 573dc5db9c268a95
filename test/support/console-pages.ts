import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { decodeId } from '../../src/platform/ids.ts'
import { consoleCookie, openSession } from '../../src/tenants/accounts/index.ts'
import type { TestApp } from './app.ts'
import { eventually } from './eventually.ts'

type OpenPage = (t: TestContext, options?: BrowserContextOptions) => Promise<Page>

/** Opens console pages as a signed-in admin who was invited. */
export async function signedInPages(app: TestApp, openPage: OpenPage, { userAgent = 'Chromium' } = {}) {
  const { body } = await app.operator('POST', '/operator/staff', { email: 'noa@laurel.example', role: 'admin' })
  const accountId = decodeId<'account'>('acc', body.account_id)
  assert(accountId !== null)
  const seen = { address: '127.0.0.1', userAgent }
  const { token } = await app.service.db.transaction((tx) =>
    openSession(tx, { kind: 'operator', accountId }, seen, new Date()),
  )
  return async (t: TestContext, path: string): Promise<Page> => {
    const page = await openPage(t, { locale: 'en-US', viewport: { width: 1280, height: 800 } })
    await page.context().addCookies([{ name: consoleCookie(app.service.url), value: token, url: app.service.url }])
    await page.goto(`${app.service.url}/console${path}`)
    return page
  }
}

export const following = (path: string) => `history.pushState({}, '', ${JSON.stringify(`/console${path}`)})`

/**
 * Navigates to another page, as a link on the page would. Returns the element that appears: the page's heading, or the
 * reason the page is refused.
 */
export async function followAddress(page: Page, path: string): Promise<Locator> {
  await page.evaluate(`
    for (const seen of document.querySelectorAll('main h1, main [role=alert]')) seen.setAttribute('data-seen', '')
    ${following(path)}`)
  const shown = page.locator('main :is(h1, [role=alert]):not([data-seen])').first()
  await shown.waitFor()
  return shown
}

/** Opens every section in the menu, or in a part of it. */
export async function openSections(menu: Locator): Promise<void> {
  const closed = menu.getByRole('button', { expanded: false })
  for (let left = await closed.count(); left > 0; left--) await closed.first().click()
}

/** Follows a menu link. On a narrow screen, opens the menu first, which then closes by itself. */
export async function followMenu(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name: 'Menu', exact: true })
  const isNarrow = await button.isVisible()
  if (isNarrow) await button.click()
  const menu = (isNarrow ? page.getByRole('dialog') : page).getByRole('navigation', { name: 'Main' })
  await menu.waitFor()
  await openSections(menu)
  await menu.getByRole('link', { name: new RegExp(`^${name}( |\\d|$)`) }).click()
  if (isNarrow) await menu.waitFor({ state: 'detached' })
}

/** Returns a function that waits until the page makes no more requests. */
export function waitForRest(page: Page): () => Promise<void> {
  const asked = new Set<object>()
  page.on('request', (request) => asked.add(request))
  page.on('requestfinished', (request) => asked.delete(request))
  page.on('requestfailed', (request) => asked.delete(request))
  return async () => {
    await eventually(async () => {
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
      return asked.size === 0
    })
  }
}
