import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { testDatabase } from '../test/support/postgres.ts'
import {
  buildHeading,
  CLIENT,
  currentDocument,
  DOCUMENT,
  inLines,
  PROBLEMS,
  problemsDocument,
} from './openapi-document.ts'

/**
 * Writes docs/reference/openapi.json and problems.md, lints the document with the recommended rules of Redocly and
 * Spectral, treating warnings as errors, and generates the types of the console's client. The tools need a different
 * TypeScript and 130 MB, so the first run installs them in a separate folder.
 */

const TOOLS = fileURLToPath(new URL('../tools/openapi/', import.meta.url))
const BIN = join(TOOLS, 'node_modules', '.bin')

const database = await testDatabase('openapi')
const document = inLines(await currentDocument(database.url))
await database.drop()
writeFileSync(DOCUMENT, document)
writeFileSync(PROBLEMS, problemsDocument())
install()
lint('redocly', ['lint', fileURLToPath(DOCUMENT), '--config', 'redocly.yaml', '--format', 'json'], (text) => {
  const { problems } = JSON.parse(text) as { problems: { ruleId: string; message: string }[] }
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)
})
lint('spectral', ['lint', fileURLToPath(DOCUMENT), '--ruleset', 'spectral.yaml', '--fail-severity', 'hint'])
generate()

function install(): void {
  const installed = join(TOOLS, 'node_modules', '.package-lock.json')
  const lock = join(TOOLS, 'package-lock.json')
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'])
}

/** Fails if the tool fails or reports a problem. */
function lint(tool: string, parameters: readonly string[], problemsIn: (text: string) => string[] = () => []): void {
  const problems = problemsIn(run(join(BIN, tool), parameters))
  if (problems.length > 0) throw new Error(`${tool}:\n${problems.join('\n')}`)
}

function generate(): void {
  const types = run(join(BIN, 'openapi-typescript'), [fileURLToPath(DOCUMENT)])
  mkdirSync(new URL('.', CLIENT), { recursive: true })
  writeFileSync(CLIENT, `${buildHeading(readFileSync(DOCUMENT, 'utf8'))}\n${types}`)
}

function run(program: string, parameters: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, parameters, {
    cwd: TOOLS,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  })
  if (status !== 0) throw new Error(`${program} ends with ${status}:\n${stdout}${stderr}`)
  return stdout
}
