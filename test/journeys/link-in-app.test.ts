import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { json } from 'node:stream/consumers'
import { after, before, type TestContext, test } from 'node:test'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import { signIn, useBrowser } from '../../simulator/pages/test-support.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'

// Runs the code that integrators copy as they would run it: examples/link, and the code blocks in docs/linking/app.md.

const openPage = useBrowser()
let app: TestApp
let document: string

before(async () => {
  document = await readFile(new URL('../../docs/linking/app.md', import.meta.url), 'utf8')
  app = await startTestApp()
})
after(() => app.close())

const EXAMPLE = new URL('../../examples/link/app.mjs', import.meta.url).pathname
const PROVIDERS_SCRIPT = 'https://cdn.plaid.com/link/v2/stable/link-initialize.js'
const simulatorsScript = () => `${app.simulatorUrl}/link/v2/stable/link-initialize.js`

/** Returns the only code block in this language that begins with this text. */
function findBlock(language: string, opening: string): string {
  const blocks = [...document.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter(
    ([, named, code]) => named === language && code?.startsWith(opening),
  )
  assert.equal(blocks.length, 1, `one block of ${language} that begins with ${opening}`)
  return blocks[0]?.[2] ?? ''
}

async function linkAt(page: Page, bank: string, username: string): Promise<void> {
  const frame = page.getByRole('dialog').frameLocator('iframe')
  await frame.getByRole('link', { name: 'Continue' }).click()
  await frame.getByRole('link', { name: bank, exact: true }).click()
  const goTo = frame.getByRole('link', { name: `Go to ${bank}` })
  const password = frame.getByLabel('Password')
  await goTo.or(password).waitFor()
  if (await password.isVisible()) {
    await signIn(frame, { username })
    await frame.getByRole('button', { name: 'Continue' }).click()
    return
  }
  await goTo.click()
  await signIn(page, { username })
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
}

async function readCards(user: string): Promise<{ name: string; error: string | null; account_id: string }[]> {
  const { body } = await app.call('GET', `/linker/linked-cards/${user}`)
  return body.linked_institutions.flatMap((one: { linked_cards: unknown[] }) => one.linked_cards)
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0, 'localhost')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return String(port)
}

test('examples/link links a card, takes the user through an OAuth bank, and repairs a login', async (t) => {
  await app.call('POST', '/users', { publisher_user_id: 'example' })
  const program = spawn(process.execPath, [EXAMPLE], {
    env: {
      LAUREL_URL: app.service.url,
      LAUREL_KEY: app.apiKey,
      LINK_SCRIPT: simulatorsScript(),
      PUBLISHER_USER_ID: 'example',
      PORT: await freePort(),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => program.kill())
  const [line] = await once(createInterface(program.stdout), 'line')
  const address = String(line).replace('Open ', '')
  const page = await openPage(t)
  await page.goto(address)
  await page.getByRole('button', { name: 'Link a card' }).click()
  await linkAt(page, 'First Platypus Bank', 'example')
  await page.getByText('First Platypus Bank is linked.').waitFor()
  await page.getByRole('listitem').first().waitFor()
  await page.getByRole('button', { name: 'Link a card' }).click()
  await linkAt(page, 'Eastwind National', 'example')
  await page.getByText('Eastwind National is linked.').waitFor()

  const [card] = await readCards('example')
  const at = async (path: string, method = 'GET') =>
    (await fetch(`${app.simulatorUrl}/_sim/${path}`, { method, ...(method === 'POST' ? JSON_BODY : {}) })).json()
  const { items } = (await at(`items?account_id=${card?.account_id}`)) as { items: { item_id: string }[] }
  await at(`items/${items[0]?.item_id}/break`, 'POST')
  const repair = page.getByRole('button', { name: 'Sign in again' })
  await eventually(async () => (await readCards('example')).some(({ error }) => error !== null))
  await page.reload()
  await repair.first().click()
  const frame = page.getByRole('dialog').frameLocator('iframe')
  await signIn(frame, { username: 'example' })
  await frame.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('First Platypus Bank is linked.').waitFor()
  assert.ok((await readCards('example')).every(({ error }) => error === null))

  await app.call('POST', '/users', { publisher_user_id: 'victim' })
  const send = async (path: string, body: string, type = 'application/json') => {
    const answer = await fetch(new URL(path, address), { method: 'POST', headers: { 'content-type': type }, body })
    return (await answer.json()) as Record<string, unknown>
  }
  for (const bank of ['../linked-cards/victim#', '../../users/victim#', '../link-token/victim?hosted=true#']) {
    const { code, status } = await send('/repair', JSON.stringify({ bank }))
    assert.deepEqual([code, status], ['link_not_found', 404], 'a page reaches no other user')
  }
  assert.deepEqual(await send('/cards', '{}', 'text/plain'), { detail: 'Send application/json.' })
  assert.ok('detail' in (await send('/done', '{')), 'what is no JSON ends nothing')
  assert.ok('linked_institutions' in (await send('/cards', '{}')))
})

const JSON_BODY = { headers: { 'content-type': 'application/json' }, body: '{}' }

/** Serves a publisher's app, built from the documented page and back end. */
async function openApp(t: TestContext, user: string, content: string, script = ''): Promise<string> {
  const server = createServer(async (request, response) => {
    const { method, url = '/' } = request
    const route = routes[`${method} ${url}`]
    if (url === '/app.js') return void response.setHeader('content-type', 'text/javascript').end(script)
    if (route === undefined) return void response.setHeader('content-type', 'text/html').end(content)
    response.end(JSON.stringify(await route(user, await json(request))))
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  // If another hook fails, the test must not wait for the server.
  server.unref()
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = `http://localhost:${(server.address() as AddressInfo).port}/`
  const laurel = async (verb: 'GET' | 'POST', path: string, body?: object) => (await app.call(verb, path, body)).body
  type Route = (user: string, sent: unknown) => Promise<unknown>
  const code = `${findBlock('js', '// Your back end')}\nreturn routes`
  const routes: Record<string, Route> = new Function('laurel', 'RETURN_TO', code)(laurel, address)
  return address
}

test("the documented page and back end link a card, and resume after a bank's OAuth redirect", async (t) => {
  await app.call('POST', '/users', { publisher_user_id: 'plain' })
  const shown = findBlock('html', '<button id="link">')
  assert.ok(shown.includes(PROVIDERS_SCRIPT))
  const content = `<!doctype html>${shown.replace(PROVIDERS_SCRIPT, simulatorsScript())}`
  const page = await openPage(t)
  await page.goto(await openApp(t, 'plain', content))
  await page.getByRole('button', { name: 'Link' }).click()
  await linkAt(page, 'First Platypus Bank', 'plain')
  await page.getByText('First Platypus Bank is linked.').waitFor()
  const first = (await readCards('plain')).length
  await page.getByRole('button', { name: 'Link' }).click()
  await linkAt(page, 'Eastwind National', 'plain')
  await page.getByText('Eastwind National is linked.').waitFor()
  assert.ok((await readCards('plain')).length > first && first > 0)
  await page.reload()
  assert.equal(await page.locator('iframe').count(), 0, 'a reload does not open the link page again')
})

test("the documented React component links a card, and resumes after a bank's OAuth redirect", async (t) => {
  await app.call('POST', '/users', { publisher_user_id: 'react' })
  const shown = findBlock('jsx', "import { useEffect, useState } from 'react'")
  const contents = `import { createRoot } from 'react-dom/client'
    ${shown}
    createRoot(document.querySelector('main')).render(<LinkCard />)`
  const { outputFiles } = await build({
    stdin: { contents, loader: 'jsx', resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const content = `<!doctype html><main></main><script src="${simulatorsScript()}"></script><script src="/app.js"></script>`
  const page = await openPage(t)
  await page.goto(await openApp(t, 'react', content, outputFiles[0]?.text))
  await page.getByRole('button', { name: 'Link a card' }).click()
  await linkAt(page, 'Eastwind National', 'react')
  await page.getByText('Eastwind National is linked.').waitFor()
  assert.ok((await readCards('react')).length > 0)
})
