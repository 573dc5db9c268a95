import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { commandsDocument } from '../scripts/commands-doc.ts'
import { dumpSchema } from '../scripts/dump-schema.ts'
import { SETTINGS } from '../src/platform/config/settings.ts'
import { FAULTS } from './faults.ts'
import { testDatabase } from './support/postgres.ts'
import { banned, unexplainedAny } from './tidy/bans.ts'
import { schemaFaults, statementFaults } from './tidy/cluster.ts'
import {
  brokenAnchors,
  brokenLinks,
  dependencyFaults,
  longLines,
  mapFaults,
  placeFaults,
  settingFaults,
} from './tidy/documents.ts'
import { exportsForTests, reusedTypeNames, unusedExports } from './tidy/exports.ts'
import { crowdedFolders, longFiles, longFunctions, longTestNames } from './tidy/lengths.ts'
import { findRoom, impureRules, mutualFolders, ROOMS, rings, strayFastify, wrongImports } from './tidy/rooms.ts'
import { migrationFaults, stoppingMigrations, straySql, tenantless, tenantTables } from './tidy/sql.ts'
import { ROOT, readDocuments, readSources } from './tidy/tree.ts'

// The coding rules that a machine can check. test/tidy/checks.test.ts proves that each check can fail.

const sources = await readSources()
const documents = await readDocuments()
const getText = (path: string): string => documents.find((document) => document.path === path)?.text ?? ''

test('a room imports only rooms before it, through their index.ts', () => {
  assert(sources.length > 100, 'the tree was read')
  assert.deepEqual(wrongImports(sources), [])
})

test('no files import each other in a cycle', () => {
  assert.deepEqual(rings(sources), [])
})

test('no two folders import each other', () => {
  assert.deepEqual(mutualFolders(sources), [])
})

test('every export is imported by another file', () => {
  assert.deepEqual(unusedExports(sources), [])
  assert.deepEqual(exportsForTests(sources), [])
})

test('no two files use the same name for different types if either type is exported', () => {
  assert.deepEqual(reusedTypeNames(sources), [])
})

test('rules are pure, and only routes and jobs use Fastify', () => {
  assert.deepEqual(impureRules(sources), [])
  assert.deepEqual(strayFastify(sources), [])
})

test('every fault in test/faults.ts matches exactly one place in the source', () => {
  const placeless = FAULTS.filter(
    ({ file, from }) => sources.find(({ path }) => path === file)?.text.split(from).length !== 2,
  )
  assert.deepEqual(placeless, [])
})

test('SQL appears only in queries', () => {
  assert.deepEqual(straySql(sources), [])
})

test('a statement on tenant tables filters by publisher or states why it does not', () => {
  const tables = tenantTables(getText('db/schema.sql'))
  assert(tables.required.includes('transactions'), 'the schema was read')
  assert.deepEqual(tenantless(sources, tables), [])
})

test('user tables and the statements that use them remain compatible with a cluster', () => {
  assert.deepEqual(schemaFaults(getText('db/schema.sql')), [])
  assert.deepEqual(statementFaults(sources, getText('db/schema.sql')), [])
})

test('files, functions, folders and test names stay within their limits', () => {
  assert.deepEqual(crowdedFolders(sources), [])
  assert.deepEqual(longFiles(sources), [])
  assert.deepEqual(longFunctions(sources), [])
  assert.deepEqual(longTestNames(sources), [])
})

test('nothing banned is used', () => {
  const texts = documents.map((document) => ({ ...document, code: '', comments: '', templates: [] }))
  assert.deepEqual(banned([...sources, ...texts]), [])
  assert.deepEqual(unexplainedAny(sources), [])
})

test('links and anchors in documents can be resolved', () => {
  const pages = documents.filter(({ path }) => path.endsWith('.md'))
  assert(pages.length > 5, 'the documents were read')
  assert.deepEqual(
    brokenLinks(pages, (path) => existsSync(join(ROOT, path))),
    [],
  )
  assert.deepEqual(brokenAnchors(pages), [])
})

test('docs/reference/commands.md matches the commands; `node scripts/commands-doc.ts` writes it', async () => {
  assert.equal(getText('docs/reference/commands.md'), await commandsDocument())
})

test('docs/reference/settings.md matches the settings', () => {
  assert.deepEqual(settingFaults(getText('docs/reference/settings.md'), SETTINGS), [])
})

test('every dependency is explained in a decision', async () => {
  const decisions = documents.filter(({ path }) => path.startsWith('docs/decisions/'))
  const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  assert.deepEqual(dependencyFaults(manifest, decisions), [])
})

test('the map lists every room', () => {
  const rooms = [...new Set(sources.flatMap(({ path }) => findRoom(path) ?? []))]
  assert.deepEqual(mapFaults(getText('docs/map.md'), rooms), [])
  assert.deepEqual(
    rooms.filter((room) => !ROOMS.includes(room)),
    [],
  )
})

test('the names on the map exist in their files', () => {
  const getSourceText = (path: string): string => sources.find((source) => source.path === path)?.code ?? ''
  assert.deepEqual(placeFaults(getText('docs/map.md'), getSourceText), [])
})

test('documents wrap at 120 columns', () => {
  const copied = ['bench/RESULTS.md', 'db/sample/LICENSE-name-suggestion-index.md']
  const pages = documents.filter(({ path }) => path.endsWith('.md') && !copied.includes(path))
  assert.deepEqual(longLines(pages), [])
})

test('every migration has a unique number', async () => {
  assert.deepEqual(migrationFaults(await readdir(join(ROOT, 'db/migrations'))), [])
})

test('no migration would stop a running service', async () => {
  const folder = join(ROOT, 'db/migrations')
  const names = await readdir(folder)
  const files = await Promise.all(
    names.map(async (name) => ({ name, text: await readFile(join(folder, name), 'utf8') })),
  )
  assert.deepEqual(stoppingMigrations(files), [])
})

test('db/schema.sql matches the migrations; `node scripts/dump-schema.ts` writes it', async () => {
  const database = await testDatabase('tidy')
  assert.equal(getText('db/schema.sql'), await dumpSchema(database.url))
})
