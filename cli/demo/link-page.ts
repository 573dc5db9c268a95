import { performance } from 'node:perf_hooks'
import { UserError } from '../errors.ts'
import { showCall } from './caller.ts'

const PAGE_LIMIT_MS = 5_000

type Linked = {
  readonly public_token: string
  readonly institution_id: string
  readonly institution_name: string
}

/**
 * Completes the simulator's link page as a browser would: bank, sign-in, cards, and finally the public token. Each
 * username has different accounts.
 */
export async function completeLinkPage(
  linkUrl: string,
  bank: { readonly id: string; readonly name: string },
  username: string,
): Promise<Linked> {
  const begun = performance.now()
  const session = await follow(linkUrl)
  const walk = session.slice(0, session.lastIndexOf('/'))
  await post(`${walk}/sign-in`, [
    ['institution_id', bank.id],
    ['username', username],
    ['password', 'pass_good'],
  ])
  const accounts = [...(await page(`${walk}/accounts`)).matchAll(/name="account_id" value="([^"]+)"/g)].flatMap(
    ([, id]) => (id === undefined ? [] : [id]),
  )
  const done = await page(
    await post(
      `${walk}/accounts`,
      accounts.map((id): [string, string] => ['account_id', id]),
    ),
  )
  const token = /public-sandbox-[0-9a-f-]{36}/.exec(done)?.[0]
  if (token === undefined) throw new UserError("The simulator's link page ended without a public token.")
  showCall('GET', `simulator${new URL(linkUrl).pathname}`, performance.now() - begun, { page: 'bank, sign-in, cards' })
  return { public_token: token, institution_id: bank.id, institution_name: bank.name }
}

async function page(url: string): Promise<string> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(PAGE_LIMIT_MS) })
  if (answer.status !== 200) throw new UserError(`The simulator's link page responded with ${answer.status}.`)
  return answer.text()
}

async function follow(url: string, init: RequestInit = {}): Promise<string> {
  const answer = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(PAGE_LIMIT_MS) })
  await answer.arrayBuffer()
  const location = answer.headers.get('location')
  if (answer.status !== 303 || location === null)
    throw new UserError(`The simulator's link page responded with ${answer.status}.`)
  return new URL(location, url).href
}

function post(url: string, form: [string, string][]): Promise<string> {
  return follow(url, { method: 'POST', body: new URLSearchParams(form) })
}
