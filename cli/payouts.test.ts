import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { accrue, closeBook, mature, openBook } from '../src/ledger/index.ts'
import { requestRedemption, setDestination } from '../src/payouts/redemptions/index.ts'
import { readConfig } from '../src/platform/config/config.ts'
import { decodeId, newUuid } from '../src/platform/ids.ts'
import { openStorage } from '../src/storage.ts'
import { getPublisher } from '../src/tenants/publishers/index.ts'
import { createUser } from '../src/users/users/index.ts'
import { testDatabase } from '../test/support/postgres.ts'
import { dataFolder, laurel, laurelJson } from './test-support.ts'

const { url } = await testDatabase('cli_payouts')
const folder = await dataFolder()
const env = { DATABASE_URL: url, LAUREL_DATA_DIR: folder }
const { publisher_id } = await laurelJson(['publishers', 'create', '--name', 'Acme', '--environment', 'sandbox'], env)

/** Registers users and requests a payout of 10.00 by file for each. */
async function asking(names: readonly string[]): Promise<void> {
  const { db, vault, close } = await openStorage(readConfig(env))
  const publisherId = decodeId<'publisher'>('pub', publisher_id)
  assert(publisherId !== null)
  const now = new Date()
  for (const [index, name] of names.entries())
    await db.transaction(async (tx) => {
      const publisher = await getPublisher(tx, publisherId)
      const input = { publisherUserId: name, email: null, primaryZipCode: null, attributes: null }
      const { user } = await createUser(tx, publisher, input, now)
      const book = await openBook(tx, publisher, [user.userId])
      const [cause, split] = [
        { id: newUuid(), version: 1, currency: 'USD', effectiveAt: now },
        { user: 1_000n, publisher: 0n, fee: 0n },
      ]
      accrue(book, user.userId, cause, 'brand', split)
      mature(book, user.userId, cause, split)
      await closeBook(tx, book)
      const account = { holderName: name, routingNumber: '021000021', accountNumber: `44001234567${index}` }
      const destination = { type: 'us_bank_account', accountType: 'checking', ...account } as const
      await setDestination(tx, vault, publisher, { publisherUserId: name, destination }, now)
      const request = {
        publisherUserId: name,
        currency: 'USD',
        amount: null,
        method: 'file',
        externalRef: null,
      } as const
      await requestRedemption(tx, publisher, request, now)
    })
  await close()
}

test("an operator sets the payer, creates a payout file, imports the bank's response and settles the rest", async () => {
  await asking(['ada', 'ben'])
  const production = ['publishers', 'create', '--name', 'Real', '--environment', 'production', '--links-cards', 'false']
  const { publisher_id: real } = await laurelJson(production, env)
  const none = await laurel(['payouts', 'file', '--publisher', real, '--format', 'nacha'], env)
  assert.deepEqual([none.code, none.stderr], [1, 'Configure the payer first with `laurel payouts payer`.\n'])
  const wrong = await laurel(['payouts', 'payer', '--name', 'Acme Inc', '--iban', 'DE00'], env)
  assert.equal(wrong.code, 2, wrong.stderr)
  const nacha = ['--nacha-company-id', '1234567890', '--nacha-odfi', '021000021', '--nacha-origin', '1234567890']
  const payer = ['payouts', 'payer', '--name', 'Acme Inc', ...nacha, '--nacha-destination-name', 'JPMORGAN CHASE']
  const set = await laurel(payer, env)
  assert.equal(set.code, 0, set.stderr)
  assert.match(set.stdout, /^nacha {5}files can be created$/m)
  assert.equal((await laurelJson(['payouts', 'payer'], env)).name, 'Acme Inc')
  const { redemptions } = await laurelJson(['payouts', 'list', '--status', 'approved'], env)
  assert.equal(redemptions.length, 2)
  const made = await laurelJson(['payouts', 'file', '--publisher', publisher_id, '--format', 'csv'], env)
  assert.deepEqual([made.entries, made.total, made.left], [2, '20.00', []])
  const { files } = await laurelJson(['payouts', 'files'], env)
  assert.equal(files[0].file_id, made.file_id)
  const content = await laurel(['payouts', 'content', made.file_id], env)
  assert.match(content.stdout, /440012345670/)
  const reference = redemptions[0].redemption_id.slice(4).toUpperCase()
  const path = join(folder, 'answer.csv')
  const nowhere = await laurel(['payouts', 'answer', made.file_id, path], env)
  assert.deepEqual([nowhere.code, nowhere.stderr], [1, `There is no file ${path}.\n`])
  const refused = `reference;status;code;message\n${reference};failed;R03;Račun zatvoren\n`
  await writeFile(path, Buffer.from(refused.replace('č', '\xe8'), 'latin1'))
  const answered = await laurel(['payouts', 'answer', made.file_id, path, '--encoding', 'windows-1250'], env)
  assert.deepEqual([answered.code, answered.stdout], [0, '0 paid, 1 failed, 0 returned, 0 unchanged\n'])
  const settled = await laurelJson(['payouts', 'settle', made.file_id], env)
  assert.equal(settled.paid, 1)
  await writeFile(path, `reference,status\n${reference},paid\n`)
  const contradicted = await laurel(['payouts', 'answer', made.file_id, path], env)
  assert.equal(contradicted.code, 1)
  assert.match(contradicted.stderr, /rdm_\w+ is failed, which contradicts the bank's response/)
  const { ok } = await laurelJson(['ledger', 'verify'], env)
  assert.equal(ok, true)
  const { entries } = await laurelJson(['audit', 'list', '--subject', made.file_id], env)
  const actions = entries.map(({ action }: { action: string }) => action).sort()
  const expected = ['answered', 'answered', 'created', 'opened', 'settled'].map((done) => `payout_file.${done}`)
  assert.deepEqual(actions, expected)
})

test("redemption settings are set and shown in the publisher's currency", async () => {
  const options = [
    '--redemption-minimum',
    '5',
    '--redemption-review-above',
    '100.50',
    '--redemption-user-day-max',
    'none',
  ]
  const set = await laurelJson(['publishers', 'set', publisher_id, ...options], env)
  assert.deepEqual(
    [set.redemption_minimum, set.redemption_review_above, set.redemption_user_day_max],
    ['5.00', '100.50', null],
  )
  for (const wrong of [
    ['--redemption-minimum', 'none'],
    ['--redemption-minimum', '0'],
    ['--redemption-review-above', '1.005'],
    ['--redemption-methods', 'wire'],
    ['--destination-cool-down-hours', '100000'],
  ])
    assert.notEqual((await laurel(['publishers', 'set', publisher_id, ...wrong], env)).code, 0, wrong.join(' '))
  const production = ['publishers', 'create', '--name', 'Live', '--environment', 'production', '--links-cards', 'false']
  const { publisher_id: live } = await laurelJson(production, env)
  const simulated = await laurel(['publishers', 'set', live, '--redemption-methods', 'simulated'], env)
  assert.match(simulated.stderr, /Only a sandbox/)
})
