import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { CATALOG, type Call, startTestApp, type TestApp } from '../../../test/support/app.ts'
import { CHECKING, openRedeemer, type Redeemer } from '../../../test/support/redemptions.ts'
import { verifyLedger } from '../../ledger/index.ts'
import { addDays, toWeekday } from '../../platform/calendar.ts'
import { systemClock } from '../../platform/clock.ts'
import { decodeId, encodeId } from '../../platform/ids.ts'
import { toLocalActor } from '../../tenants/accounts/index.ts'
import { setPayerAs } from './operate.ts'
import { listPayable } from './queries.ts'
import { verifyRedemptions } from './verify-queries.ts'

let app: TestApp
let finance: Call

const PAYER = {
  name: 'Laurel Rewards Inc',
  nacha: {
    companyId: '1234567890',
    odfiRouting: '021000021',
    immediateOrigin: '1234567890',
    immediateDestination: '021000021',
    immediateDestinationName: 'JPMORGAN CHASE',
  },
  account: { iban: 'DE89370400440532013000', bic: null },
}

before(async () => {
  app = await startTestApp()
  await app.catalog(CATALOG)
  finance = await app.staff('finance')
})

after(async () => {
  const { reader } = app.service.db
  assert.deepEqual([...(await verifyLedger(reader)), ...(await verifyRedemptions(reader))], [])
  await app.close()
})

const make = (redeemer: Redeemer, format: string, more: object = {}, call = finance) =>
  call('POST', '/operator/payout-files', { publisher_id: encodeId('pub', redeemer.publisher.id), format, ...more })

/** Creates users who each request a redemption by file. Returns the redemption IDs. */
async function asking(redeemer: Redeemer, names: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (const [index, name] of names.entries()) {
    await redeemer.user(name, 2)
    const account = { ...CHECKING, account_number: `44001234567${index}` }
    await redeemer.call('PUT', `/users/${name}/payout-destination`, account)
    const { body } = await redeemer.redeem(name, { method: 'file' })
    assert.equal(body.status, 'approved', JSON.stringify(body))
    ids.push(body.redemption_id)
  }
  return ids
}

const toReference = (redemptionId: string): string => redemptionId.slice(4).toUpperCase()

test('production files require a configured payer, and sandbox files always have a fictitious one', async () => {
  const production = await app.tenant({ environment: 'production' })
  const made = () =>
    finance('POST', '/operator/payout-files', { publisher_id: encodeId('pub', production.publisher.id), format: 'csv' })
  assert.equal((await made()).body.code, 'payer_missing')
  await app.service.db.transaction((tx) => setPayerAs(tx, systemClock, PAYER, toLocalActor('tests')))
  assert.equal((await made()).body.code, 'payout_file_empty')
  const redeemer = await openRedeemer(app)
  await asking(redeemer, ['ada'])
  const { body: file } = await make(redeemer, 'nacha')
  const content = (await finance('GET', `/operator/payout-files/${file.file_id}/content`)).body as string
  assert.match(content, /SANDBOX DO NOT PAY/)
  assert.doesNotMatch(content, /LAUREL|1234567890/)
  const open = (await finance('GET', '/operator/redemptions?status=sent')).body.content
  assert(open.every(({ environment }: { environment: string }) => environment === 'sandbox'))
})

test('each redemption is included in only one file', async () => {
  const redeemer = await openRedeemer(app)
  const ids = await asking(redeemer, ['ada', 'ben', 'cyd'])
  const { status, body: file } = await make(redeemer, 'nacha')
  assert.deepEqual([status, file.entries, file.total, file.left], [200, 3, 6, []])
  assert.equal((await make(redeemer, 'nacha')).body.code, 'payout_file_empty')
  for (const id of ids) assert.equal(await redeemer.readStatus(id), 'sent')
  assert.equal((await redeemer.call('POST', `/redemptions/${ids[0]}/cancel`)).status, 409)
  const read = () => finance('GET', `/operator/payout-files/${file.file_id}/content`)
  const content = (await read()).body as string
  assert.equal((await read()).body, content)
  for (const index of [0, 1, 2]) assert.match(content, new RegExp(`44001234567${index}`))
  const { content: entries } = (await app.operator('GET', `/operator/audit?subject=${file.file_id}`)).body
  const actions = entries.map(({ action }: { action: string }) => action)
  assert.deepEqual(actions, ['payout_file.opened', 'payout_file.opened', 'payout_file.created'])
  assert.doesNotMatch(JSON.stringify(entries), /44001234567/)
})

test('a redemption to an unreachable IBAN is left out of the file with a reason and stays approved', async () => {
  const redeemer = await openRedeemer(app)
  const ids: string[] = []
  for (const [name, iban] of [
    ['ada', 'DE89370400440532013000'],
    ['eda', 'TR330006100519786457841326'],
  ] as const) {
    await redeemer.user(name, 2)
    await redeemer.call('PUT', `/users/${name}/payout-destination`, { type: 'iban', holder_name: name, iban })
    ids.push((await redeemer.redeem(name, { method: 'file' })).body.redemption_id)
  }
  const [paid, left] = ids
  const { body } = await make(redeemer, 'pain.001')
  assert.equal(body.entries, 1)
  const reason = 'the IBAN belongs to a country outside SEPA, so the transfer needs a BIC'
  assert.deepEqual(body.left, [{ redemption_id: left, reason }])
  assert.deepEqual([await redeemer.readStatus(paid ?? ''), await redeemer.readStatus(left ?? '')], ['sent', 'approved'])
})

test('a payment day in the past or over a year ahead is refused, and a non-business day is reported', async () => {
  const redeemer = await openRedeemer(app)
  await asking(redeemer, ['ada'])
  const { detail } = (await make(redeemer, 'nacha', { pay_on: '2020-01-01' })).body
  const [, today = '', last = ''] = /^pay_on must be a day from today, (\S+), to (\S+)\.$/.exec(detail) ?? []
  assert.equal(last, addDays(today, 365))
  for (const pay_on of [addDays(today, -1), addDays(last, 1)]) {
    const { status, body } = await make(redeemer, 'nacha', { pay_on })
    const [fault] = body.errors
    assert.deepEqual([status, body.code, fault.field], [400, 'payout_file_invalid', 'pay_on'], JSON.stringify(body))
  }
  const saturday = addDays(today, 5 - toWeekday(today) + 7)
  const { body } = await make(redeemer, 'nacha', { pay_on: saturday })
  assert.deepEqual([body.pay_on, body.pay_on_closed], [saturday, 'a Saturday'])
  await asking(redeemer, ['ben'])
  assert.equal((await make(redeemer, 'nacha')).body.pay_on_closed, null)
})

test('entries in a bank response that are not from the payout file are listed, and the rest are applied', async () => {
  const redeemer = await openRedeemer(app)
  const [id] = await asking(redeemer, ['ada'])
  const { file_id } = (await make(redeemer, 'nacha')).body
  const sent = (await finance('GET', `/operator/payout-files/${file_id}/content`)).body as string
  const [header = '', batch = '', entry = '', batchControl = '', control = ''] = sent.split('\n')
  const trace = entry.slice(79)
  const answered = `6${entry.slice(1, 2)}1${entry.slice(3, 78)}1${trace}`
  const addenda = `799R03${trace}${' '.repeat(6)}${entry.slice(3, 11)}${' '.repeat(44)}${trace}`
  const debit = `626${answered.slice(3, 39)}${'RENT'.padEnd(15)}${answered.slice(54)}`
  const credit = `${answered.slice(0, 39)}CUSTOMER0000042${answered.slice(54)}`
  const end = `${control.slice(0, 13)}00000006${control.slice(21)}`
  const records = [debit, addenda, credit, addenda.replace('799', '705'), answered, addenda]
  const content = [header, batch, ...records, batchControl, end].join('  \r\n')
  const { status, body } = await finance('POST', `/operator/payout-files/${file_id}/answers`, { content })
  assert.deepEqual([status, body.failed], [200, 1], JSON.stringify(body))
  assert.deepEqual(body.skipped, [
    { line: 3, message: 'Transaction code "26" is not a response to a credit.' },
    { line: 6, message: 'CUSTOMER0000042 is not in the payout file.' },
  ])
  assert.equal(await redeemer.readStatus(id ?? ''), 'failed')
})

test('a bank response marks payouts as paid, failed or returned, and applying it again changes nothing', async () => {
  const redeemer = await openRedeemer(app)
  const [paid, failed, open] = await asking(redeemer, ['ada', 'ben', 'cyd'])
  const { file_id } = (await make(redeemer, 'csv')).body
  const answer = (lines: readonly string[]) =>
    finance('POST', `/operator/payout-files/${file_id}/answers`, {
      content: ['reference,status,code,message', ...lines, ''].join('\n'),
    })
  const [first, second, third] = [paid, failed, open].map((id) => toReference(id ?? ''))
  const lines = [`${first},paid,,`, `${second},failed,R02,Account closed`, 'A'.repeat(26).concat(',paid,,')]
  const { status, body } = await answer(lines)
  assert.deepEqual([status, body.paid, body.failed, body.unknown.length], [200, 1, 1, 1], JSON.stringify(body))
  const again = (await answer(lines)).body
  assert.deepEqual([again.paid, again.failed, again.unchanged], [0, 0, 2])
  const shown = (await redeemer.call('GET', `/redemptions/${failed}`)).body
  assert.deepEqual([shown.status, shown.reason, shown.reason_code], ['failed', 'destination_invalid', 'R02'])
  assert.deepEqual(await redeemer.balances('ben'), { available: 2, redeemed: 0, debt: 0 })
  const contradiction = (await answer([`${second},paid,,`])).body
  assert.deepEqual(contradiction.contradicted, [{ redemption_id: failed, status: 'failed' }])
  await answer([`${second},paid,,`])
  const { content } = (await finance('GET', '/operator/contradictions')).body
  const kept = content.filter(({ subject }: { subject: string }) => subject === failed)
  assert.deepEqual(
    kept.map((one: { known: string; reported: string }) => `${one.known} ${one.reported}`),
    ['failed paid'],
  )
  const settled = await finance('POST', `/operator/payout-files/${file_id}/settle`)
  assert.deepEqual([settled.body.paid, await redeemer.readStatus(open ?? '')], [1, 'paid'])
  const late = (await answer([`${third},returned,R03,`])).body
  assert.deepEqual([late.returned, await redeemer.readStatus(open ?? '')], [1, 'returned'])
  assert.deepEqual(await redeemer.balances('cyd'), { available: 2, redeemed: 0, debt: 0 })
})

test('a notification of change is reported with its redemption and does not change the destination', async () => {
  const redeemer = await openRedeemer(app)
  const [id] = await asking(redeemer, ['ada'])
  const { file_id } = (await make(redeemer, 'nacha')).body
  const destination = async () => (await redeemer.call('GET', '/users/ada/payout-destination')).body
  const before = await destination()
  const sent = (await finance('GET', `/operator/payout-files/${file_id}/content`)).body as string
  const [header = '', batch = '', entry = '', batchControl = '', control = ''] = sent.split('\n')
  const trace = entry.slice(79)
  const notice = `798C01${trace}${' '.repeat(6)}${entry.slice(3, 11)}${'99887766'.padEnd(44)}${trace}`
  const answered = `6${entry.slice(1, 2)}1${entry.slice(3, 78)}1${trace}`
  const end = `${control.slice(0, 13)}00000002${control.slice(21)}`
  const content = [header, batch, answered, notice, batchControl, end].join('\n')
  const { status, body } = await finance('POST', `/operator/payout-files/${file_id}/answers`, { content })
  assert.equal(status, 200, JSON.stringify(body))
  const [asked] = body.changes
  assert.deepEqual(
    [body.changes.length, asked.redemption_id, asked.code, asked.meaning],
    [1, id, 'C01', 'The account number has changed.'],
  )
  assert.match(asked.svc_user_id, /^usr_/)
  assert.deepEqual([body.failed, await redeemer.readStatus(id ?? '')], [0, 'sent'])
  assert.deepEqual(await destination(), before)
  const { content: entries } = (await app.operator('GET', `/operator/audit?subject=${file_id}`)).body
  assert.deepEqual(entries[0].after.changes, [{ redemption_id: id, code: 'C01' }])
  assert.doesNotMatch(JSON.stringify([body, entries]), /99887766/)
})

test('a file written before the formula guard covered small equals signs is downloaded unchanged', async () => {
  const redeemer = await openRedeemer(app)
  await redeemer.user('ada', 2)
  await redeemer.call('PUT', '/users/ada/payout-destination', { ...CHECKING, holder_name: '﹦Ada' })
  await redeemer.redeem('ada', { method: 'file' })
  const { file_id } = (await make(redeemer, 'csv')).body
  const read = async () => (await finance('GET', `/operator/payout-files/${file_id}/content`)).body as string
  const present = await read()
  assert.match(present, /,'﹦Ada,/)
  const former = present.replace("'﹦", '﹦')
  const hash = createHash('sha256').update(former).digest()
  await app.owner.reader`
    update payout_files set sha256 = ${hash} where file_id = ${decodeId('pof', file_id)}`
  assert.equal(await read(), former)
})

test('reading a large bank response does not block other calls', async () => {
  const redeemer = await openRedeemer(app)
  const [id = ''] = await asking(redeemer, ['ada'])
  const { file_id } = (await make(redeemer, 'csv')).body
  const rows = Array.from({ length: 20_000 }, () => `${toReference(id)},paid`)
  const content = ['reference,status', ...rows, ''].join('\n')
  let [turns, isRunning] = [0, false]
  const count = (): void => {
    turns++
    if (isRunning) setImmediate(count)
  }
  process.once('worker', (worker: Worker) => {
    isRunning = true
    worker.once('exit', () => {
      isRunning = false
    })
    count()
  })
  const { status, body } = await finance('POST', `/operator/payout-files/${file_id}/answers`, { content })
  assert.deepEqual([status, body.paid], [200, 1], JSON.stringify(body))
  assert.ok(turns > 100, `${turns} turns while a thread read the answer`)
})

test('a response with unreadable lines is refused with their line numbers, and nothing is applied', async () => {
  const redeemer = await openRedeemer(app)
  const [one] = await asking(redeemer, ['ada'])
  const { file_id } = (await make(redeemer, 'csv')).body
  const content = `reference,status\n${toReference(one ?? '')},paid\nwhat,ever\n`
  const { status, body } = await finance('POST', `/operator/payout-files/${file_id}/answers`, { content })
  assert.deepEqual([status, body.code, body.faults[0].line], [400, 'payout_answer_unreadable', 3], JSON.stringify(body))
  assert.equal(await redeemer.readStatus(one ?? ''), 'sent')
})

test('a redemption that the format cannot pay is left out of the file with a reason and stays approved', async () => {
  const redeemer = await openRedeemer(app)
  const [us] = await asking(redeemer, ['ada'])
  await redeemer.user('eva', 2)
  const german = { type: 'iban', holder_name: 'Eva', iban: 'DE89370400440532013000' }
  await redeemer.call('PUT', '/users/eva/payout-destination', german)
  const eva = (await redeemer.redeem('eva', { method: 'file' })).body.redemption_id
  const { body } = await make(redeemer, 'nacha')
  assert.deepEqual([body.entries, body.left.length, body.left[0].redemption_id], [1, 1, eva])
  assert.deepEqual([await redeemer.readStatus(us ?? ''), await redeemer.readStatus(eva)], ['sent', 'approved'])
})

test('concurrent file requests never pay a redemption twice', async () => {
  const redeemer = await openRedeemer(app)
  await asking(redeemer, ['ada', 'ben'])
  const made = await Promise.all(Array.from({ length: 5 }, () => make(redeemer, 'csv')))
  const entries = made.flatMap(({ status, body }) => (status === 200 ? [body.entries] : []))
  assert.deepEqual(entries, [2])
})

test('only the finance role can create and open files; the support role can only list them', async () => {
  const support = await app.staff('support')
  const redeemer = await openRedeemer(app)
  await asking(redeemer, ['ada'])
  assert.equal((await make(redeemer, 'csv', {}, support)).status, 403)
  const { file_id } = (await make(redeemer, 'csv')).body
  assert.equal((await support('GET', `/operator/payout-files/${file_id}/content`)).status, 403)
  const listed = (await support('GET', '/operator/payout-files')).body.content
  assert(listed.some((file: { file_id: string }) => file.file_id === file_id))
  assert.equal((await finance('GET', '/operator/payout-files/pof_01kbjyt5v3f4nvj5yq5yfypr9v/content')).status, 404)
})

test('a file can no longer be downloaded once its account numbers have been destroyed', async () => {
  const redeemer = await openRedeemer(app)
  await asking(redeemer, ['ada'])
  const { file_id } = (await make(redeemer, 'csv')).body
  await redeemer.call('DELETE', '/users/ada/payout-destination')
  const read = () => finance('GET', `/operator/payout-files/${file_id}/content`)
  assert.equal((await read()).status, 200)
  await finance('POST', `/operator/payout-files/${file_id}/settle`)
  assert.equal((await read()).body.code, 'payout_file_gone')
})

test('if the bank cannot load a NACHA file, a CSV response can release its redemptions', async () => {
  const redeemer = await openRedeemer(app)
  const [id = ''] = await asking(redeemer, ['ada'])
  const { file_id } = (await make(redeemer, 'nacha')).body
  const content = `reference,status,message\n${toReference(id)},failed,The bank refused the file\n`
  const { status } = await finance('POST', `/operator/payout-files/${file_id}/answers`, { content })
  assert.deepEqual([status, await redeemer.readStatus(id)], [200, 'failed'])
})

test("rejecting a file because of the payer's account does not remove users' destinations", async () => {
  const redeemer = await openRedeemer(app)
  await redeemer.user('ivy', 2)
  const german = { type: 'iban', holder_name: 'Ivy', iban: 'DE89370400440532013000' }
  await redeemer.call('PUT', '/users/ivy/payout-destination', german)
  await redeemer.redeem('ivy', { method: 'file' })
  const { file_id } = (await make(redeemer, 'pain.001')).body
  const content = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>
<GrpHdr><MsgId>B1</MsgId><CreDtTm>2026-03-05T08:00:00</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>${file_id.slice(4).toUpperCase()}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>
<GrpSts>RJCT</GrpSts><StsRsnInf><Rsn><Cd>AC01</Cd></Rsn></StsRsnInf></OrgnlGrpInfAndSts></CstmrPmtStsRpt></Document>`
  const { status, body } = await finance('POST', `/operator/payout-files/${file_id}/answers`, { content })
  assert.deepEqual([status, body.failed], [200, 1], JSON.stringify(body))
  assert.equal((await redeemer.call('GET', '/users/ivy/payout-destination')).status, 200)
})

test("files in other formats or for future days do not use up a day's NACHA file numbers", async () => {
  const ahead = await openRedeemer(app)
  await ahead.days(300)
  await asking(ahead, ['ada'])
  const [csv, nacha] = [await openRedeemer(app), await openRedeemer(app)]
  for (const redeemer of [csv, nacha]) await asking(redeemer, ['ada'])
  for (const [redeemer, format] of [
    [ahead, 'nacha'],
    [csv, 'csv'],
  ] as const)
    assert.equal((await make(redeemer, format)).status, 200)
  await app.owner.reader`
    insert into payout_files (file_id, publisher_id, format, currency, pay_on, number_of_day, payer, entries, total, sha256,
      created_by, created_at)
    select gen_random_uuid(), publisher_id, format, currency, pay_on, number_of_day, payer, entries, total, sha256,
      created_by, created_at
    from payout_files, generate_series(1, 36) where publisher_id in (${ahead.publisher.id}, ${csv.publisher.id})`
  const { status, body } = await make(nacha, 'nacha')
  await app.owner.reader`
    delete from payout_files where publisher_id in (${ahead.publisher.id}, ${csv.publisher.id})
      and file_id not in (select file_id from redemptions where file_id is not null)`
  assert.equal(status, 200, JSON.stringify(body))
})

test('redemptions that a format cannot pay do not crowd others out of its files', async () => {
  const redeemer = await openRedeemer(app)
  await redeemer.user('eva', 2)
  const german = { type: 'iban', holder_name: 'Eva', iban: 'DE89370400440532013000' }
  await redeemer.call('PUT', '/users/eva/payout-destination', german)
  for (let nth = 0; nth < 5; nth++) await redeemer.redeem('eva', { method: 'file', amount: 0.01 })
  const [us = ''] = await asking(redeemer, ['fay'])
  const { publisher } = redeemer
  const first = await app.service.db.snapshot((tx) => listPayable(tx, publisher.id, 'USD', ['us_bank_account'], 1))
  assert.deepEqual(
    first.map(({ redemptionId }) => encodeId('rdm', redemptionId)),
    [us],
  )
})
