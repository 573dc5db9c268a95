import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testsReached } from './changed-tests.ts'

const ALWAYS = ['test/openapi-document.test.ts', 'test/routes.test.ts', 'test/tidy.test.ts']
const FILES = new Map(
  Object.entries({
    'src/ledger/index.ts': "export { book } from './book.ts'\nexport { sum } from './sum.ts'\n",
    'src/ledger/book.ts': 'export function book() {}\nconst query = sql`select from journals_kept`\n',
    'src/ledger/sum.ts': 'export function sum() {}\n',
    'src/ledger/sum.test.ts': "import { sum } from './sum.ts'\n",
    'src/purchases/claims/grant.ts': "import { book } from '../../ledger/index.ts'\n",
    'src/purchases/claims/grant.test.ts': "import { grant } from './grant.ts'\n",
    'src/purchases/claims/far.ts': "import { grant } from './grant.ts'\n",
    'src/purchases/claims/far.test.ts': "import { far } from './far.ts'\n",
    'src/purchases/claims/routes.ts': "operation('POST /claims/{claim_id}/grant', {})\n",
    'src/app.ts': "import { claimRoutes } from './claims/routes.ts'\n",
    'test/support/app.ts': "import { buildApp } from '../../src/app.ts'\n",
    'test/journeys/claims.test.ts': "import { app } from '../support/app.ts'\ncall('POST', '/claims/1/grant')\n",
    'test/journeys/users.test.ts': "import { app } from '../support/app.ts'\ncall('POST', '/users')\n",
    'test/guide.test.ts': "readFile(new URL('../docs/claims.md', import.meta.url))\n",
    'cli/commands/claims.ts': '',
    'cli/claims.test.ts': "laurel(['claims', 'list'])\n",
    'db/migrations/0002_more.sql': 'alter table journals_kept add column note text;\n',
    'console/src/pages/claims/list.tsx': '',
    'test/journeys/console.test.ts': "import { open } from '../support/console-pages.ts'\nopen('/claims')\n",
    ...Object.fromEntries(ALWAYS.map((path) => [path, ''])),
  }),
)
const reached = (...changed: string[]) => testsReached(FILES, changed).filter((path) => !ALWAYS.includes(path))

test('the tests that guard every change are always selected', () => {
  assert.deepEqual(testsReached(FILES, []).toSorted(), ALWAYS)
})

test("a change reaches a file's direct users and their tests, following imported names", () => {
  assert.deepEqual(reached('src/ledger/book.ts'), ['src/purchases/claims/grant.test.ts'])
  assert.deepEqual(reached('src/ledger/sum.ts'), ['src/ledger/sum.test.ts'])
})

test('tests more than two imports away from a change are left to the full run', () => {
  assert.deepEqual(reached('src/purchases/claims/grant.ts').includes('src/purchases/claims/far.test.ts'), true)
  assert.deepEqual(reached('src/ledger/book.ts').includes('src/purchases/claims/far.test.ts'), false)
})

test('tests that start the entire service are selected by the paths they call', () => {
  assert.deepEqual(reached('src/purchases/claims/routes.ts'), ['test/journeys/claims.test.ts'])
})

test('a changed command, console page, migration or document selects the tests that use it', () => {
  assert.deepEqual(reached('cli/commands/claims.ts'), ['cli/claims.test.ts'])
  assert.deepEqual(reached('console/src/pages/claims/list.tsx'), ['test/journeys/console.test.ts'])
  assert.deepEqual(reached('db/migrations/0002_more.sql'), ['src/purchases/claims/grant.test.ts'])
  assert.deepEqual(reached('docs/claims.md'), ['test/guide.test.ts'])
})
