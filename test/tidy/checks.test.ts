// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code that is judged
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BANS, banned, unexplainedAny } from './bans.ts'
import { schemaFaults, statementFaults } from './cluster.ts'
import {
  brokenAnchors,
  brokenLinks,
  dependencyFaults,
  longLines,
  mapFaults,
  placeFaults,
  settingFaults,
} from './documents.ts'
import { exportsForTests, reusedTypeNames, unusedExports } from './exports.ts'
import {
  crowdedFolders,
  FILE_LINES_MAX,
  FUNCTION_LINES_MAX,
  longFiles,
  longFunctions,
  longTestNames,
  NAME_COLUMNS_MAX,
} from './lengths.ts'
import { impureRules, mutualFolders, rings, strayFastify, wrongImports } from './rooms.ts'
import { readSource } from './source.ts'
import { migrationFaults, stoppingMigrations, straySql, tenantless, tenantTables } from './sql.ts'

/**
 * A check that cannot fail protects nothing, so each check gets a violation here, along with a similar case that is
 * correct.
 */
const one = (path: string, text: string) => [readSource(path, text)]
const tree = (...files: readonly (readonly [path: string, text: string])[]) =>
  files.map(([path, text]) => readSource(path, text))

test('the reader distinguishes code from comments, strings, regexes and templates', () => {
  const text =
    "const a = 'it`s' // b\nconst c = /['`{]/ /* d */\nawait sql<Row[]>`select ${f({ g: `h` })} from i` + j\n"
  const source = readSource('a.ts', text)
  assert.equal(source.code.length, text.length)
  assert.match(readSource('a.tsx', "<A b={c} /> {d('e')} /f/\n").code, /\{d\(/)
  assert.equal(source.code.replace(/\s+/g, ' '), "const a = ' ' const c = await sql<Row[]>` ${f({ g: ` ` })} ` + j ")
  assert.deepEqual(
    source.comments.split(/\s{2,}/).filter(Boolean),
    ['// b\n', '/* d */\n'].map((comment) => comment.trim()),
  )
  assert.deepEqual(source.templates, [{ tag: 'sql', text: 'select ${f({ g: `h` })} from i', line: 3 }])
})

test('imports that break the order, bypass an index.ts, reach app.ts, or leave src or simulator are found', () => {
  const table: [from: string, to: string, fault: RegExp | null][] = [
    ['src/ledger/service.ts', '../events/index.ts', /ledger stands before events/],
    ['src/events/settle.ts', '../ledger/queries.ts', /entered by its index/],
    ['src/events/settle.ts', '../app.ts', /the whole/],
    ['src/events/settle.ts', '../../test/support/app.ts', /imports only src/],
    ['src/events/settle.ts', '../pantry/index.ts', /no place in the order/],
    ['simulator/state.ts', '../src/platform/ids.ts', /shares no code/],
    ['cli/demo/walk.ts', '../../src/ledger/service.ts', /entered by its index/],
    ['src/events/settle.ts', '../ledger/index.ts', null],
    ['src/events/settle.ts', '../platform/money.ts', null],
    ['src/events/settle.ts', './rules.ts', null],
    ['src/app.ts', './data/reports/index.ts', null],
    ['src/ledger/service.test.ts', '../events/queries.ts', null],
  ]
  for (const [from, to, fault] of table) {
    const found = wrongImports(one(from, `import {\n  type A,\n  b,\n} from '${to}'\n`))
    if (fault === null) assert.deepEqual(found, [], `${from} ${to}`)
    else assert.match(found.join(), fault, `${from} ${to}`)
  }
})

test('imports: a cycle of three files is found, including type imports', () => {
  const tree = (...texts: readonly (readonly [name: string, text: string])[]) =>
    texts.map(([name, text]) => readSource(`src/ledger/${name}.ts`, text))
  const line = [
    ['a', "import { b } from './b.ts'"],
    ['b', "import { c } from './c.ts'"],
  ] as const
  assert.deepEqual(rings(tree(...line, ['c', "import type { D } from './d.ts'"])), [])
  for (const clause of ['{ a }', 'type { A }', '{ type A }'])
    assert.deepEqual(rings(tree(...line, ['c', `import ${clause} from './a.ts'`])), [
      'src/ledger/a.ts → src/ledger/b.ts → src/ledger/c.ts → src/ledger/a.ts',
    ])
})

test('imports: two folders that import each other are found, unless one is inside the other', () => {
  const found = (...texts: readonly (readonly [name: string, text: string])[]) =>
    mutualFolders(texts.map(([name, text]) => readSource(`src/events/${name}.ts`, text))).length
  const feed = ['feed/a', "import { b } from '../delivery/b.ts'"] as const
  assert.equal(found(feed, ['delivery/b', "import { c } from '../record.ts'"]), 0)
  assert.equal(found(feed, ['delivery/c', "import type { D } from '../feed/d.ts'"]), 2)
  assert.equal(found(feed, ['delivery/b.test', "import { d } from '../feed/d.ts'"]), 0)
  assert.equal(found(['feed/a', "import { b } from '../record.ts'"], ['index', "export { a } from './feed/a.ts'"]), 0)
  const pages = tree(
    ['console/src/pages/a/page.tsx', "import { B } from '../b/b.tsx'"],
    ['console/src/pages/b/page.tsx', "import { A } from '../a/a.tsx'"],
  )
  assert.equal(mutualFolders(pages).length, 2)
})

test('exports that nothing imports are found, and exports that only tests import', () => {
  const rules = [
    'src/ledger/rules.ts',
    'export const a = 1\nexport type B = 2\nexport async function c() {}\n',
  ] as const
  const door = [
    'src/ledger/index.ts',
    "export { a, type B as C } from './rules.ts'\nexport * from './rules.ts'\n",
  ] as const
  assert.deepEqual(unusedExports(tree(rules)), [
    'src/ledger/rules.ts:1 exports a, which nothing else imports',
    'src/ledger/rules.ts:2 exports B, which nothing else imports',
    'src/ledger/rules.ts:3 exports c, which nothing else imports',
  ])
  for (const [text, left] of [
    ["import { a as d, type B } from './rules.ts'", ['c']],
    ["import * as rules from './rules.ts'\nrules.a(rules.c)", ['B']],
    ["const { c } = await import('./rules.ts')", ['a', 'B']],
    ["import './rules.ts'", ['a', 'B', 'c']],
  ] as const)
    assert.deepEqual(
      unusedExports(tree(rules, ['src/ledger/service.ts', text])).map((fault) => / exports (\w+)/.exec(fault)?.[1]),
      left,
      text,
    )
  const inside = ['src/ledger/service.ts', "import { a, C, c } from './index.ts'"] as const
  const outside = ['src/portal/service.ts', "import { a, C, c } from '../ledger/index.ts'"] as const
  assert.deepEqual(unusedExports(tree(rules, door, outside)), [])
  assert.equal(unusedExports(tree(rules, door, inside)).length, 2)

  const onlyTests = tree(rules, ['src/ledger/rules.test.ts', "import { a, B, c } from './rules.ts'"])
  assert.equal(exportsForTests(onlyTests, {}).length, 1)
  assert.deepEqual(exportsForTests(onlyTests, { ledger: 3 }), [])
  assert.equal(exportsForTests(onlyTests, { ledger: 4 }).length, 1)
})

test('rules that use the clock or the database, and services that import Fastify, are found', () => {
  assert.equal(impureRules(one('src/events/rules.ts', "import { systemClock } from '../platform/clock.ts'")).length, 1)
  assert.equal(
    impureRules(one('src/catalog/merchants/match.ts', "import { readFile } from 'node:fs/promises'")).length,
    1,
  )
  assert.equal(impureRules(one('src/events/rules.ts', "import type { Row } from './queries.ts'")).length, 0)
  assert.equal(strayFastify(one('src/events/service.ts', "import type { FastifyReply } from 'fastify'")).length, 1)
  assert.equal(strayFastify(one('src/events/routes.ts', "import type { FastifyReply } from 'fastify'")).length, 0)
})

test('SQL outside queries, and exceptions that are no longer needed, are found', () => {
  const statement = 'const a = await tx`select 1`'
  assert.equal(straySql(one('src/ledger/service.ts', statement), []).length, 1)
  assert.equal(straySql(one('src/ledger/service.ts', statement), ['src/ledger/service.ts']).length, 0)
  assert.equal(straySql(one('src/ledger/claim-queries.ts', statement), []).length, 0)
  assert.match(
    straySql(one('src/ledger/service.ts', 'const a = `select 1`'), ['src/ledger/service.ts']).join(),
    /off the list/,
  )
})

test('a statement on a tenant table that does not filter by publisher is found', () => {
  const tables = tenantTables(
    ['users (\n  publisher_id uuid not null', 'sessions (\n  publisher_id uuid', 'days (\n  day date not null']
      .map((start) => `create table ${start},\n  a text\n);\n`)
      .join('\n'),
  )
  assert.deepEqual(tables, { all: ['users', 'sessions'], required: ['users'] })
  const table: [statement: string, found: number][] = [
    ['await tx`select a from users`', 1],
    ['await tx<Row[]>`\n  update users set a = 1`', 1],
    ['await tx`select a from days`', 0],
    ['await tx`select a from users where publisher_id = ${publisherId}`', 0],
    ['await tx`\n  -- all publishers: the operator asks\n  select a from users`', 0],
    ['await tx`\n  -- all publishers\n  select a from users`', 1],
    ['f()\n  // all publishers: the operator asks\n  const a = await tx`\n    select a from users`', 0],
    ['// all publishers: another statement\n  f()\n  await tx`select a from users`', 1],
    ['await tx`insert into users select given.* from json_populate_recordset(null::users, ${rows}) as given`', 0],
    ['await tx`insert into users ${tx(user, ...COLUMNS)}`', 0],
    ['await tx`insert into sessions ${tx(session, ...COLUMNS)}`', 1],
    ['await tx`insert into sessions select given.* from json_populate_recordset(null::sessions, ${rows}) as given`', 1],
  ]
  for (const [statement, found] of table)
    assert.equal(tenantless(one('src/ledger/queries.ts', `{\n  ${statement}\n}\n`), tables).length, found, statement)
})

test('tables and statements that a cluster could not support are found', () => {
  const users = 'create table users (\n  user_id uuid not null,\n  constraint users_pkey PRIMARY KEY (user_id)\n);\n'
  const none = { otherKeys: [], constraints: [] }
  const findFaults = (name: string, ...lines: readonly string[]) =>
    schemaFaults(`${users}create table ${name} (\n  ${lines.join(',\n  ')}\n);\n`, none)
  const [user, key] = ['user_id uuid not null', 'constraint cards_pkey PRIMARY KEY (user_id, card_id)']
  const table: [table: string, lines: string[], fault: RegExp | null][] = [
    ['cards', [user, key], null],
    ['cards', [user, 'constraint cards_pkey PRIMARY KEY (card_id)'], /no key of cards begins with user_id/],
    ['work', [user, 'constraint work_pkey PRIMARY KEY (ordinal)'], null],
    ['work_queue', [user, 'constraint work_queue_pkey PRIMARY KEY (work_id)'], null],
    ['work_queue', [user, 'constraint work_queue_pkey PRIMARY KEY (user_id, work_id)'], /a queue keyed by user/],
    ['sales', ['user_id uuid', 'constraint sales_pkey PRIMARY KEY (sale_id)'], /no key of sales begins with user_id/],
    ['cards', [user, key, 'constraint one UNIQUE (card_id)'], /one is a key of cards without user_id/],
    ['cards', [user, key, 'constraint a FOREIGN KEY (user_id) REFERENCES users(user_id)'], null],
    [
      'cards',
      [user, key, 'constraint a FOREIGN KEY (card_id) REFERENCES users(card_id)'],
      /a ties cards to rows of users/,
    ],
    ['cards', [user, key, 'constraint a FOREIGN KEY (user_id) REFERENCES days(day)'], /a ties cards to rows of days/],
    ['days', ['constraint a FOREIGN KEY (day) REFERENCES users(user_id)'], /a ties days to rows of users/],
    ['days', ['day date not null', 'constraint days_key UNIQUE (day)'], /days has no primary key/],
    ['cards', ['user_id uuid', key], /may be null/],
    ['cards', [user, key, 'ordinal bigint not null generated always as identity'], /counts over all servers/],
  ]
  for (const [name, lines, fault] of table)
    if (fault === null) assert.deepEqual(findFaults(name, ...lines), [])
    else assert.match(findFaults(name, ...lines).join(), fault)
  assert.match(schemaFaults(users, { ...none, constraints: ['gone'] }).join(), /gone .* off the list/)
  assert.match(schemaFaults(users, { ...none, otherKeys: ['users'] }).join(), /users .* off the list/)

  const facts = 'create table facts (\n  ordinal bigint not null,\n  constraint facts_pkey PRIMARY KEY (ordinal)\n);\n'
  const noneAllowed = { withoutUsers: {}, undistributable: {}, withQueues: {} }
  const statements: [statement: string, fault: RegExp | null][] = [
    ['select a from users where user_id = ${userId}', null],
    ['select a from users where user_id = any(${ids}::uuid[])', null],
    ['select a from users where publisher_id = ${id}', /neither user_id/],
    ['select a from users -- all users: the operator asks', null],
    ['select a from publishers', null],
    ['select a from users where user_id = ${userId} for update skip locked', /skip locked/],
    ['delete from facts using users where users.user_id = ${userId}', /queues/],
  ]
  for (const [statement, fault] of statements) {
    const found = statementFaults(one('src/ledger/queries.ts', `await tx\`${statement}\``), users + facts, noneAllowed)
    if (fault === null) assert.deepEqual(found, [], statement)
    else assert.match(found.join(), fault, statement)
  }
  assert.match(statementFaults([], users, { ...noneAllowed, withQueues: { 'a.ts': 1 } }).join(), /lower it to 0/)
})

test('overlong files and functions, and exceptions that are no longer needed, are found', () => {
  const lines = (count: number) => '  a()\n'.repeat(count)
  assert.equal(longFiles(one('a.ts', lines(FILE_LINES_MAX + 1))).length, 1)
  assert.equal(longFiles(one('a.ts', lines(FILE_LINES_MAX))).length, 0)
  for (const head of [
    'function a() {',
    'export async function a(\n  b: C,\n): Promise<D> {',
    'const a = async (b) => {',
  ]) {
    const room = FUNCTION_LINES_MAX - head.split('\n').length - 1
    assert.equal(longFunctions(one('a.ts', `${head}\n${lines(room + 1)}}\n`), {}).length, 1, head)
    assert.equal(longFunctions(one('a.ts', `${head}\n${lines(room)}}\n`), {}).length, 0, head)
  }
  assert.equal(longFunctions(one('a.ts', `const a = {\n${lines(FUNCTION_LINES_MAX)}}\n`), {}).length, 0)
  assert.equal(longFunctions(one('a.ts', `function a() {\n${lines(100)}}\n`), { 'a.ts': 102 }).length, 0)
  assert.equal(longFunctions(one('a.ts', `function a() {\n${lines(101)}}\n`), { 'a.ts': 102 }).length, 1)
  assert.match(longFunctions(one('a.ts', 'f()\n'), { 'a.ts': 102 }).join(), /off the list/)
  const component = `function A() {\n  return (\n    <p a={b} /> // c\n  )\n${lines(FUNCTION_LINES_MAX - 4)}}\n`
  assert.equal(longFunctions(one('console/src/a.tsx', component), {}).length, 1)
})

test('a type that reuses the name of an exported type is found, except in tests and the simulator', () => {
  const owner: [string, string] = ['src/ledger/service.ts', 'export type User = { a: 1 }\n']
  const found = (path: string, text = 'type User = { b: 2 }\n') => reusedTypeNames(tree(owner, [path, text])).length
  assert.equal(found('cli/users.ts'), 1)
  assert.equal(found('src/events/service.ts', 'export class User {}\n'), 2)
  assert.equal(found('src/events/service.ts', "import type { User } from '../ledger/index.ts'\n"), 0)
  assert.equal(found('src/ledger/service.test.ts'), 0)
  assert.equal(found('simulator/state.ts'), 0)
  assert.equal(reusedTypeNames(tree(['src/a.ts', 'type A = 1\n'], ['src/b.ts', 'type A = 2\n'])).length, 0)
})

test('a folder with too many files is found, not counting tests', () => {
  const folder = (count: number, end: string) =>
    Array.from({ length: count }, (_, index) => readSource(`src/events/file-${index}${end}`, ''))
  assert.equal(crowdedFolders(folder(25, '.ts')).length, 0)
  assert.equal(crowdedFolders(folder(26, '.ts')).length, 1)
  assert.equal(crowdedFolders(folder(26, '.test.ts')).length, 0)
  const components = Array.from({ length: 26 }, (_, index) => readSource(`console/src/ui/${index}.tsx`, ''))
  assert.equal(crowdedFolders(components).length, 1)
})

test('overlong test names are found', () => {
  const named = (length: number, head = "test('", tail = "', () => {})") =>
    one('src/ledger/a.test.ts', `${head}${'a'.repeat(length)}${tail}`)
  assert.equal(longTestNames(named(NAME_COLUMNS_MAX)).length, 0)
  assert.equal(longTestNames(named(NAME_COLUMNS_MAX + 1)).length, 1)
  assert.equal(longTestNames(named(NAME_COLUMNS_MAX + 1, 'test(\n  "', '", f)')).length, 1)
})

test('each ban finds what it bans, but only where it applies', () => {
  const [room, inPlatform, inTest] = ['src/ledger/service.ts', 'src/platform/clock.ts', 'src/ledger/service.test.ts']
  const table: [path: string, text: string, found: number][] = [
    [room, 'const a = Date.now()', 1],
    [room, 'const a = new Date()', 1],
    [room, 'const a = new Date(b)', 0],
    [inPlatform, 'const a = Date.now()', 0],
    [inTest, 'const a = Date.now()', 0],
    [room, "const a = process.env['A']", 1],
    [room, 'const a = Math.random()', 1],
    ['src/platform/jitter.ts', 'const a = Math.random()', 0],
    [room, 'await fetch(a)', 1],
    [room, "import { request } from 'undici'", 1],
    [room, "import { connect } from 'node:net'", 1],
    ['src/events/delivery/post.ts', "import { request } from 'undici'", 0],
    [room, 'const a = parseFloat(b)', 1],
    [room, 'const a = b.toFixed(2)', 1],
    [room, 'const a = Number(row.amount)', 1],
    [room, 'const a = Type.Number({ maximum: AMOUNT_MAX })', 0],
    [room, 'const a = Number(row.ordinal)', 0],
    ['src/ledger/schema.ts', 'const a = Number(row.amount)', 0],
    [room, 'await readList(reader, LIST, query, sort)', 1],
    ['src/tenants/access/operator-lists.ts', 'await readList(reader, LIST, query, sort)', 0],
    [inTest, 'await readList(reader, LIST, query, sort)', 0],
    [room, `// ${'TO'}${'DO'}: later`, 1],
    ['docs/map.md', `${'FIX'}${'ME'}`, 1],
    [inTest, "test.skip('a', () => {})", 1],
    [inTest, "test('a', { only: true }, () => {})", 1],
    [inTest, "test('a', () => {})", 0],
    [room, '// @ts-expect-error', 1],
    [room, 'export enum A { B }', 1],
    ['README.md', `see /${'work'}/main`, 1],
    [room, `// settled in ${'issue'} 2`, 1],
    ['docs/portal.md', `by ${'e'}-mail`, 1],
    ['db/migrations/0001_tenants.sql', `-- by ${'e'}-mail`, 0],
  ]
  const hit = new Set<string>()
  for (const [path, text, count] of table) {
    const found = banned(one(path, text))
    assert.equal(found.length, count, `${path}: ${text}`)
    for (const finding of found) hit.add(finding.split(': ').at(-1) ?? '')
  }
  for (const { what } of BANS)
    assert(hit.has(what.split(': ').at(-1) ?? ''), `nothing shows that this can fail: ${what}`)
})

test('an `any` without a reason is found', () => {
  assert.equal(unexplainedAny(one('a.ts', 'const a: any = b')).length, 1)
  assert.equal(unexplainedAny(one('a.ts', 'const a = b as any')).length, 1)
  assert.equal(unexplainedAny(one('a.ts', 'const a: Record<string, any> = b')).length, 1)
  assert.equal(
    unexplainedAny(one('a.ts', '// biome-ignore lint/suspicious/noExplicitAny: b says so\nconst a: any = b')).length,
    0,
  )
  assert.equal(unexplainedAny(one('a.ts', '/** any one */\nconst any = any(b)')).length, 0)
})

test('documents: dead links, long lines, and outdated settings, dependencies, rooms and names are found', () => {
  const page = { path: 'docs/a.md', text: '[b](b.md#part) [c](../c.md) [d](https://example.com) [e](#part)' }
  assert.deepEqual(
    brokenLinks([page], (path) => path === 'docs/b.md'),
    ['docs/a.md links to ../c.md, which is not there'],
  )
  const other = { path: 'docs/b.md', text: '# A `part`, or two\n\n```\n# part\n```\n[a](a.md#x) [b](#a-part-or-two)' }
  assert.deepEqual(brokenAnchors([page, other]), [
    'docs/a.md links to b.md#part, which is not there',
    'docs/a.md links to #part, which is not there',
    'docs/b.md links to a.md#x, which is not there',
  ])

  const table =
    '| setting | default | meaning |\n|---|---|---|\n| `PORT` | `80` | the port |\n| `OLD` |  | gone |\n\n| a |'
  const settings = [
    { name: 'PORT', fallback: '80', about: 'the port' },
    { name: 'HOST', fallback: '', about: 'the host' },
  ]
  assert.equal(settingFaults(table, settings.slice(0, 1)).length, 1)
  assert.equal(settingFaults(table, settings).length, 2)
  assert.equal(settingFaults(table, [{ name: 'PORT', fallback: '81', about: 'the port' }]).length, 3)

  const decision = {
    path: 'docs/decisions/0001.md',
    text: '| part | for | why this one |\n|---|---|---|\n| `a`, `b` | c | d |\n',
  }
  assert.deepEqual(dependencyFaults({ dependencies: { a: '1' }, devDependencies: { b: '1' } }, [decision]), [])
  assert.equal(dependencyFaults({ dependencies: { a: '1', b: '1', c: '1' } }, [decision]).length, 1)
  assert.equal(dependencyFaults({ dependencies: { a: '1' } }, [decision]).length, 1)

  const map = '| room | owns |\n|---|---|\n| users | people |\n'
  assert.deepEqual(mapFaults(map, ['users']), [])
  assert.equal(mapFaults(map, ['users', 'terms']).length, 1)
  assert.equal(mapFaults(map, []).length, 1)

  const places = '| what | file | name |\n|---|---|---|\n| a | [b.ts](../b.ts) | `c`, `d`, called by `e` |\n'
  assert.deepEqual(
    placeFaults(places, (path) => (path === 'b.ts' ? 'const c = d' : '')),
    [],
  )
  assert.equal(placeFaults(places, () => 'const c = dd').length, 1)
  assert.equal(placeFaults(places.replace('`c`, `d`, called', 'called'), () => 'e').length, 1)

  const long = 'a '.repeat(61).trim()
  const wide = (text: string) => longLines([{ path: 'a.md', text }])
  assert.deepEqual(wide(`${long}\n`), ['a.md:1 has 121 columns'])
  assert.deepEqual(wide(`| ${long} |\n\`\`\`\n${long}\n\`\`\`\n[a](${'b'.repeat(120)})\n${long.slice(2)}`), [])
  assert.equal(wide(`\`\`\`sh\n\`\`\`\n${long}`).length, 1)
})

test('migrations: a duplicate number and a malformed name are found', () => {
  assert.deepEqual(migrationFaults(['0001_users.sql', '0003_terms.sql']), [])
  assert.equal(migrationFaults(['0001_users.sql', '0001_terms.sql']).length, 1)
  assert.equal(migrationFaults(['users.sql']).length, 1)
})

test('a migration that would stop a running service is found', () => {
  const faults = (text: string) => stoppingMigrations([{ name: '0014_x.sql', text }]).length
  for (const text of [
    'drop table users;',
    'alter table users drop column email;',
    'alter table users rename column email to mail;',
    'create index users_by_email on users (email);',
    'alter table users alter column email set not null;',
    'alter table users alter column email type varchar;',
    'alter table users add constraint has_email check (email is not null);',
  ])
    assert.equal(faults(text), 1, text)
  for (const text of [
    '-- unused since 0013\ndrop table users;',
    'create index concurrently users_by_email on users (email);',
    'alter table users add constraint has_email check (email is not null) not valid;',
    'alter table users validate constraint has_email;',
    'alter table users add column note text;',
    'create table notes (id integer);\ncreate index notes_by_id on notes (id);',
    '-- does not drop table users',
  ])
    assert.equal(faults(text), 0, text)
})
