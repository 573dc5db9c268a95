import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { signIn } from '../../simulator/pages/test-support.ts'
import { type Call, makeCaller, type TestApp } from './app.ts'
import { eventually } from './eventually.ts'
import { portalLink } from './portal.ts'

type OpenPage = (t: TestContext, options?: BrowserContextOptions) => Promise<Page>
/** The service, and the publisher whose portal is opened. */
type Place = Pick<TestApp, 'service' | 'call'>

const REQUEST_MAX_MS = 120_000

export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
export const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first().click()

/** Opens a page, and retries while the service responds that it is overloaded. */
export async function openPatiently(page: Page, url: string): Promise<void> {
  await eventually(async () => (await page.goto(url))?.status() !== 503)
}

/**
 * Opens a page for a user who has entered through a link and accepted the terms. Returns the page and the portal's
 * address.
 */
export async function enterPages(
  place: Place,
  openPage: OpenPage,
  t: TestContext,
  user: string,
  options: BrowserContextOptions,
): Promise<[Page, string]> {
  const page = await openPage(t, options)
  const link = await portalLink(place, user)
  await openPatiently(page, place.service.url + link)
  await press(page, 'Open my rewards')
  await press(page, 'I accept the terms')
  await page.getByText('Thank you.').waitFor()
  return [page, place.service.url + link.replace(/\/enter\/.*/, '')]
}

/** Like `enterPages`, but skips the pages that a user passes through to enter. */
export async function enterDirectly(
  place: Place & Pick<TestApp, 'tncId'>,
  openPage: OpenPage,
  t: TestContext,
  user: string,
  options: BrowserContextOptions,
): Promise<[Page, string]> {
  const page = await openPage(t, options)
  const link = place.service.url + (await portalLink(place, user))
  const base = link.replace(/\/enter\/.*/, '')
  const headers = { 'sec-fetch-site': 'same-origin' }
  const send = async (url: string, form: Record<string, string>) => {
    // The page keeps the cookies of these responses.
    const sent = { form, headers, maxRedirects: 0, timeout: REQUEST_MAX_MS }
    const status = await eventually(async () => {
      const answer = await page.request.post(url, sent)
      return answer.status() !== 503 && answer.status()
    })
    assert.equal(status, 303, url)
  }
  await send(link, {})
  await send(`${base}/terms`, { tnc_id: String(place.tncId) })
  return [page, base]
}

/** Signs in at the simulated bank inside the component on the cards page. */
export async function signInAtBank(page: Page, user: string, isRepair = false): Promise<void> {
  const frame = page.getByRole('dialog').frameLocator('iframe')
  if (!isRepair) {
    await frame.getByRole('link', { name: 'Continue' }).click()
    await frame.getByRole('link', { name: 'First Platypus Bank', exact: true }).click()
  }
  await signIn(frame, { username: user })
  await frame.getByRole('button', { name: 'Continue' }).click()
}

/** Links a card of the simulated bank in the portal. Returns its account. */
export async function linkCard(page: Page, call: Call, user: string): Promise<string> {
  await follow(page, 'Cards')
  await press(page, 'Link a card')
  await signInAtBank(page, user)
  await page.getByText('The card is linked.').waitFor()
  return readAccount(call, user)
}

async function readAccount(call: Call, user: string): Promise<string> {
  const { body } = await call('GET', `/linker/linked-cards/${user}`)
  return body.linked_institutions[0].linked_cards[0].account_id
}

/** Links a card of the simulated bank without a browser. Returns its account. */
export async function linkDirectly(
  { simulatorUrl, call }: Pick<TestApp, 'simulatorUrl' | 'call'>,
  user: string,
): Promise<string> {
  const institution_id = 'ins_109508'
  const options = { override_username: user, override_password: 'pass_good' }
  const keys = { client_id: 'laurel', secret: 'laurel' }
  const wish = { ...keys, institution_id, initial_products: ['transactions'], options }
  const { public_token } = (await makeCaller(simulatorUrl, null)('POST', '/sandbox/public_token/create', wish)).body
  const linking = { institution_id, institution_name: 'First Platypus Bank', public_token }
  assert.equal((await call('POST', `/linker/public-token/${user}`, linking)).status, 200)
  return readAccount(call, user)
}

/** Calls the simulated bank. */
export async function atBank({ simulatorUrl }: Pick<TestApp, 'simulatorUrl'>, path: string, body?: object) {
  const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const answer = await fetch(`${simulatorUrl}/_sim/${path}`, body === undefined ? {} : sent)
  assert.ok(answer.ok, path)
  return (await answer.json()) as { items: { item_id: string }[] }
}
