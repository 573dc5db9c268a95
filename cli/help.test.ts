import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Command } from 'commander'
import { ROLES } from '../src/tenants/accounts/index.ts'
import { COMMAND_NAMES, createProgram } from './program.ts'
import { formatCount } from './terminal.ts'
import { dataFolder, laurel, laurelProcess } from './test-support.ts'

const program = await createProgram(COMMAND_NAMES)

function commandsIn(command: Command): Command[] {
  return [command, ...command.commands.flatMap(commandsIn)]
}

function find(...names: readonly string[]): Command {
  return names.reduce((command, name) => {
    const found = command.commands.find((one) => one.name() === name)
    assert.ok(found, name)
    return found
  }, program)
}

/** Returns the output of `--help`, on one line. */
function renderHelp(command: Command): string {
  let printed = ''
  command.configureOutput({ writeOut: (text) => (printed += text) })
  command.outputHelp()
  return printed.replaceAll(/\s+/g, ' ')
}

test('every command, argument and option has a description, and required options are marked', () => {
  let needed = 0
  for (const command of commandsIn(program)) {
    const help = renderHelp(command)
    assert.ok(command.description(), command.name())
    for (const argument of command.registeredArguments)
      assert.ok(argument.description, `${command.name()} ${argument.name()}`)
    for (const option of command.options) {
      assert.ok(option.description, `${command.name()} ${option.flags}`)
      const isMarked = help.includes(`${option.description} (required)`)
      assert.equal(isMarked, option.mandatory, `${command.name()} ${option.flags}`)
      if (option.mandatory) needed++
    }
  }
  assert.ok(needed > 10)
})

test('every command accepts --json, except those that output a file or a log', () => {
  const names = commandsIn(program)
    .filter(({ commands, options }) => commands.length === 0 && !options.some(({ long }) => long === '--json'))
    .map((command) => [command.parent?.name(), command.name()].filter((name) => name !== 'laurel').join(' '))
  assert.deepEqual(names.toSorted(), [
    'catalog export',
    'demo',
    'migrate',
    'payouts content',
    'start',
    'statements show',
  ])
})

test('the docs show only commands and options that exist', async () => {
  const root = new URL('..', import.meta.url).pathname
  const files = (await readdir(join(root, 'docs'), { recursive: true })).filter((name) => name.endsWith('.md'))
  const faults: string[] = []
  let calls = 0
  for (const file of ['README.md', 'CONTRIBUTING.md', ...files.map((name) => join('docs', name))]) {
    // A command may continue on the next line, after a backslash or in a wrapped code span.
    const text = (await readFile(join(root, file), 'utf8')).replaceAll(/\\\n/g, ' ')
    for (const [, call = ''] of text.matchAll(/(?:\.\/laurel |`laurel )([^`|;#\n]*(?:\n(?!\n)[^`|;#\n]*`)?)/g)) {
      // This is the sequencer's database application name, not a command.
      if (call === 'webhooks`' || call === 'webhooks') continue
      const fault = findFault(call.split(/\s+/).filter(Boolean))
      calls++
      if (fault !== null) faults.push(`${file}: laurel ${call}: ${fault}`)
    }
  }
  assert.ok(calls > 50)
  assert.deepEqual(faults, [])
})

function findFault(words: readonly string[]): string | null {
  let command: Command = program
  for (const word of words) {
    if (!/^[a-z][a-z-]*$/.test(word) || command.commands.length === 0) break
    if (word === 'help') return null
    const found = command.commands.find((one) => one.name() === word)
    if (found === undefined) return `there is no command ${word}`
    command = found
  }
  const known = new Set(['--help', '--version', ...command.options.map(({ long }) => long)])
  const unknown = words.flatMap((word) => /^\[?(--[a-z-]+)/.exec(word)?.[1] ?? []).filter((flag) => !known.has(flag))
  return unknown.length === 0 ? null : `it has no ${unknown.join(', ')}`
}

test('requesting help for an unknown command or subcommand is an error', async () => {
  for (const args of [
    ['nosuch', '--help'],
    ['networks', 'nosuch', '--help'],
    ['help', 'nosuch'],
    ['-h', 'nosuch'],
  ]) {
    const { code, stderr, stdout } = await laurel(args, {})
    assert.deepEqual([code, stdout], [2, ''], args.join(' '))
    assert.match(stderr, /unknown command 'nosuch'/)
  }
  assert.equal((await laurel(['networks', 'format', '--help'], {})).code, 0)
})

test("printing help loads none of the service's code", async () => {
  const coverage = await dataFolder()
  const { code, stdout } = await laurelProcess(['help'], { NODE_V8_COVERAGE: coverage })
  assert.equal(code, 0)
  for (const name of COMMAND_NAMES) assert.match(stdout, new RegExp(`^  ${name}\\b`, 'm'))
  const [file = ''] = await readdir(coverage)
  const { result } = JSON.parse(await readFile(join(coverage, file), 'utf8'))
  const loaded: readonly string[] = result.map(({ url }: { url: string }) => url)
  assert(loaded.some((url) => url.endsWith('/cli/program.ts')))
  assert.deepEqual(
    loaded.filter((url) => url.includes('/src/')),
    [],
  )
})

test('the help of the operators create command explains what each role may do', () => {
  const help = renderHelp(find('operators', 'create'))
  for (const role of ROLES) assert.match(help, new RegExp(`Roles:.* ${role} \\w+`))
})

test('a count of one takes the singular', () => {
  const rows: [count: number, text: string][] = [
    [0, '0 categories'],
    [1, '1 category'],
    [2, '2 categories'],
  ]
  for (const [count, text] of rows) assert.equal(formatCount(count, 'category', 'categories'), text)
  assert.deepEqual([formatCount(1, 'key'), formatCount(21, 'key')], ['1 key', '21 keys'])
})
