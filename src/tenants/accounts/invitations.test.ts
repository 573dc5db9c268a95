import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { consoleAccounts, PASSWORD } from '../../../test/support/console-accounts.ts'

const app = await startTestApp({ settings: { LAUREL_DEMO: '1' } })
after(() => app.close())
const { openBrowser, mailed, mailedToken, signIn } = consoleAccounts(app)

test('an invitation does not reveal accounts elsewhere or reserve the address until it is accepted', async () => {
  const email = 'zoe@example.com'
  const { name } = (await app.call('GET', '/publishers/me')).body
  const invite = (as: typeof app.operator, path: string) => as('POST', path, { email, role: 'support' })
  const answers = [await invite(app.call, '/staff'), await invite(app.operator, '/operator/staff')]
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.email, body.status]),
    Array(2).fill([200, email, 'invited']),
  )
  for (const again of [await invite(app.call, '/staff'), await invite(app.operator, '/operator/staff')])
    assert.deepEqual([again.status, again.body.code], [409, 'email_taken'], 'invited by the same company')

  const isLink = (text: string) => text.includes('/console/invitation#')
  const [ofPublisher, ofOperators] = [
    await mailed(email, (text) => isLink(text) && text.includes(`(${name})`)),
    await mailed(email, (text) => isLink(text) && !text.includes(`(${name})`)),
  ].map((text) => /invitation#([\w-]{43})/.exec(text)?.[1])
  const accept = (token?: string) =>
    openBrowser()('POST', '/accounts/invitations/accept', { token, name: 'Zoe', password: PASSWORD })
  assert.equal((await accept(ofPublisher)).status, 200)
  const refused = await accept(ofOperators)
  assert.deepEqual([refused.status, refused.body.code], [409, 'email_taken'])
  assert.equal((await signIn(openBrowser(), email)).status, 200)

  const again = await app.operator('POST', `/operator/staff/${answers[1]?.body.account_id}/invite`)
  assert.deepEqual([again.status, again.body.status], [200, 'invited'])
  await mailed(email, (text) => text.includes('this address already has an account') && !isLink(text))
  await openBrowser()('POST', '/accounts/password/reset-request', { email })
  const token = await mailedToken(email, 'reset')
  const password = 'another sentence altogether'
  assert.equal((await openBrowser()('POST', '/accounts/password/reset', { token, password })).status, 200)
  assert.equal((await signIn(openBrowser(), email, password)).status, 200)
})

test('a person invited by several companies can set a password for any of them until one account has one', async () => {
  const email = 'yan@example.com'
  await app.call('POST', '/staff', { email, role: 'support' })
  await app.operator('POST', '/operator/staff', { email, role: 'support' })
  await openBrowser()('POST', '/accounts/password/reset-request', { email })
  const token = await mailedToken(email, 'reset')
  const other = await mailedToken(email, 'reset', token)
  const reset = (one: string) => openBrowser()('POST', '/accounts/password/reset', { token: one, password: PASSWORD })
  assert.equal((await reset(token)).status, 200)
  const refused = await reset(other)
  assert.deepEqual([refused.status, refused.body.code], [409, 'email_taken'])
})
