import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { breakingChanges } from './breaking-changes.ts'
import { DOCUMENT } from './openapi-document.ts'

/**
 * Fails if the committed OpenAPI document breaks callers written for another revision's document: the revision in the
 * argument, or `origin/main`. A revision without a document breaks nothing.
 */

const [revision = 'origin/main'] = process.argv.slice(2)
const PATH = 'docs/reference/openapi.json'

const { status, stdout, stderr } = spawnSync('git', ['show', `${revision}:${PATH}`], {
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
  cwd: new URL('..', import.meta.url),
})
if (status !== 0 && !stderr.includes(`'${PATH}'`)) throw new Error(stderr)
const now = JSON.parse(readFileSync(DOCUMENT, 'utf8'))
const changes = status === 0 ? breakingChanges(JSON.parse(stdout), now) : []
for (const change of changes) console.error(change)
console.log(`${changes.length} breaking changes since ${revision}.`)
process.exitCode = changes.length === 0 ? 0 : 1
