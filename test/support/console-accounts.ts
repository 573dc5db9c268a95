import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Answer, makeCaller, type TestApp } from './app.ts'
import { eventually } from './eventually.ts'

export const PASSWORD = 'a sentence that nobody guesses'

/** Creates people with console accounts, each with their own browser. */
export function consoleAccounts(app: TestApp) {
  const { url, config } = app.service

  /** Opens a new browser that keeps cookies and sends requests as if from the service's pages. */
  function openBrowser() {
    const jar = new Map<string, string>()
    const ask = makeCaller(url, null)
    return async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const answer = await ask(method, path, body, {
        'sec-fetch-site': 'same-origin',
        ...(cookie && { cookie }),
        ...headers,
      })
      for (const set of answer.headers.getSetCookie()) {
        const [name = '', value = ''] = (set.split(';')[0] ?? '').split('=')
        if (value === '') jar.delete(name)
        else jar.set(name, value)
      }
      return answer
    }
  }
  type Browser = ReturnType<typeof openBrowser>

  /** Waits for a matching email to this address, and returns the newest one. */
  async function mailed(to: string, isWanted: (text: string) => boolean): Promise<string> {
    let found = ''
    await eventually(async () => {
      const listed = await readdir(join(config.dataDir, 'mails')).catch(() => [])
      const names = listed.filter((name) => name.endsWith('.json')).sort()
      const texts = await Promise.all(names.map((name) => readFile(join(config.dataDir, 'mails', name), 'utf8')))
      found = texts.findLast((one) => one.includes(`"to": "${to}"`) && isWanted(one)) ?? ''
      return found !== ''
    })
    return found
  }

  /** Returns the token in the newest email of this kind to the address. */
  async function mailedToken(to: string, kind: 'invitation' | 'reset', not = ''): Promise<string> {
    const tokenIn = (text: string) => new RegExp(`/console/${kind}#([\\w-]{43})`).exec(text)?.[1] ?? ''
    return tokenIn(await mailed(to, (text) => !['', not].includes(tokenIn(text))))
  }

  /** Invites a person and accepts the invitation as them. */
  async function person(email: string, role = 'admin'): Promise<{ browser: Browser; accountId: string }> {
    const invited = await app.operator('POST', '/operator/staff', { email, role })
    assert.equal(invited.status, 200, JSON.stringify(invited.body))
    const browser = openBrowser()
    const token = await mailedToken(email, 'invitation')
    const accepted = await browser('POST', '/accounts/invitations/accept', {
      token,
      name: 'Mara Rossi',
      password: PASSWORD,
    })
    assert.deepEqual([accepted.status, accepted.body.state], [200, 'signed_in'])
    return { browser, accountId: invited.body.account_id }
  }

  const signIn = (browser: Browser, email: string, password = PASSWORD): Promise<Answer> =>
    browser('POST', '/accounts/sign-in', { email, password })

  return { openBrowser, mailed, mailedToken, person, signIn }
}
