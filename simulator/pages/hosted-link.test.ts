import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkTokenBody, openReceiver, openSimulator, type TestSimulator } from '../test-support.ts'
import { signIn, useBrowser } from './test-support.ts'

// Hosted Link: the provider's page without any script in the app. The app learns the result by webhook or by polling.

const openPage = useBrowser()

type Made = { readonly link_token: string; readonly hosted_link_url: string; readonly expiration: string }
type Session = {
  readonly link_session_id: string
  readonly events: { event_name: string; event_metadata: Record<string, string> }[]
  readonly exit: { error: object | null; metadata: { status: string } } | null
  readonly results: { item_add_results: { public_token: string; institution: object }[] } | null
}

async function make({ call }: TestSimulator, webhook: string, hosted_link: object): Promise<Made> {
  return (await call<Made>('/link/token/create', linkTokenBody({ webhook, hosted_link }))).body
}

async function readSessions({ call }: TestSimulator, link_token: string): Promise<Session[]> {
  return (await call<{ link_sessions: Session[] }>('/link/token/get', { link_token })).body.link_sessions
}

test('a finished Hosted Link session sends webhooks, is listed, and redirects to the completion address', async (t) => {
  const simulator = await openSimulator(t)
  const receiver = await openReceiver(t)
  const page = await openPage(t)
  const completion_redirect_uri = `${simulator.url}/?q=done`
  const { link_token, hosted_link_url } = await make(simulator, receiver.url, { completion_redirect_uri })
  await page.goto(hosted_link_url)
  await page.getByRole('link', { name: 'Continue' }).click()
  await page.getByRole('link', { name: 'First Platypus Bank' }).click()
  await signIn(page)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(completion_redirect_uri)

  const [added, events, finished] = [await receiver.next(), await receiver.next(), await receiver.next()]
  const [session, ...others] = await readSessions(simulator, link_token)
  assert.deepEqual(others, [])
  const [result] = session?.results?.item_add_results ?? []
  assert.deepEqual(result?.institution, { institution_id: 'ins_109508', name: 'First Platypus Bank' })
  const about = { environment: 'sandbox', link_session_id: session?.link_session_id, link_token, webhook_type: 'LINK' }
  const public_token = result?.public_token
  assert.deepEqual(added.content, { ...about, webhook_code: 'ITEM_ADD_RESULT', public_token })
  const end = { ...about, webhook_code: 'SESSION_FINISHED', status: 'SUCCESS', public_tokens: [public_token] }
  assert.deepEqual(finished.content, end)
  assert.deepEqual(events.content, { ...about, webhook_code: 'EVENTS', events: session?.events })
  assert.equal(session?.events.at(-1)?.event_name, 'HANDOFF')
  assert.equal((await simulator.call('/item/public_token/exchange', { public_token })).status, 200)
  await page.goto(hosted_link_url)
  await page.getByRole('heading', { name: 'This link has expired' }).waitFor()
})

test("a completion address may use an app's own scheme, but not one that executes in the page", async (t) => {
  const simulator = await openSimulator(t)
  const asked = async (completion_redirect_uri: string) =>
    (await simulator.call('/link/token/create', linkTokenBody({ hosted_link: { completion_redirect_uri } }))).status
  for (const address of ['javascript:alert(1)', 'data:text/html,x', 'nowhere']) assert.equal(await asked(address), 400)
  for (const address of ['https://app.example/end', 'cornershop://linked']) assert.equal(await asked(address), 200)
})

test('leaving Hosted Link is reported as EXITED, and the page states that nothing was connected', async (t) => {
  const simulator = await openSimulator(t)
  const receiver = await openReceiver(t)
  const page = await openPage(t)
  const { link_token, hosted_link_url } = await make(simulator, receiver.url, {})
  await page.goto(hosted_link_url)
  await page.getByRole('link', { name: 'Leave' }).click()
  await page.getByText('Corner Shop Rewards cannot see any of your accounts').waitFor()
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.getByText('Nothing was connected.').waitFor()

  await receiver.next()
  const { status, public_tokens, webhook_code } = (await receiver.next()).content
  assert.deepEqual({ status, public_tokens, webhook_code }, EXITED)
  const [session] = await readSessions(simulator, link_token)
  assert.deepEqual([session?.exit?.error, session?.exit?.metadata.status], [null, 'requires_credentials'])
  assert.equal(session?.results, null)
})

const EXITED = { status: 'EXITED', public_tokens: [], webhook_code: 'SESSION_FINISHED' }

test('a Hosted Link URL has the requested lifetime, and its sessions are listed for six hours', async (t) => {
  const simulator = await openSimulator(t)
  const page = await openPage(t)
  const url_lifetime_seconds = 7 * 86_400
  const { link_token, hosted_link_url, expiration } = await make(simulator, simulator.url, { url_lifetime_seconds })
  const lifeMs = Date.parse(expiration) - Date.now()
  assert.ok(Math.abs(lifeMs - url_lifetime_seconds * 1_000) < 60_000)
  await simulator.control('clock', { offset_seconds: url_lifetime_seconds - 60 })
  await page.goto(hosted_link_url)
  await page.getByRole('link', { name: 'Leave' }).click()
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.getByText('Nothing was connected.').waitFor()

  await simulator.control('clock', { offset_seconds: url_lifetime_seconds + 3_600 })
  assert.equal((await readSessions(simulator, link_token)).length, 1)
  await page.goto(hosted_link_url)
  await page.getByRole('heading', { name: 'This link has expired' }).waitFor()
  await simulator.control('clock', { offset_seconds: url_lifetime_seconds + 7 * 3_600 })
  assert.equal((await simulator.call('/link/token/get', { link_token })).body.error_code, 'INVALID_LINK_TOKEN')
})
