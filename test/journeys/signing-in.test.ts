import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { useBrowser } from '../../simulator/pages/test-support.ts'
import { decodeId, encodeId } from '../../src/platform/ids.ts'
import { buildConsole } from '../../src/platform/web/index.ts'
import { issueToken } from '../../src/tenants/accounts/tokens.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { findFaults } from '../support/axe.ts'
import { followAddress, signedInPages } from '../support/console-pages.ts'
import { allowAccounts, CODE, mailed } from '../support/portal-accounts.ts'
import { enterDirectly } from '../support/portal-pages.ts'
import { startOfSecond } from '../support/still-clock.ts'

// Ways to sign in to the console or a portal, in a browser.

const PASSWORD = 'a sentence that nobody guesses'
const EMAIL = 'mara@laurel.example'

const openPage = useBrowser()
let nowMs = startOfSecond()
let app: TestApp
// The service's address by host name, because passkeys are bound to a host name and browsers create none for an IP
// address.
let url = ''

before(async () => {
  app = await startTestApp({ consoleFolder: buildConsole(), clock: { now: () => new Date(nowMs) } })
  url = app.service.url.replace('127.0.0.1', 'localhost')
})
after(() => app.close())

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** Invites a person and returns the address of the page they are sent to. */
async function inviteForLink(email: string): Promise<string> {
  const { body } = await app.operator('POST', '/operator/staff', { email, role: 'admin' })
  const accountId = decodeId<'account'>('acc', body.account_id)
  assert(accountId !== null)
  const token = await app.service.db.transaction((tx) => issueToken(tx, accountId, 'invitation', new Date(nowMs)))
  return `${url}/console/invitation#${token}`
}

/** Adds a virtual authenticator that verifies its user without interaction. */
async function plugInDevice(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/** Signs out from the account page. */
async function signOut(page: Page): Promise<void> {
  // Signing out reloads the page, which would discard anything already typed.
  await Promise.all([page.waitForEvent('load'), press(page, 'Sign out')])
  await heading(page, 'Sign in')
}

async function signInByPassword(page: Page, code: string): Promise<void> {
  await page.getByLabel('Email').fill(EMAIL)
  await page.getByLabel('Password').fill(PASSWORD)
  await press(page, 'Sign in')
  await page.getByLabel('Code').fill(code)
  await press(page, 'Continue')
  await heading(page, /^Good /)
}

test('an invited person sets up an authenticator app, and signs in with its code and with a backup code', async (t) => {
  const page = await openPage(t, { locale: 'en-US', viewport: { width: 1280, height: 900 } })
  await page.goto(await inviteForLink(EMAIL))
  await page.getByLabel('Your name').fill('Mara Rossi')
  await page.getByLabel('Password').fill(PASSWORD)
  await press(page, 'Begin')
  await heading(page, /^Good /)

  await followAddress(page, '/account')
  await press(page, 'Set it up')
  const secret = (await page.getByRole('button', { name: /^Copy / }).getAttribute('aria-label'))?.slice(5) ?? ''
  const code = () => new TOTP({ secret }).generate({ timestamp: nowMs })
  await page.getByLabel('Code from the app').fill(code())
  await press(page, 'Turn it on')
  const backupCode = await page.getByRole('dialog').getByRole('listitem').first().innerText()
  await press(page, 'I have saved them')

  await signOut(page)
  nowMs += 60_000
  await signInByPassword(page, code())
  await followAddress(page, '/account')
  await signOut(page)
  await signInByPassword(page, backupCode)

  await followAddress(page, '/account')
  await page.getByText('9 backup codes left').waitFor()
})

test('a passkey signs in without a password or code until it is removed', async (t) => {
  const page = await openPage(t, { locale: 'en-US', viewport: { width: 1280, height: 900 } })
  await plugInDevice(page)
  await page.goto(await inviteForLink('lena@laurel.example'))
  await page.getByLabel('Your name').fill('Lena Vogt')
  await page.getByLabel('Password').fill(PASSWORD)
  await press(page, 'Begin')
  await heading(page, /^Good /)
  await followAddress(page, '/account')
  await page.getByLabel('Name of the device').fill('Work laptop')
  await press(page, 'Add a passkey')
  // The device responds only with a passkey that it created.
  await page.getByText('Passkey added').first().waitFor()

  await signOut(page)
  await press(page, 'Sign in with a passkey')
  await heading(page, /^Good /)

  await followAddress(page, '/account')
  await press(page, 'Remove Work laptop')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('Passkey removed').first().waitFor()
  await signOut(page)
  await press(page, 'Sign in with a passkey')
  await page.getByRole('alert').waitFor()
})

test("a user's passkey signs in only at the portal it was created for", async (t) => {
  const [email, base] = ['ada@example.com', '/portal/acorn']
  await allowAccounts(app, 'acorn')
  await allowAccounts(await app.tenant(), 'walnut')
  const place = { ...app, service: { ...app.service, url } }
  const narrow = { locale: 'en-US', viewport: { width: 390, height: 844 } }
  const [page] = await enterDirectly(place, openPage, t, 'ada', narrow)
  await plugInDevice(page)
  await page.goto(`${url}${base}/you/sign-in`)
  await page.getByLabel('Email').fill(email)
  await press(page, 'Send me a code')
  await page.getByLabel('Code from the email').fill(await mailed(app, { base, email }, CODE))
  await page.getByLabel('New password').fill(PASSWORD)
  await press(page, 'Save')
  await page.getByRole('link', { name: 'Sign in again' }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
  assert.deepEqual(await findFaults(page), [])
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await press(page, 'Sign in')
  await page.getByLabel('Name of the device').fill('My phone')
  assert.deepEqual(await findFaults(page), [])
  await press(page, 'Add a passkey')
  await page.getByText('The passkey has been added.').waitFor()

  await page.context().clearCookies()
  await page.goto(`${url}/portal/walnut/sign-in`)
  await press(page, 'Sign in with a passkey')
  await page.getByText('This passkey is unknown').waitFor()
  await page.goto(`${url}${base}/sign-in`)
  await press(page, 'Sign in with a passkey')
  await page.getByText('Ready to redeem').waitFor()

  await page.goto(`${url}${base}/you/sign-in`)
  await page.getByRole('link', { name: 'My phone' }).click()
  assert.deepEqual(await findFaults(page), [])
  await press(page, 'Remove')
  await page.getByText('The passkey has been removed.').waitFor()
  await page.goto(`${url}${base}/sign-in`)
  await press(page, 'Sign in with a passkey')
  await page.getByText('This passkey is unknown').waitFor()
})

test('an admin invites company and publisher staff, assigns roles, and disables accounts', async (t) => {
  const openConsole = await signedInPages(app, openPage)
  const page = await openConsole(t, '/staff')
  for (const path of ['/staff', `/publishers/${encodeId('pub', app.publisher.id)}/staff`]) {
    if (path !== '/staff') await page.goto(`${app.service.url}/console${path}`)
    await heading(page, 'Staff')
    const email = `${path.length}@example.com`
    await press(page, 'Invite somebody')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email').fill(email)
    await dialog.getByRole('button', { name: 'Send the invitation' }).click()
    const row = page.getByRole('row', { name: new RegExp(email) })
    await row.getByText('Invited').waitFor()
    await row.getByRole('button', { name: 'Role' }).click()
    await dialog.getByLabel('Role').selectOption('support')
    await dialog.getByRole('button', { name: 'Change the role' }).click()
    await row.getByText('Support').waitFor()
    await row.getByRole('button', { name: 'Disable' }).click()
    await dialog.getByRole('button', { name: 'Disable' }).click()
    await row.getByText('Disabled').waitFor()
  }
})
