import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { decodeText } from '../src/platform/text/decode-text.ts'
import { testDatabase } from '../test/support/postgres.ts'
import { dataFolder, laurel, laurelJson } from './test-support.ts'
import { readCodes } from './vouchers/codes.ts'

const folder = await dataFolder()
const env = { DATABASE_URL: (await testDatabase('vouchers')).url, LAUREL_DATA_DIR: folder }
const offer = (offer_uid: string, more: object) => ({
  offer_uid,
  name: offer_uid,
  offer_type: 'VOUCHER_CODE',
  reward_type: 'CASHBACK_DOLLAR',
  commission: { amount: 5 },
  ...more,
})
const file = async (name: string, content: string): Promise<string> => {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}
await laurel(
  [
    'catalog',
    'import',
    await file(
      'catalog.json',
      JSON.stringify({
        categories: [{ category_id: 1, category: 'ALL' }],
        brands: [
          {
            category_id: 1,
            name: 'Pool House',
            offers: [offer('pool', { unique_codes: true }), offer('shared', { voucher_code: 'SAVE' })],
          },
        ],
      }),
    ),
  ],
  env,
)
const unnamed = (path: string, uid = 'pool') => ['vouchers', 'import', path, '--offer', uid]
const importing = (path: string, uid = 'pool') => [...unnamed(path, uid), '--environment', 'production']

test('codes are read one per line, duplicates are reported by line number, and a re-import adds nothing', async () => {
  const lines = Array.from({ length: 2_500 }, (_, index) => `CODE-${index}`)
  const path = await file('codes.txt', [...lines, 'code-7', ''].join('\n'))
  assert.deepEqual(await laurelJson(importing(path), env), {
    offer_uid: 'pool',
    environment: 'production',
    added: 2_500,
    duplicates: 1,
    duplicate_lines: [2_501],
  })
  const again = await laurelJson(importing(path), env)
  assert.deepEqual([again.added, again.duplicates, again.duplicate_lines.length], [0, 2_501, 20])
})

const none = { free: 0, assigned: 0, reported: 0, redeemed: 0, returned: 0, expired: 0 }

test('a CSV file can set an expiry date for each code, and expired codes are not available', async () => {
  const path = await file('codes.csv', 'expires_on,code\n2020-01-01,"ENDED"\n2999-12-31,LASTS\n,FOREVER\n')
  assert.equal((await laurelJson(importing(path), env)).added, 3)
  assert.deepEqual(await laurelJson(['vouchers', 'show', '--offer', 'pool'], env), {
    offer_uid: 'pool',
    pools: [
      { environment: 'production', ...none, free: 2_502, expired: 1 },
      { environment: 'sandbox', ...none },
    ],
  })
})

test('codes and expiry dates are read from any CSV dialect, and no other cell is mistaken for a code', async () => {
  const utf16 = Buffer.from('\uFEFFcode\texpires_on\r\nEU16\t2029-12-31\r\n', 'utf16le')
  const tables: readonly [name: string, content: string | Buffer, codes: readonly string[]][] = [
    ['semicolons', 'code;expires_on\nEU1;2029-12-31\n', ['EU1 2029-12-31']],
    ['quoted semicolons', '"code";"expires_on"\n"EU1";"2029-12-31"\n', ['EU1 2029-12-31']],
    ['tabs', 'Expires_On\tCode\r\n2029-12-31\tEU1\r\n', ['EU1 2029-12-31']],
    ['only a title', 'Voucher code\nEU1\n"EU 2"\n', ['EU1 null', 'EU 2 null']],
    ['no title', 'EU1\r\n\r\n"EU2"\r\n', ['EU1 null', 'EU2 null']],
    ['UTF-16', utf16, ['EU16 2029-12-31']],
  ]
  for (const [name, content, codes] of tables) {
    const read = readCodes(decodeText(Buffer.from(content))?.text ?? '')
    assert.deepEqual(
      read.map(({ code, expiresOn }) => `${code} ${expiresOn}`),
      codes,
      name,
    )
  }
})

test('an unknown header line is rejected, because a user would receive it as a code', () => {
  const titled = [
    'Gutscheincode\nABC1\nDEF2',
    'Promo code (EUR)\nABC1\nDEF2',
    'Promo code (10 EUR)\nABC1\nDEF2',
    'Serial\nABC1\nDEF2',
    'C\u00f3digo\nABC\nDEF',
    'Co\u0301digo\nABC\nDEF',
    'Gutschein\nABC\nDEF',
    'Seriennummer\nABC\nDEF',
    'Kupon\nABC\nDEF',
    'Wert\nABC1\nDEF2',
    'Summer Sale\n\nten off\nABC1\nDEF2',
    '\n"Gutscheincode"\n"ABC1"',
    'Gutscheincode',
  ]
  for (const text of titled) {
    assert.throws(
      () => readCodes(text),
      /Line [12] looks like a column title.*replace it with the word code\. .*add a first line/,
    )
    const answered = readCodes(`code\n${text}`)
    assert(answered.length > 0, text)
  }
  assert.deepEqual(
    readCodes('code\nGutscheincode\nABC1').map(({ code }) => code),
    ['Gutscheincode', 'ABC1'],
  )
})

test('codes are read even if they have no digits, few digits, or the word "code" in each of them', () => {
  for (const text of [
    'ABC\nDEF',
    'ABC\nDEF2\nGHI',
    'ABC1\nDEF',
    'CODE-1\ncode-2',
    'CODE-1',
    'SAVECODE\nGIFTCODE',
    'SAVE',
  ])
    assert.equal(readCodes(text).length, text.split('\n').length, text)
})

test('an error anywhere in the file leaves the pool unchanged', async () => {
  const { pools: before } = await laurelJson(['vouchers', 'show', '--offer', 'pool'], env)
  const lines = Array.from({ length: 1_500 }, (_, index) => `HALF-${index}`)
  const path = await file('half.txt', [...lines, 'SECRET;2029-12-31'].join('\n'))
  const { code, stderr } = await laurel(importing(path), env)
  assert.equal(code, 1)
  assert.match(
    stderr,
    /^Line 1501: a code must not contain a comma, semicolon.*Name the columns in a first line: code,expires_on/,
  )
  assert(!stderr.includes('SECRET'))
  assert.deepEqual((await laurelJson(['vouchers', 'show', '--offer', 'pool'], env)).pools, before)
})

test('sandboxes have a separate pool, which may contain the same code', async () => {
  const path = await file('play.txt', 'PLAY-1\nCODE-1\n')
  const { environment, added } = await laurelJson([...unnamed(path), '--environment', 'sandbox'], env)
  assert.deepEqual([environment, added], ['sandbox', 2])
  const { pools } = await laurelJson(['vouchers', 'show', '--offer', 'pool'], env)
  assert.deepEqual(
    pools.map((pool: { free: number }) => pool.free),
    [2_502, 2],
  )
})

test('an import requires --environment, so that real codes do not end up in a sandbox', async () => {
  const path = await file('live.txt', 'LIVE-1\n')
  for (const args of [unnamed(path), [...unnamed(path), '--environment', 'playground']]) {
    const { code, stderr } = await laurel(args, env)
    assert.equal(code, 2)
    assert.match(stderr, /--environment <environment>|must be production or sandbox/)
  }
})

test('an unreadable file or an offer without a pool is rejected with the reason, and no code is printed', async () => {
  const rows = [
    [await file('day.csv', 'code,expires_on\nSECRET-1,31.12.2026\n'), 'pool', /^Line 2: expires_on/],
    [
      await file('misspelt.csv', 'code,expires\nSECRET-1,2027-01-01\n'),
      'pool',
      /^Line 1: the column expires is not allowed/,
    ],
    [await file('twice.csv', 'code,code\nSECRET-1,SECRET-1\n'), 'pool', /^Line 1: the column code is not allowed/],
    [await file('nameless.csv', 'expires_on\n2027-01-01\n'), 'pool', /^Line 1: the column code is missing/],
    [
      await file('nameless.txt', 'SECRET-1;2027-01-01\n'),
      'pool',
      /^Line 1: a code must not contain a comma, semicolon/,
    ],
    [
      await file('one-title.csv', 'code\nSECRET-1;2027-01-01\n'),
      'pool',
      /^Line 2: a code must not contain a comma, semicolon/,
    ],
    [await file('comma.txt', 'SECRET-1,2027-01-01\n'), 'pool', /^Line 1: a code must not contain a comma, semicolon/],
    [await file('other.csv', 'code;valid until\nSECRET-1;2027-01-01\n'), 'pool', /^Line 1: the column valid until/],
    [await file('rounded.csv', 'code\n1.23457E+15\n'), 'pool', /^Line 2: a spreadsheet has rounded this code/],
    [await file('sheet.xlsx', 'PK\u0003\u0004\u0000\u0000'), 'pool', /is a spreadsheet or an archive; save the sheet/],
    [await file('long.txt', `${'SECRET'.repeat(20)}\n`), 'pool', /^Line 1: a code must be/],
    [join(folder, 'nowhere.txt'), 'pool', /^There is no file/],
    [await file('one.txt', 'SECRET-2\n'), 'shared', /has no unique_codes/],
    [await file('one.txt', 'SECRET-2\n'), 'unheard-of', /^There is no offer/],
  ] as const
  for (const [path, uid, message] of rows) {
    const { code, stdout, stderr } = await laurel(importing(path, uid), env)
    assert.equal(code, 1)
    assert.match(stderr, message)
    assert(!`${stdout}${stderr}`.includes('SECRET'))
  }
})

test('budgets without spending are not listed', async () => {
  assert.deepEqual(await laurelJson(['budgets'], env), { budgets: [] })
  const said = await laurel(['budgets', '--day', '2030-01-02'], env)
  assert.match(said.stdout, /2030-01-02/)
  assert.match(
    (await laurel(['budgets', '--day', '2030-02-31'], env)).stderr,
    /"2030-02-31" is not a date of the form yyyy-MM-dd/,
  )
})
