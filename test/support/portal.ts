import assert from 'node:assert/strict'
import type { Tenant, TestApp } from './app.ts'

type PageAnswer = { readonly status: number; readonly text: string; readonly headers: Headers }
/** A browser without scripts that keeps session cookies. */
export type Browser = (
  method: string,
  url: string,
  form?: Readonly<Record<string, string>>,
  site?: string,
) => Promise<PageAnswer>

export function openBrowser(app: Pick<TestApp, 'service'>): Browser {
  let cookie = ''
  return async (method, url, form, site = 'same-origin') => {
    const response = await fetch(new URL(url, app.service.url), {
      method,
      redirect: 'manual',
      headers: { cookie, 'sec-fetch-site': site, 'accept-language': 'en' },
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    })
    for (const set of response.headers.getSetCookie())
      if (set.startsWith('laurel_portal=')) cookie = set.split(';')[0] ?? ''
    const { status, headers } = response
    return { status, text: await response.text(), headers }
  }
}

/** Returns the path of an entry link for a user, registering the user with the publisher if necessary. */
export async function portalLink(tenant: Pick<Tenant, 'call'>, publisher_user_id: string): Promise<string> {
  await tenant.call('POST', '/users', { publisher_user_id, email: 'ada@example.com' })
  const { body, status } = await tenant.call('POST', '/portal/sessions', { publisher_user_id })
  assert.equal(status, 200, JSON.stringify(body))
  return new URL(body.url).pathname
}

type Entered = { readonly browser: Browser; readonly base: string }

export async function enterPortal(app: TestApp, tenant: Tenant, user: string): Promise<Entered> {
  const browser = openBrowser(app)
  const link = await portalLink(tenant, user)
  const answer = await browser('POST', link, {})
  assert.equal(answer.status, 303, answer.text)
  return { browser, base: link.replace(/\/enter\/.*/, '') }
}

/** Enters as a user and accepts the terms. */
export async function enterActive(app: TestApp, tenant: Tenant, user: string): Promise<Entered> {
  const entered = await enterPortal(app, tenant, user)
  await entered.browser('POST', `${entered.base}/terms`, { tnc_id: String(app.tncId) })
  return entered
}

/** Returns the hidden field values of the first form that posts to this path. */
export function hiddenFields(text: string, path: string): Record<string, string> {
  const form = text.slice(text.indexOf(`action="${path}`))
  const inputs = form.slice(0, form.indexOf('</form>')).matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)
  return Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, value]))
}
