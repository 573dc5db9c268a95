import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { startTestApp, type TestApp } from '../support/app.ts'
import { launchBrowser } from '../support/browser.ts'

let app: TestApp
let browser: Browser

before(async () => {
  app = await startTestApp()
  browser = await launchBrowser()
})

after(async () => {
  await browser?.close()
  await app.close()
})

test('/docs shows the operations in a real browser, without errors or calls to other hosts', async () => {
  const page = await browser.newPage()
  // The reference is large, and the machine may be busy, so the default timeout is too short.
  page.setDefaultTimeout(120_000)
  const faults: string[] = []
  const hosts = new Set<string>()
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  page.on('request', (request) => {
    if (/^(https?|wss?):/.test(request.url())) hosts.add(new URL(request.url()).host)
  })
  await page.goto(`${app.service.url}/docs`)
  await page.getByRole('heading', { name: 'Laurel', exact: true }).first().waitFor()
  // Tags are collapsed so that the page opens quickly. Opening an operation's address expands its tag.
  await page.getByText('Card linking').first().waitFor()
  assert.equal(await page.getByText('primary_zip_code').count(), 0)
  await page.goto(`${app.service.url}/docs#tag/users/POST/users`)
  await page.getByRole('heading', { name: 'Register a user' }).first().waitFor()
  await page.getByText('primary_zip_code').first().waitFor()
  await page.waitForLoadState('load')
  assert.deepEqual(faults, [])
  assert.deepEqual([...hosts], [new URL(app.service.url).host])
})
