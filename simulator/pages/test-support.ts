import assert from 'node:assert/strict'
import { after, before, type TestContext } from 'node:test'
import type { Browser, BrowserContextOptions, FrameLocator, Page } from 'playwright-core'
import { launchBrowser } from '../../test/support/browser.ts'
import { linkTokenBody, type TestSimulator } from '../test-support.ts'

type OpenPage = (
  t: TestContext,
  options?: BrowserContextOptions,
  isExpected?: (fault: string) => boolean,
) => Promise<Page>

/**
 * Launches one browser for all tests of a file. Call this at the file's top level. Each page belongs to a separate
 * user. Any script error, and anything the policy blocks, fails the test unless expected.
 */
export function useBrowser(): OpenPage {
  let browser: Browser
  before(async () => {
    browser = await launchBrowser()
  })
  // If the browser failed to launch, report only that failure.
  after(() => browser?.close())

  return async (t, options = {}, isExpected = () => false) => {
    const page = await browser.newPage(options)
    // The machine might be busy. An element that never appears still fails the test.
    page.setDefaultTimeout(120_000)
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) faults.push(message.text())
    })
    t.after(async () => {
      await page.close()
      assert.deepEqual(
        faults.filter((fault) => !isExpected(fault)),
        [],
      )
    })
    return page
  }
}

export async function newLinkToken({ call }: Pick<TestSimulator, 'call'>, more: object = {}): Promise<string> {
  return (await call<{ link_token: string }>('/link/token/create', linkTokenBody(more))).body.link_token
}

/** Opens the link page in a separate window and consents, the first step of a new link. */
export async function openLink(page: Page, { url }: Pick<TestSimulator, 'url'>, token: string): Promise<void> {
  await page.goto(`${url}/link?token=${token}`)
  await page.getByRole('link', { name: 'Continue' }).click()
}

export async function signIn(
  page: Page | FrameLocator,
  { username = 'user_good', password = 'pass_good' } = {},
): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Returns the public token on the last page of a session. */
export async function readPublicToken(page: Page): Promise<string> {
  await page.getByText('You can close this window').waitFor()
  return (await page.locator('#public-token').textContent()) ?? ''
}

export async function readAlert(page: Page | FrameLocator): Promise<string> {
  return (await page.getByRole('alert').textContent()) ?? ''
}
