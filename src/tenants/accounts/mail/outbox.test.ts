import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { CONSOLE_WORDS, composeMail } from './compose.ts'
import { folderOutbox, smtpOutbox } from './outbox.ts'

const folder = await mkdtemp(join(tmpdir(), 'laurel-mails-'))
after(() => rm(folder, { recursive: true }))
const mail = composeMail(CONSOLE_WORDS.reset, 'mara@example.com', 'https://laurel.example/console/reset#a-token')

test('an email reaches the mail server with its sender, text, link and unsubscribe headers', async () => {
  const received: { from: string; to: string[]; content: string }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      text(stream).then((content) => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map((one) => one.address),
          content,
        })
        done()
      }, done)
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  const outbox = smtpOutbox(`smtp://127.0.0.1:${port}`, 'Laurel <rewards@laurel.example>')
  await outbox.send(mail)
  await outbox.send({ ...mail, unsubscribe: 'https://laurel.example/stop' })
  await new Promise<void>((resolve) => server.close(() => resolve()))
  const [only, stoppable] = received
  assert.deepEqual([received.length, only?.from, only?.to], [2, 'rewards@laurel.example', ['mara@example.com']])
  assert.match(only?.content ?? '', /^From: Laurel <rewards@laurel\.example>/m)
  assert.match(only?.content ?? '', /^https:\/\/laurel\.example\/console\/reset#a-token/m)
  assert.ok(!only?.content.includes('List-Unsubscribe'))
  assert.match(stoppable?.content ?? '', /^List-Unsubscribe: <https:\/\/laurel\.example\/stop>/m)
  assert.match(stoppable?.content ?? '', /^List-Unsubscribe-Post: List-Unsubscribe=One-Click/m)
  await assert.rejects(smtpOutbox(`smtp://127.0.0.1:${port}`, 'a@laurel.example').send(mail), /ECONNREFUSED/)
})

test('an address that the mail server rejects is omitted from the error, so it cannot reach the logs', async () => {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) =>
      done(Object.assign(new Error(`<${address}> is nobody here`), { responseCode: 550 })),
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  const sent = smtpOutbox(`smtp://127.0.0.1:${port}`, 'a@laurel.example').send(mail)
  const error = await sent.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  await new Promise<void>((resolve) => server.close(() => resolve()))
  assert.match(String(error), /550/)
  assert.ok(error instanceof Error && !`${error.message} ${error.stack}`.includes(mail.to))
})

test('without a mail server, emails are stored in owner-only files and listed newest first', async () => {
  const outbox = folderOutbox(folder, true)
  await outbox.send(mail)
  await outbox.send({ ...mail, to: 'nina@example.com' })
  assert.deepEqual(
    (await outbox.list?.())?.map(({ to, subject }) => [to, subject]),
    [
      ['nina@example.com', mail.subject],
      ['mara@example.com', mail.subject],
    ],
  )
  for (const name of await readdir(join(folder, 'mails')))
    assert.equal((await stat(join(folder, 'mails', name))).mode & 0o777, 0o600)
  assert.equal(folderOutbox(folder, false).list, null)
})
