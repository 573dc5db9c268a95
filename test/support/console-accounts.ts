import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Answer, callerOf, type TestApp } from './app.ts'
import { eventually } from './eventually.ts'

export const PASSWORD = 'a sentence that nobody guesses'

/** People with accounts at the console, in browsers of their own. */
export function consoleAccounts(app: TestApp) {
  const { url, config } = app.service

  /** A browser that has been nowhere yet: it keeps cookies, and its requests come from pages of the service. */
  function openBrowser() {
    const jar = new Map<string, string>()
    const ask = callerOf(url, null)
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

  /** The token in the newest mail of this kind to an address; waits until it is there. */
  async function mailedToken(to: string, kind: 'invitation' | 'reset', not = ''): Promise<string> {
    let token = ''
    await eventually(async () => {
      const listed = await readdir(join(config.dataDir, 'mails')).catch(() => [])
      const names = listed
        .filter((name) => name.endsWith('.json'))
        .sort()
        .reverse()
      const texts = await Promise.all(names.map((name) => readFile(join(config.dataDir, 'mails', name), 'utf8')))
      const text = texts.find((one) => one.includes(`"to": "${to}"`) && one.includes(`/console/${kind}#`)) ?? ''
      token = new RegExp(`/console/${kind}#([\\w-]{43})`).exec(text)?.[1] ?? ''
      return token !== '' && token !== not
    })
    return token
  }

  /** Someone who was invited and has accepted. */
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

  return { openBrowser, mailedToken, person, signIn }
}
