import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { signIn } from '../../simulator/pages/test-support.ts'
import type { Call, TestApp } from './app.ts'
import { eventually } from './eventually.ts'
import { portalLink } from './portal.ts'

type OpenPage = (t: TestContext, options?: BrowserContextOptions) => Promise<Page>
/** The portal of a publisher of this service. */
type Place = Pick<TestApp, 'service' | 'call'>

export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
export const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first().click()

/** A service on a busy machine may answer that it is overloaded. */
export async function openPatiently(page: Page, url: string): Promise<void> {
  await eventually(async () => (await page.goto(url))?.status() !== 503)
}

/** A page of a user who has entered by a link and accepted the terms, and the address of the portal. */
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

/** Signs in at the simulated bank, in the component on the cards page. */
export async function signInAtBank(page: Page, user: string, isRepair = false): Promise<void> {
  const frame = page.getByRole('dialog').frameLocator('iframe')
  if (!isRepair) {
    await frame.getByRole('link', { name: 'Continue' }).click()
    await frame.getByRole('link', { name: 'First Platypus Bank', exact: true }).click()
  }
  await signIn(frame, { username: user })
  await frame.getByRole('button', { name: 'Continue' }).click()
}

/** Links a card of the simulated bank and returns its account. */
export async function linkCard(page: Page, call: Call, user: string): Promise<string> {
  await follow(page, 'Cards')
  await press(page, 'Link a card')
  await signInAtBank(page, user)
  await page.getByText('The card is linked.').waitFor()
  const { body } = await call('GET', `/linker/linked-cards/${user}`)
  return body.linked_institutions[0].linked_cards[0].account_id
}

/** Makes something happen at the simulated bank. */
export async function atBank({ simulatorUrl }: Pick<TestApp, 'simulatorUrl'>, path: string, body?: object) {
  const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const answer = await fetch(`${simulatorUrl}/_sim/${path}`, body === undefined ? {} : sent)
  assert.ok(answer.ok, path)
  return (await answer.json()) as { items: { item_id: string }[] }
}
