import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { build } from 'esbuild'
import type { FrameLocator, Page } from 'playwright-core'
import { atEnd, openSimulator, type TestSimulator, type Tokens } from '../test-support.ts'
import { newLinkToken, readAlert, signIn, useBrowser } from './test-support.ts'

// Apps that use the provider's browser script, replaced by the simulator's.

const openPage = useBrowser()

/** A recorded call to one of the app's callbacks. */
type Callback =
  | { readonly on: 'load' }
  | { readonly on: 'event'; readonly name: string; readonly metadata: Record<string, string | null> }
  | { readonly on: 'success'; readonly publicToken: string; readonly metadata: Success }
  | { readonly on: 'exit'; readonly error: { error_code: string } | null; readonly metadata: Exit }
type Success = { institution: object; accounts: { name: string; mask: string }[]; link_session_id: string }
type Exit = { status: string; institution: object | null; link_session_id: string }

const RECORDING = `
  const callbacks = (globalThis.callbacks = [])
  const functions = {
    onLoad: () => callbacks.push({ on: 'load' }),
    onEvent: (name, metadata) => callbacks.push({ on: 'event', name, metadata }),
    onSuccess: (publicToken, metadata) => callbacks.push({ on: 'success', publicToken, metadata }),
    onExit: (error, metadata) => callbacks.push({ on: 'exit', error, metadata }),
  }
  const query = new URLSearchParams(location.search)
  const receivedRedirectUri = query.has('oauth_state_id') ? location.href : undefined
  const token = query.get('token') ?? localStorage.getItem('token')
  localStorage.setItem('token', token)`

const PLAIN = `${RECORDING}
  const handler = Plaid.create({ token, receivedRedirectUri, ...functions })
  document.querySelector('button').addEventListener('click', () => handler.open())
  if (receivedRedirectUri !== undefined) handler.open()`

const REACT = `
  import { createElement } from 'react'
  import { createRoot } from 'react-dom/client'
  import { usePlaidLink } from 'react-plaid-link'
  ${RECORDING}
  function Connect() {
    const { open, ready } = usePlaidLink({ token, receivedRedirectUri, ...functions })
    return createElement('button', { onClick: () => open(), disabled: !ready }, 'Connect a card')
  }
  createRoot(document.querySelector('main')).render(createElement(Connect))`

/** Bundles the unmodified packages with a ten-line page. */
async function bundled(): Promise<string> {
  const input = { contents: REACT, resolveDir: import.meta.dirname }
  const made = await build({
    stdin: input,
    bundle: true,
    write: false,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return made.outputFiles[0]?.text ?? ''
}

/** Serves an app with one page, at every address. */
async function openApp(t: TestContext, simulator: TestSimulator, script: string): Promise<string> {
  const page = `<!doctype html><title>App</title><main><button>Connect a card</button></main>
    <script src="${simulator.url}/link/v2/stable/link-initialize.js"></script><script src="/app.js"></script>`
  const app = createServer(({ url }, response) => {
    const isScript = url === '/app.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html').end(isScript ? script : page)
  })
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve))
  atEnd(t, () => {
    app.closeAllConnections()
    app.close()
  })
  return `http://127.0.0.1:${(app.address() as AddressInfo).port}`
}

async function openConnected(t: TestContext, script: string, more: object = {}) {
  const simulator = await openSimulator(t)
  const page = await openPage(t)
  const address = await openApp(t, simulator, script)
  const token = await newLinkToken(simulator, more)
  await page.goto(`${address}/?token=${token}`)
  const connect = page.getByRole('button', { name: 'Connect a card' })
  await connect.click()
  const callbacks = () => page.evaluate('callbacks') as Promise<Callback[]>
  return { simulator, page, address, connect, callbacks, frame: page.frameLocator('iframe') }
}

/** Waits for the first callback of a kind. A page that the bank redirects to may still be loading. */
async function waitForCallback<On extends Callback['on']>(page: Page, on: On): Promise<Extract<Callback, { on: On }>> {
  await page.waitForFunction(`globalThis.callbacks?.some((one) => one.on === '${on}')`)
  const all = (await page.evaluate('callbacks')) as Callback[]
  return all.find((one) => one.on === on) as Extract<Callback, { on: On }>
}

async function linkIn(frame: FrameLocator, bank = 'First Platypus Bank'): Promise<void> {
  await frame.getByRole('link', { name: 'Continue' }).click()
  await frame.getByRole('link', { name: bank, exact: true }).click()
  await signIn(frame)
  await frame.getByRole('button', { name: 'Continue' }).click()
}

const isHidden = (page: Page) => page.getByRole('dialog', { includeHidden: true }).isHidden()

test("unmodified react-plaid-link links a card and receives the provider's events", async (t) => {
  const { simulator, page, callbacks, frame } = await openConnected(t, await bundled())
  await linkIn(frame)
  const { publicToken, metadata } = await waitForCallback(page, 'success')
  assert.deepEqual(metadata.institution, { institution_id: 'ins_109508', name: 'First Platypus Bank' })
  assert.ok(metadata.accounts.length >= 2)
  assert.ok(await isHidden(page))
  const eventNames = (await callbacks()).flatMap((one) =>
    one.on === 'event' ? [[one.name, one.metadata['view_name']].filter((part) => part !== null).join(' ')] : [],
  )
  assert.deepEqual(eventNames, [
    'OPEN',
    'TRANSITION_VIEW CONSENT',
    'TRANSITION_VIEW SELECT_INSTITUTION',
    'SELECT_INSTITUTION',
    'TRANSITION_VIEW CREDENTIAL',
    'SUBMIT_CREDENTIALS',
    'TRANSITION_VIEW SELECT_ACCOUNT',
    'TRANSITION_VIEW CONNECTED',
    'HANDOFF',
  ])
  const sessions = (await callbacks()).flatMap((one) => (one.on === 'event' ? [one.metadata['link_session_id']] : []))
  assert.deepEqual([...new Set(sessions)], [metadata.link_session_id])
  const { status } = await simulator.call<Tokens>('/item/public_token/exchange', { public_token: publicToken })
  assert.equal(status, 200)
})

test('onExit reports how far the user got, and the app can reopen the page and complete a link', async (t) => {
  const { page, connect, callbacks, frame } = await openConnected(t, PLAIN)
  await frame.getByRole('link', { name: 'Continue' }).click()
  await frame.getByRole('link', { name: 'First Platypus Bank' }).click()
  await signIn(frame, { username: 'user_mfa' })
  await frame.getByLabel('Code').waitFor()
  await frame.getByRole('link', { name: 'Leave' }).click()
  await frame.getByRole('link', { name: 'Stay' }).click()
  await frame.getByLabel('Code').waitFor()
  await frame.getByRole('link', { name: 'Leave' }).click()
  await frame.getByRole('button', { name: 'Leave' }).click()
  const { error, metadata } = await waitForCallback(page, 'exit')
  assert.equal(error, null)
  assert.equal(metadata.status, 'requires_code')
  assert.deepEqual(metadata.institution, { institution_id: 'ins_109508', name: 'First Platypus Bank' })
  const last = (await callbacks()).at(-2)
  assert.ok(last?.on === 'event' && last.name === 'EXIT' && last.metadata['exit_status'] === 'requires_code')
  assert.ok(await isHidden(page))

  await connect.click()
  await linkIn(frame)
  const success = await waitForCallback(page, 'success')
  assert.notEqual(success.metadata.link_session_id, metadata.link_session_id)
  assert.equal((await callbacks()).filter(({ on }) => on === 'load').length, 1)
})

test('onExit reports the last error, and institution_not_found after a search without results', async (t) => {
  const { page, connect, frame } = await openConnected(t, PLAIN)
  await frame.getByRole('link', { name: 'Continue' }).click()
  await frame.getByRole('link', { name: 'First Platypus Bank' }).click()
  await signIn(frame, { username: 'user_locked' })
  await frame.getByRole('heading', { name: 'Your account is locked' }).waitFor()
  await page.evaluate('handler.exit()')
  await frame.getByRole('button', { name: 'Leave' }).click()
  const { error } = await waitForCallback(page, 'exit')
  assert.equal(error?.error_code, 'ITEM_LOCKED')

  await page.evaluate('callbacks.length = 0')
  await connect.click()
  await frame.getByRole('link', { name: 'Continue' }).click()
  await frame.getByLabel('Search for your bank').fill('Bank of Nowhere')
  await frame.getByLabel('Search for your bank').press('Enter')
  await frame.getByText('No bank has that name.').waitFor()
  // The page becomes visible before its script notifies the app.
  await page.waitForFunction("globalThis.callbacks.some(({ name }) => name === 'SEARCH_INSTITUTION')")
  await page.evaluate('handler.exit({ force: true })')
  assert.equal((await waitForCallback(page, 'exit')).metadata.status, 'institution_not_found')
  await page.evaluate('handler.destroy()')
  assert.equal(await page.locator('iframe').count(), 0)
})

test('onExit is called even if the app exits while the next page is still loading', async (t) => {
  const { page, frame } = await openConnected(t, PLAIN)
  await page.route('**/assets/link.js', () => undefined, { times: 1 })
  await frame.getByRole('link', { name: 'Continue' }).click()
  await frame.getByLabel('Search for your bank').waitFor()
  await page.evaluate('handler.exit({ force: true })')
  assert.ok(await isHidden(page))
  assert.equal((await waitForCallback(page, 'exit')).metadata.status, 'requires_credentials')
})

test('an OAuth bank opens in a separate window, and the iframe resumes when it closes', async (t) => {
  const { page, frame, callbacks } = await openConnected(t, PLAIN)
  await frame.getByRole('link', { name: 'Continue' }).click()
  await frame.getByRole('link', { name: 'Platypus OAuth Bank', exact: true }).click()
  const closed = page.waitForEvent('popup')
  await frame.getByRole('link', { name: 'Go to Platypus OAuth Bank' }).click()
  await (await closed).close()
  await page.waitForFunction("globalThis.callbacks?.some(({ name }) => name === 'CLOSE_OAUTH')")

  const opened = page.waitForEvent('popup')
  await frame.getByRole('link', { name: 'Go to Platypus OAuth Bank' }).click()
  const bank = await opened
  await signIn(bank)
  await bank.getByRole('button', { name: 'Allow', exact: true }).click()
  const { metadata } = await waitForCallback(page, 'success')
  assert.deepEqual(metadata.institution, { institution_id: 'ins_127287', name: 'Platypus OAuth Bank' })
  assert.ok(bank.isClosed())
  const names = (await callbacks()).flatMap((one) => (one.on === 'event' ? [one.name] : []))
  assert.equal(names.filter((name) => name === 'OPEN_OAUTH').length, 2)
})

for (const [kind, script] of [
  ['a plain page', async () => PLAIN],
  ['react-plaid-link', bundled],
] as const) {
  test(`with a redirect_uri, ${kind} navigates to the bank and resumes with the received address`, async (t) => {
    const simulator = await openSimulator(t)
    const page = await openPage(t)
    const address = await openApp(t, simulator, await script())
    const token = await newLinkToken(simulator, { redirect_uri: `${address}/back` })
    await page.goto(`${address}/?token=${token}`)
    const frame = page.frameLocator('iframe')
    await page.getByRole('button', { name: 'Connect a card' }).click()
    await frame.getByRole('link', { name: 'Continue' }).click()
    await frame.getByRole('link', { name: 'Eastwind National' }).click()
    await frame.getByRole('link', { name: 'Go to Eastwind National' }).click()
    await signIn(page)
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForURL(`${address}/back?oauth_state_id=*`)
    if (kind === 'react-plaid-link') await page.getByRole('button', { name: 'Connect a card' }).click()
    const { metadata } = await waitForCallback(page, 'success')
    assert.deepEqual(metadata.institution, { institution_id: 'ins_810005', name: 'Eastwind National' })
  })
}

test('across a redirect to the bank, no event is lost or repeated, and the result is reported once', async (t) => {
  const simulator = await openSimulator(t)
  const page = await openPage(t)
  const address = await openApp(t, simulator, PLAIN)
  const token = await newLinkToken(simulator, { redirect_uri: `${address}/back` })
  await page.goto(`${address}/?token=${token}`)
  const frame = page.frameLocator('iframe')
  const connect = page.getByRole('button', { name: 'Connect a card' })
  await connect.click()
  await frame.getByRole('link', { name: 'Continue' }).click()
  await frame.getByRole('link', { name: 'Eastwind National' }).click()
  await frame.getByRole('link', { name: 'Go to Eastwind National' }).click()
  await signIn(page)
  await page.getByRole('button', { name: 'Do not allow' }).click()
  await frame.getByText('You did not allow').waitFor()
  await frame.getByRole('link', { name: 'Leave' }).click()
  await frame.getByRole('link', { name: 'Stay' }).click()
  await frame.getByText('You did not allow').waitFor()
  const names = async () =>
    ((await page.evaluate('callbacks')) as Callback[]).flatMap((one) => (one.on === 'event' ? [one.name] : []))
  await page.waitForFunction("globalThis.callbacks?.some(({ name }) => name === 'ERROR')")
  assert.deepEqual(
    (await names()).filter((name) => name !== 'TRANSITION_VIEW'),
    ['OPEN_OAUTH', 'FAIL_OAUTH', 'ERROR'],
  )

  await frame.getByRole('link', { name: 'Try again' }).click()
  await frame.getByRole('link', { name: 'Go to Eastwind National' }).click()
  await signIn(page)
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await waitForCallback(page, 'success')
  await connect.click()
  await frame.getByRole('link', { name: 'Continue' }).waitFor()
  const results = ((await page.evaluate('callbacks')) as Callback[]).filter(({ on }) => on === 'success')
  assert.equal(results.length, 1, 'opened again the page begins anew')
})

test('an expired link token is shown to the user, and its error is reported to the app', async (t) => {
  const simulator = await openSimulator(t)
  const page = await openPage(t)
  const address = await openApp(t, simulator, PLAIN)
  const token = await newLinkToken(simulator)
  await simulator.control('clock', { offset_seconds: 4 * 3600 + 1 })
  await page.goto(`${address}/?token=${token}`)
  await page.getByRole('button', { name: 'Connect a card' }).click()
  const frame = page.frameLocator('iframe')
  assert.match(await readAlert(frame), /Go back to the app and start again/)
  await frame.getByRole('button', { name: 'Close' }).click()
  assert.equal((await waitForCallback(page, 'exit')).error?.error_code, 'INVALID_LINK_TOKEN')
})

test('a page that lost its session or never loaded can still be closed', async (t) => {
  const { simulator, page, connect, frame } = await openConnected(t, PLAIN)
  await frame.getByRole('link', { name: 'Continue' }).waitFor()
  await page.frames()[1]?.goto(`${simulator.url}/link/lost/bank`)
  await frame.getByRole('button', { name: 'Close' }).click()
  await waitForCallback(page, 'exit')
  assert.ok(await isHidden(page))

  await page.evaluate('callbacks.length = 0')
  await page.route('**/link?token=**', () => undefined)
  await page.evaluate('Object.assign(globalThis, { unloaded: Plaid.create({ token, ...functions }) })')
  await page.evaluate('unloaded.open(), unloaded.exit({ force: true })')
  assert.deepEqual((await waitForCallback(page, 'exit')).metadata.status, null)
  await page.evaluate('unloaded.destroy()')
  await connect.click()
  await frame.getByRole('link', { name: 'Continue' }).waitFor()
})

test("the iframe's size does not depend on the app's font size", async (t) => {
  const { page } = await openConnected(t, PLAIN)
  const size = () => page.locator('iframe').boundingBox()
  const before = await size()
  await page.evaluate("document.documentElement.style.fontSize = '62.5%'")
  assert.deepEqual(await size(), before)
  await page.setViewportSize({ width: 390, height: 844 })
  assert.deepEqual(await size(), { x: 0, y: 0, width: 390, height: 844 })
})

test('Plaid.create identifies the invalid option in its error', async (t) => {
  const { page } = await openConnected(t, PLAIN)
  const refused = (options: string) =>
    page.evaluate(`(() => { try { Plaid.create(${options}) } catch (error) { return error.message } })()`)
  assert.match(String(await refused('{ onSuccess() {} }')), /token/)
  assert.match(String(await refused("{ token: 'link-sandbox-1' }")), /onSuccess/)
})
