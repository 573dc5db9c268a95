import assert from 'node:assert/strict'
import { test } from 'node:test'
import { day, openBank, request, usAccount } from './test-support.ts'

const iban = (more: object) => ({
  destination: { type: 'iban', holder_name: 'Ann', iban: 'DE44123456780000000000', bic: null, ...more },
})
const us = (more: object) => ({ destination: usAccount('00', more) })

const MALFORMED: readonly (readonly [field: string, fault: object])[] = [
  ['account', { account: '' }],
  ['account', { account: 'a'.repeat(65) }],
  ['account', { account: undefined }],
  ['reference', { reference: 'a b' }],
  ['reference', { reference: 'a'.repeat(65) }],
  ['amount', { amount: '0.00' }],
  ['amount', { amount: '-1.00' }],
  ['amount', { amount: '1.234' }],
  ['amount', { amount: '01.00' }],
  ['amount', { amount: '1e3' }],
  ['amount', { amount: 12.34 }],
  ['currency', { currency: 'usd' }],
  ['at', { at: '2026-03-01' }],
  ['at', { at: '2026-02-30T12:00:00Z' }],
  ['at', { at: '2026-03-01T12:00:00' }],
  ['colour', { colour: 'red' }],
  ['destination', { destination: undefined }],
  ['destination', { destination: 'here' }],
  ['destination.type', { destination: {} }],
  ['destination.type', { destination: { type: 'cheque', holder_name: 'Ann' } }],
  ['destination.holder_name', us({ holder_name: ' ' })],
  ['destination.routing_number', us({ routing_number: '12345678' })],
  ['destination.account_number', us({ account_number: '123' })],
  ['destination.account_number', us({ account_number: '1'.repeat(18) })],
  ['destination.account_type', us({ account_type: 'loan' })],
  ['destination.iban', us({ iban: 'DE44123456780000000000' })],
  ['destination.iban', iban({ iban: 'DE44 1234 5678 0000 0000 00' })],
  ['destination.iban', iban({ iban: undefined })],
  ['destination.bic', iban({ bic: 'NOBIC' })],
  ['destination.bic', iban({ bic: undefined })],
]

test('a malformed payout is rejected with the name of the invalid field, and nothing is recorded', async (t) => {
  const bank = await openBank(t)
  for (const [field, fault] of MALFORMED) {
    const { status, body } = await bank.pay(request('ref', '00', fault))
    const what = JSON.stringify(fault)
    assert.deepEqual([status, body.error?.code, body.error?.field], [400, 'invalid', field], what)
    assert.ok(body.error.message.length > 0)
  }
  assert.deepEqual(await bank.payouts(), [])
})

test('a well-formed payout that cannot be paid is rejected permanently', async (t) => {
  const bank = await openBank(t)
  const unpayable: readonly (readonly [code: string, fault: object])[] = [
    ['destination_invalid', us({ routing_number: '123456789' })],
    ['destination_invalid', iban({ iban: 'DE45123456780000000000' })],
    ['currency_unsupported', { currency: 'GBP' }],
  ]
  for (const [code, fault] of unpayable) {
    const { status, body } = await bank.pay(request('ref', '00', fault))
    assert.deepEqual([status, body.error.code], [422, code])
    assert.ok(body.error.message.length > 0)
  }
  assert.deepEqual(await bank.payouts(), [])
  for (const [index, fault] of [iban({ bic: 'ABCDDEFF' }), iban({ bic: 'ABCDDEFFXXX' }), us({})].entries()) {
    assert.equal((await bank.pay(request(`ref-${index}`, '00', fault))).status, 200)
  }
})

test('a malformed request for events is rejected with the name of the invalid field', async (t) => {
  const bank = await openBank(t)
  const good = { account: 'acct-a', at: day(1) }
  for (const [field, query] of [
    ['account', { at: day(1) }],
    ['at', { account: 'acct-a' }],
    ['at', { ...good, at: 'now' }],
    ['after', { ...good, after: '-1' }],
    ['limit', { ...good, limit: '0' }],
    ['limit', { ...good, limit: '501' }],
    ['page', { ...good, page: '2' }],
  ] as const) {
    const { status, body } = await bank.askEvents(query)
    assert.deepEqual([status, body.error.code, body.error.field], [400, 'invalid', field])
  }
  for (const limit of ['1', '99', '499', '500']) assert.equal((await bank.askEvents({ ...good, limit })).status, 200)
})

test('a body that is not JSON and a call without a bearer token are rejected', async (t) => {
  const { url } = await openBank(t)
  type Refusal = { error: { code: string; message: string } }
  const post = async (headers: Record<string, string>, body: string) => {
    const answer = await fetch(`${url}/payouts/v1/payouts`, { method: 'POST', headers, body })
    const { error } = (await answer.json()) as Refusal
    assert.ok(error.message.length > 0)
    return [answer.status, error.code]
  }
  const json = { 'content-type': 'application/json' }
  assert.deepEqual(await post({ ...json, authorization: 'Bearer any' }, '{"account"'), [400, 'invalid'])
  const good = JSON.stringify(request('ref'))
  for (const authorization of ['', 'Bearer', 'Bearer ', 'Basic YTpi']) {
    assert.deepEqual(await post({ ...json, authorization }, good), [401, 'unauthorized'], authorization)
  }
  assert.deepEqual(await post(json, good), [401, 'unauthorized'])
  assert.equal((await fetch(`${url}/payouts/v1/events?account=acct-a&at=${day(1)}`)).status, 401)
})
