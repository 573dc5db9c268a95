import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { columnsOf } from './archive-queries.ts'
import { namesIn, TABLES } from './user-data.ts'

const schema = await readFile(new URL('../../../db/schema.sql', import.meta.url), 'utf8')
const tables = new Map(
  [...schema.matchAll(/^create table (\w+) \(\n([\s\S]*?)^\)/gm)].map(([, name = '', columns = '']) => [
    name,
    [...columns.matchAll(/^ {2}"?(\w+)"? (?!PRIMARY|UNIQUE|CHECK|FOREIGN)(?=[a-z])/gm)]
      .map(([, column = '']) => column)
      .filter((column) => column !== 'constraint'),
  ]),
)

/** Tables that do not name a user but may still hold user data, and how that data is erased. */
const RELATED: Readonly<Record<string, string>> = {
  audit_log:
    'reasons and names are taken out of the entries about what belongs to the user (eraseAudit), states out of those on changes for the publisher (eraseAuditedChanges)',
  facts: 'those that failed and name the user are deleted (deleteFacts); others are done within seconds',
  idempotency_keys: 'answers are sealed, and deleted after a day (retainedAnswers)',
  merchant_sightings: 'those of purchases of the user are deleted (deleteSightings)',
  operator_answers: 'deleted after a day (retainedOperatorAnswers)',
  postback_answers:
    "what operators decided on the user's sales: names are replaced, the reason is deleted (eraseAnswers)",
  review_items:
    'the text of one that only purchases of the user have is replaced; samples are taken out (eraseReviews)',
}

test('every table that names a user is listed, with each column either kept or changed', () => {
  const found = Object.fromEntries(
    [...tables]
      .filter(([, columns]) => columns.includes('user_id'))
      .map(([name, columns]) => [name, columns.toSorted()]),
  )
  const listed = Object.fromEntries(
    Object.entries(TABLES).map(([name, { kept, changed = {} }]) => [
      name,
      [...namesIn(kept), ...Object.keys(changed)].toSorted(),
    ]),
  )
  assert(Object.keys(found).length > 40, 'the schema was read')
  assert.deepEqual(listed, found)
})

test('every table that may hold user data without naming a user documents how it is erased', () => {
  assert.deepEqual(
    Object.keys(RELATED).filter((name) => !tables.has(name)),
    [],
  )
  const telling = /^(samples|payload|sealed_answer|answer|transaction_id|after)$/
  const found = [...tables].filter(
    ([, columns]) => !columns.includes('user_id') && columns.some((one) => telling.test(one)),
  )
  assert.deepEqual(
    found.map(([name]) => name),
    Object.keys(RELATED).toSorted(),
  )
})

test('archive sections have unique names and never expose sealed or hashed columns', () => {
  const shown = Object.entries(TABLES).flatMap(([name, table]) =>
    'section' in table.archive ? columnsOf(table).map((column) => `${name}.${column}`) : [],
  )
  assert.deepEqual(
    shown.filter((name) => /sealed|hash|fingerprint|sha256|salt/.test(name)),
    [],
  )
  const sections = Object.values(TABLES).flatMap(({ archive }) => ('section' in archive ? [archive.section] : []))
  assert.equal(new Set(sections).size, sections.length)
})
