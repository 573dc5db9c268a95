import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestDatabase } from '../../../../test/support/postgres.ts'
import { createLog } from '../../../platform/telemetry/log.ts'
import { createPublisher } from '../../publishers/index.ts'
import { invitePerson } from '../people.ts'
import type { Mail } from './compose.ts'
import { createMails } from './send.ts'

const db = await openTestDatabase('send_mails')
after(() => db.close())

const EMAIL = 'zoe@example.com'
const NAMES = /Acorn|Birch|Cedar|Dogwood|Elm|Fir/
const BY = { id: 'root', name: 'root' }
let nowMs = Date.parse('2026-03-12T10:00:00Z')
const clock = { now: () => new Date(nowMs) }

async function invite(name: string): Promise<void> {
  await db.transaction(async (tx) => {
    const publisher = await createPublisher(tx, { name, environment: 'sandbox' }, clock.now())
    await invitePerson(tx, { email: EMAIL, publisherId: publisher.id, role: 'support' }, BY, clock.now())
  })
}

/**
 * Sends the emails that are due.
 * @param meanwhile runs while an email is being sent
 */
async function sendDue(meanwhile: () => Promise<void> = async () => undefined): Promise<readonly Mail[]> {
  const sent: Mail[] = []
  const send = async (mail: Mail): Promise<void> => {
    sent.push(mail)
    await meanwhile()
  }
  const deps = { db, clock, log: createLog('silent'), outbox: { send, list: null }, baseUrl: 'https://laurel.example' }
  const work = createMails(deps)
  await work.pass()
  await work.drain()
  nowMs += 1_000
  return sent
}
const companies = (mails: readonly Mail[]) => mails.map(({ subject }) => NAMES.exec(subject)?.[0]).sort()

test('an email queued again while it is being sent is sent again with its current contents', async () => {
  await invite('Acorn')
  assert.deepEqual(companies(await sendDue(() => invite('Birch'))), ['Acorn'])
  assert.deepEqual(companies(await sendDue()), ['Acorn', 'Birch'])
  assert.deepEqual(await sendDue(), [])
})

test('an email queued again during a failed attempt is retried immediately', async () => {
  await invite('Cedar')
  await sendDue(async () => {
    if (!(await isInvited('Dogwood'))) await invite('Dogwood')
    throw new Error('the mail server is down')
  })
  assert.deepEqual(companies(await sendDue()), ['Acorn', 'Birch', 'Cedar', 'Dogwood'])
})

test('a waiting email is sent once, no matter how often it is queued', async () => {
  for (const name of ['Elm', 'Fir']) await invite(name)
  const mails = await sendDue()
  assert.equal(companies(mails).filter((name) => name === 'Elm').length, 1)
  assert.deepEqual(await sendDue(), [])
})

const isInvited = async (name: string): Promise<boolean> =>
  (await db.reader`select from publishers where name = ${name}`).length > 0
