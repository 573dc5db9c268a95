import assert from 'node:assert/strict'
import { request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { type Answer, CATALOG, isBusy, startTestApp, type TestApp } from '../support/app.ts'
import { problemFault } from './operations.ts'

// The limits on a request's size, nesting and encoding: what the input checks reject, and what they still accept.

let app: TestApp
const MIB = 1024 * 1024
/** Builds an identifier of the maximum length: 255 characters, all but the last of four bytes. */
const longest = (last: string): string => '𝄞'.repeat(254) + last

before(async () => {
  app = await startTestApp()
  await app.catalog(CATALOG)
})

after(() => app.close())

type Raw = { readonly type?: string | null; readonly path?: string; readonly headers?: Record<string, string> }

/** Sends a request with exactly these bytes and this content type. */
async function post(body: string | Buffer, raw: Raw = {}): Promise<Answer> {
  const answer = await postOnce(body, raw)
  return isBusy(answer.status, answer.body) ? post(body, raw) : answer
}

function postOnce(body: string | Buffer, { type = 'application/json', path = '/users', headers = {} }: Raw) {
  const sent = request(new URL(path, app.service.url), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${app.apiKey}`,
      ...(type === null ? {} : { 'content-type': type }),
      'content-length': Buffer.byteLength(body),
      ...headers,
    },
  })
  sent.end(body)
  return new Promise<Answer>((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', (response) => {
      const received = new Headers(response.headers as Record<string, string>)
      text(response).then((whole) => {
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(whole), headers: received })
      }, reject)
    })
  })
}

test('an unreadable or ambiguous body is rejected with the reason', async () => {
  const nested = (depth: number) =>
    `{"publisher_user_id":"deep","attributes":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
  const rows: [what: string, answer: Answer, status: number, code: string, field?: string][] = [
    ['broken JSON', await post('{"publisher_user_id":'), 400, 'body_unreadable'],
    ['depth 33', await post(nested(33)), 400, 'body_unreadable'],
    ['depth 10,000', await post(nested(10_000)), 400, 'body_unreadable'],
    ['depth 32 of the wrong type', await post(nested(32)), 400, 'invalid_input', 'attributes'],
    ['not UTF-8', await post(Buffer.from('{"a":"\xff"}', 'latin1')), 400, 'body_unreadable'],
    [
      'a name twice',
      await post('{"publisher_user_id":"a","publisher_user_id":"b"}'),
      400,
      'invalid_input',
      'publisher_user_id',
    ],
    ['1e400', await post('{"publisher_user_id":"a","attributes":{"n":1e400}}'), 400, 'invalid_input', 'attributes.n'],
    [
      '2^53 + 1',
      await post('{"publisher_user_id":"a","attributes":{"n":9007199254740993}}'),
      400,
      'invalid_input',
      'attributes.n',
    ],
    ['__proto__', await post('{"publisher_user_id":"a","__proto__":{"x":1}}'), 400, 'invalid_input', '__proto__'],
    [
      'a name twice next to 900 KB',
      await post(`{"publisher_user_id":"${'x'.repeat(900_000)}","publisher_user_id":"b"}`),
      400,
      'invalid_input',
      'publisher_user_id',
    ],
    ['an array', await post('[]'), 400, 'invalid_input', 'body'],
    ['null', await post('null'), 400, 'invalid_input', 'body'],
    ['nothing', await post(''), 400, 'invalid_input', 'publisher_user_id'],
    ['text', await post('{}', { type: 'text/plain' }), 415, 'unsupported_media_type'],
    ['a form', await post('a=1', { type: 'application/x-www-form-urlencoded' }), 415, 'unsupported_media_type'],
    ['no content type', await post('{}', { type: null }), 415, 'unsupported_media_type'],
    ['UTF-16', await post('{}', { type: 'application/json; charset=utf-16' }), 415, 'unsupported_media_type'],
    ['Latin 1', await post('{}', { type: 'application/json;CHARSET="ISO-8859-1"' }), 415, 'unsupported_media_type'],
    ['compressed', await post('{}', { headers: { 'content-encoding': 'gzip' } }), 415, 'unsupported_media_type'],
  ]
  for (const [what, answer, status, code, field] of rows) {
    assert.equal(problemFault(answer, status, '/users'), null, what)
    assert.equal(answer.body.code, code, what)
    if (field !== undefined)
      assert.deepEqual([answer.body.errors.length, answer.body.errors[0].field], [1, field], what)
  }
  const spelt = ['utf-8', '"UTF-8"', 'utf8'].map((charset) => `application/json; charset=${charset}`)
  for (const [number, type] of spelt.entries())
    assert.equal((await post(`{"publisher_user_id":"utf ${number}"}`, { type })).status, 200, type)
})

test('attributes may be up to 16 KiB and five levels deep, as an object or as text', async () => {
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
  const rows: [attributes: unknown, status: number][] = [
    [nested(5), 200],
    [JSON.parse(nested(5)), 200],
    [nested(6), 400],
    [JSON.parse(nested(6)), 400],
    [`{"a":${'['.repeat(8_000)}${']'.repeat(8_000)}}`, 400],
    [{ a: 'x'.repeat(16 * 1024 - 8) }, 200],
    [{ a: 'x'.repeat(16 * 1024 - 7) }, 400],
    ['{"a":1e400}', 400],
    ['{"a":"\\u0000"}', 400],
    [{ a: Array(200_000).fill(1) }, 400],
    [{ a: Array(15_000).fill(1) }, 400],
    ['{"a":1,"a":2}', 400],
    ['[1]', 400],
    ['"text"', 400],
    ['{', 400],
  ]
  for (const [index, [attributes, status]] of rows.entries()) {
    const { status: answered, body } = await app.call('POST', '/users', { publisher_user_id: `a-${index}`, attributes })
    assert.equal(answered, status, `row ${index}: ${JSON.stringify(body)}`)
    if (status === 400) assert.equal(body.errors[0].field.split('.')[0], 'attributes')
  }
})

test('a body may be up to 1 MiB, and a batch up to 10 MiB with at most 1 MiB per event', async () => {
  const padded = (body: object, bytes: number) => JSON.stringify(body).padEnd(bytes, ' ')
  assert.equal((await post(padded({ publisher_user_id: 'mib' }, MIB))).status, 200)
  assert.equal(problemFault(await post(padded({ publisher_user_id: 'mib-2' }, MIB + 1)), 413, '/users'), null)
  const item = (index: number) => ({
    publisher_user_id: 'mib',
    external_id: `mib-${index}`,
    source: 'OTHER',
    amount: 1,
  })
  const batch = (items: number) => ({ transactions: Array.from({ length: items }, (_, index) => item(index)) })
  const path = '/transactions'
  const whole = await post(padded(batch(500), 10 * MIB), { path })
  assert.equal(whole.status, 200)
  assert.deepEqual(
    [whole.body.results.length, new Set(whole.body.results.map((one: { status: number }) => one.status))],
    [500, new Set([200])],
  )
  assert.equal(problemFault(await post(padded(batch(1), 10 * MIB + 1), { path }), 413, path), null)
  assert.equal((await post(padded({ ...item(1), external_id: 'mib-alone' }, MIB), { path })).status, 200)
  assert.equal(problemFault(await post(padded(item(1), MIB + 1), { path }), 413, path), null)
  for (const items of [0, 501]) {
    const refused = await post(JSON.stringify(batch(items)), { path })
    assert.equal(problemFault(refused, 400, path), null)
    assert.equal(refused.body.errors[0].field, 'transactions')
  }
})

test('an error in one batch item is reported on that item, even for malformed text and huge numbers', async () => {
  await app.call('POST', '/users', { publisher_user_id: 'batch' })
  const good = '{"publisher_user_id":"batch","external_id":"b-1","source":"OTHER","amount":1}'
  const spoilt = ['"amount":1', '"amount":1e400'].join('|').split('|')
  const items = [
    good,
    good.replace('b-1', 'b\\u0000'),
    good.replace('b-1', 'b\\ud800'),
    good.replace(spoilt[0] ?? '', spoilt[1] ?? ''),
    good.replace('"amount":1', '"amount":1.005'),
    '7',
    'null',
    good.replace('b-1', 'b-2'),
  ]
  const { status, body } = await post(`{"transactions":[${items.join(',')}]}`, { path: '/transactions' })
  assert.equal(status, 200)
  const results = body.results.map((one: { status: number; error?: { errors: { field: string }[] } }) =>
    one.status === 200 ? 200 : [one.status, one.error?.errors[0]?.field],
  )
  const text_ = [400, 'external_id']
  assert.deepEqual(results, [200, text_, text_, [400, 'amount'], [400, 'amount'], [400, 'body'], [400, 'body'], 200])
})

test('an amount with more decimal places than its currency has is rejected, not rounded', async () => {
  const ask = (amount: string, currency: string) =>
    post(`{"publisher_user_id":"batch","external_id":"d","amount":${amount},"currency":"${currency}"}`, {
      path: '/transactions/evaluate',
    })
  for (const [amount, currency, status] of [
    ['1.005', 'USD', 400],
    ['0.001', 'USD', 400],
    ['1.5', 'JPY', 400],
    ['0.10', 'USD', 200],
    ['1e1', 'USD', 200],
    ['9999999999.99', 'USD', 200],
    ['10000000000', 'USD', 400],
  ] as const) {
    const answer = await ask(amount, currency)
    assert.equal(answer.status, status, `${amount} ${currency}: ${JSON.stringify(answer.body)}`)
    if (status === 400) assert.equal(answer.body.errors[0].field, 'amount')
  }
})

test('identifiers of 255 characters, most of four bytes, work everywhere, percent-encoded in URLs', async () => {
  const { call, tncId } = app
  const user = longest('u')
  const path = encodeURIComponent(user)
  const ok = async (...asked: Parameters<typeof call>) => {
    const { status, body } = await call(...asked)
    assert.equal(status, 200, `${asked[0]} ${asked[1].slice(0, 40)}: ${JSON.stringify(body).slice(0, 300)}`)
    return body
  }
  await ok('POST', '/users', { publisher_user_id: user }, { 'Idempotency-Key': 'k'.repeat(255) })
  await ok('POST', '/terms/accept', { publisher_user_id: user, tnc_id: tncId })
  for (const address of [
    `/users/${path}`,
    `/users/status/${path}`,
    `/rewards/summary/${path}`,
    `/linker/linked-cards/${path}`,
    `/linker/link-token/${path}`,
  ])
    await ok('GET', address)
  const names = [
    'original_external_id',
    'merchant_id',
    'merchant_descriptor',
    'merchant_name',
    'street',
    'account_id',
    'order_id',
  ]
  const purchase = {
    ...Object.fromEntries(names.map((name) => [name, longest(name.slice(0, 1))])),
    publisher_user_id: user,
    external_id: longest('e'),
    city: '𝄞'.repeat(100),
    store_number: '𝄞'.repeat(50),
    website: '𝄞'.repeat(500),
    amount: 5,
  }
  const { transaction_uid } = await ok('POST', '/transactions', purchase)
  await ok('GET', `/transactions/${transaction_uid}/decision`)
  for (const text_ of ['m', 'o']) {
    const found = await ok(
      'GET',
      `/transactions?publisher_user_id=${path}&search_text=${encodeURIComponent(longest(text_))}`,
    )
    assert.equal(found.total_elements, 1)
  }
  assert.ok((await ok('GET', '/reports/transactions')).includes(user))
  const bank = encodeURIComponent(longest('b'))
  for (const [method, address] of [
    ['GET', `/linker/linked-cards/${path}/${bank}`],
    ['GET', `/linker/auth-token/${bank}/${path}`],
    ['DELETE', `/linker/access-token/${path}/${bank}`],
  ] as const) {
    const refused = await call(method, address)
    assert.deepEqual([refused.status, refused.body.code], [404, 'link_not_found'])
  }
  await ok('DELETE', `/users/${path}`)
  await ok('POST', `/users/${path}/reactivate`)
  const tooLong = await call('GET', `/users/${encodeURIComponent(`𝄞${user}`)}`)
  assert.deepEqual([tooLong.status, tooLong.body.errors[0].field], [400, 'publisher_user_id'])
})

test('an undecodable or overlong URL is rejected with a problem body and a request ID', async () => {
  const rows: [path: string, status: number][] = [
    ['/users/%ZZ', 400],
    ['/users/%E0%A4%A', 400],
    ['/users/%ED%A0%80', 400],
    ['/users/%00', 400],
    ['/users?email=%ZZ', 400],
    ['/users?page=1&page=2', 400],
    [`/users/${'x'.repeat(5_000)}`, 400],
    ['/nowhere', 404],
  ]
  for (const [path, status] of rows) assert.equal(problemFault(await app.call('GET', path), status, path), null, path)
  assert.equal((await app.call('PUT', '/users', {})).body.code, 'method_not_allowed')
  assert.equal((await app.call('GET', `/users/${'x'.repeat(20_000)}`)).body.code, 'head_too_large')
})

test('input that is not valid HTTP gets one problem response, and the connection is closed', async () => {
  for (const sent of [
    'GARBAGE\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
  ]) {
    const socket = connect(Number(new URL(app.service.url).port), '127.0.0.1')
    socket.write(sent)
    const answer = await text(socket)
    assert.match(answer, /^HTTP\/1\.1 400 /)
    const problem = JSON.parse(answer.slice(answer.indexOf('{')))
    assert.deepEqual([problem.status, problem.code], [400, 'request_unreadable'])
  }
})

test('a sandbox clock can advance by a century and no further', async () => {
  const { call } = await app.tenant()
  assert.equal((await call('POST', '/sandbox/clock', { advance_days: 36_525 })).status, 200)
  const beyond = await call('POST', '/sandbox/clock', { advance_seconds: 1 })
  assert.equal(problemFault(beyond, 400, '/sandbox/clock'), null)
  assert.match((await call('GET', '/sandbox/clock')).body.now, /^2\d{3}-/)
  const { call: inProduction } = await app.tenant({ environment: 'production' })
  assert.equal((await inProduction('GET', '/sandbox/clock')).body.code, 'sandbox_only')
})

test('an error response lists at most 20 errors in 8 KiB, regardless of the input', async () => {
  const names = (count: number, name: string) => Array.from({ length: count }, (_, at) => `${name}${at}`)
  const many = Object.fromEntries(names(19_000, 'a').map((name) => [name, 1]))
  const wide = Object.fromEntries(names(150, '𝄞\u0001'.repeat(400)).map((name) => [name, 1]))
  const answers = [
    await app.call('POST', `/linker/webhooks?${names(2_400, 'a').join('&')}`, ''),
    await app.call('GET', `/users/${'%F0%9D%84%9E'.repeat(256)}?${names(1_200, '%01').join('&')}`),
    await app.call('GET', `/users?sort=${'%01'.repeat(3_000)}`),
    await app.call('GET', `/transactions?status=${'x,'.repeat(7_000)}`),
    await app.call('POST', '/users', many),
    await app.call('POST', '/users', wide),
    await app.call('POST', '/users', { publisher_user_id: 1, attributes: '\u0001'.repeat(1_000) }),
    await app.call('POST', '/transactions/evaluate', { items: Array(500).fill(many['a0']) }),
  ]
  for (const [index, { status, body }] of answers.entries()) {
    const text = JSON.stringify(body)
    assert.equal(status, 400, `${index}: ${text}`)
    assert.ok(Buffer.byteLength(text) <= 8 * 1024, `${index}: ${Buffer.byteLength(text)} bytes`)
    assert.ok(body.errors.length <= 20, String(index))
  }
  const [unknown] = answers
  assert.deepEqual([unknown?.body.errors.length, unknown?.body.more_errors], [20, 2_380])
  assert.match(unknown?.body.detail, /; and 2380 more$/)
})
