import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { TOTP } from 'otpauth'
import { startTestApp } from '../../../../test/support/app.ts'
import { createAuthenticator } from '../../../../test/support/authenticator.ts'
import { eventually } from '../../../../test/support/eventually.ts'

const app = await startTestApp({ settings: { LAUREL_DEMO: '1' } })
after(() => app.close())

type Kept = { readonly to: string; readonly subject: string; readonly text: string }
const folder = join(app.service.config.dataDir, 'mails')
const mailsTo = async (address: string): Promise<Kept[]> => {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'))
  const mails = names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8')) as Kept)
  return (await Promise.all(mails)).filter(({ to }) => to === address)
}

async function done(method: string, path: string, body?: unknown) {
  const answer = await app.person(method, path, body)
  assert.equal(answer.status, 200, `${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

test('staff are emailed about changes to their sign-in methods and told what to do if it was not them', async () => {
  const { email } = await done('GET', '/accounts/me')
  const { secret } = await done('POST', '/accounts/totp')
  await done('POST', '/accounts/totp/confirm', { code: new TOTP({ secret }).generate() })
  const { origin } = await done('GET', '/accounts/passkeys')
  const { options } = await done('POST', '/accounts/passkeys/options')
  const made = createAuthenticator(origin).make(options)
  const { passkey_id: passkeyId } = await done('POST', '/accounts/passkeys', {
    name: 'Phone',
    ...made,
  })
  await done('PATCH', `/accounts/passkeys/${passkeyId}`, { name: 'Telephone' })
  await done('DELETE', `/accounts/passkeys/${passkeyId}`)
  await done('DELETE', '/accounts/totp')
  await done('POST', '/accounts/password', { password: 'a sentence that nobody guesses' })
  const told = [
    'A passkey was added to your Laurel account',
    'A passkey was removed from your Laurel account',
    'An authenticator app was added to your Laurel account',
    'The authenticator app was removed from your Laurel account',
    'Your Laurel password was changed',
  ]
  await eventually(async () => (await mailsTo(email)).length >= told.length)
  const mails = await mailsTo(email)
  assert.deepEqual(mails.map(({ subject }) => subject).sort(), told)
  for (const { text } of mails) assert.match(text, /\/console\/reset\n/)
})
