import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase } from '../../../test/support/postgres.ts'
import { readSchema } from './queries.ts'
import { findFaults, findRegistered, isUserTable, listArchivedColumns, type SchemaTable } from './registry.ts'
import { listMovingTables, listUserTables } from './service.ts'
import { USER_TABLES, type UserRow } from './user-tables.ts'

const { reader } = await openTestDatabase('tables')
const schema = await readSchema(reader)

test('the registry lists every table with its owner, its personal columns and how it is moved', () => {
  assert(schema.length > 120, 'the schema was read')
  assert.deepEqual(findFaults(schema), [])
})

test('the archive has no sealed or hashed columns', async () => {
  const columns = (await listUserTables(reader)).flatMap(listArchivedColumns)
  assert.deepEqual(
    columns.filter((column) => /sealed|hash|fingerprint|sha256|salt/.test(column)),
    [],
  )
})

test('a table or column that the registry omits or misstates is reported as an error', () => {
  const added: SchemaTable = {
    name: 'added',
    columns: ['added_id'],
    generated: [],
    textless: ['added_id'],
    key: ['added_id'],
    needs: [],
  }
  assert.deepEqual(findFaults([...schema, added]), ['added has no row'])
  assert.deepEqual(findFaults(schema.filter(({ name }) => name !== 'operators')), ['there is no table operators'])
  const without = (left: string) => (columns: readonly string[]) => columns.filter((column) => column !== left)
  const having = (one: string) => (columns: readonly string[]) => [...columns, one]
  const cases: [table: string, change: (columns: readonly string[]) => string[], fault: RegExp][] = [
    ['users', having('nickname'), /users does not say whether nickname is personal/],
    ['users', without('email'), /users has no column email/],
    ['transactions', without('judged_in'), /transactions has no column judged_in/],
    ['clicks', without('publisher_id'), /clicks cannot move without/],
    ['api_keys', having('user_id'), /api_keys must belong to users/],
    ['operators', having('publisher_id'), /operators must belong to publishers/],
    ['api_keys', having('payload'), /api_keys does not say how an erasure/],
    ['mails', without('email'), /mails reveals nothing/],
  ]
  for (const [name, change, fault] of cases) {
    const changed = schema.map((table) => (table.name === name ? { ...table, columns: change(table.columns) } : table))
    assert.match(findFaults(changed).join(), fault)
  }
  const referring = schema.map((table) => (table.name === 'api_keys' ? { ...table, needs: ['cards'] } : table))
  assert.match(findFaults(referring).join(), /api_keys does not say how an erasure/)
  const needless = { ...USER_TABLES, cards: { ...(USER_TABLES['cards'] as UserRow), kept: 'subtype version' } }
  assert.deepEqual(findFaults(schema, needless), ['cards need not say that version is kept'])
})

test('a table moves after the tables that its foreign keys reference; tables that stay are not listed', async () => {
  const tables = await listMovingTables(reader)
  const names = tables.map(({ name }) => name)
  for (const name of ['users', 'journals', 'closings', 'postback_answers', 'offers']) assert(names.includes(name), name)
  for (const name of ['audit_log', 'master_keys', 'webhook_queues', 'verified_balances']) assert(!names.includes(name))
  for (const [place, { name, needs }] of tables.entries())
    for (const needed of needs) assert(names.indexOf(needed) < place, `${name} after ${needed}`)
})

test('a new column in a user table is an error until its name is reviewed, regardless of its type', async () => {
  await reader`
    alter table users
      add age integer, add born_at timestamptz, add device_id uuid, add is_married boolean,
      add home_brand text references brands, add gender text check (gender in ('f', 'm', 'x'))`
  const changed = await readSchema(reader)
  const remedy = 'list it in user-tables.ts, or in registry.ts if it identifies nobody in any table'
  assert.deepEqual(
    findFaults(changed),
    ['age', 'born_at', 'device_id', 'is_married', 'home_brand', 'gender'].map(
      (column) => `users does not say whether ${column} is personal: ${remedy}`,
    ),
  )
  const listArchived = (tables: readonly SchemaTable[]) =>
    findRegistered(tables).filter(isUserTable).flatMap(listArchivedColumns)
  assert.deepEqual(listArchived(changed), listArchived(schema))
})
