import { writeFile } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Command } from 'commander'
import { COMMAND_NAMES, createProgram } from '../cli/program.ts'

const FILE = fileURLToPath(new URL('../docs/reference/commands.md', import.meta.url))
const MOST_COLUMNS = 120

const INTRODUCTION = `# Commands

<!-- Written by \`node scripts/commands-doc.ts\` from the definitions in cli/commands. -->

\`./laurel help\` lists all commands, and \`./laurel COMMAND --help\` shows the options of one. Commands work while the
service runs, and with \`DATABASE_URL\`. With \`--json\` every command prints one JSON object, except those whose output
is a file or a log (\`start\`, \`migrate\`, \`demo\`, \`catalog export\`, \`payouts content\`, \`statements show\`); errors go
to stderr. The exit code is 0 for done, 1 for failed, 2 for wrong usage.

How the master key is replaced, step by step: [the runbook](../runbooks/rotate-the-master-key.md).
`

/** Generates the reference page of all commands from their help. */
export async function commandsDocument(): Promise<string> {
  const program = await createProgram(COMMAND_NAMES)
  return [INTRODUCTION, ...program.commands.flatMap((command) => renderSections(command, 2))].join('\n')
}

function renderSections(command: Command, depth: number): string[] {
  const heading = `${'#'.repeat(depth)} \`${formatCall(command)}\``
  const section = `${heading}\n\n${wrapped(toSentence(command.description()))}\n`
  const rows = toRows(command)
  const table = rows.length === 0 ? [] : [`| argument or option | meaning |\n|---|---|\n${rows.join('\n')}\n`]
  return [section, ...table, ...command.commands.flatMap((one) => renderSections(one, Math.min(depth + 1, 3)))]
}

/** Formats the full name of a command with its arguments: `publishers set <id>`. */
function formatCall(command: Command): string {
  const names: string[] = []
  for (let one = command; one.parent !== null; one = one.parent) names.unshift(one.name())
  return [...names, command.usage().replaceAll(/\[(options|command)\] ?/g, '')].join(' ').trim()
}

function toRows(command: Command): string[] {
  const help = command.createHelp()
  return [
    ...command.registeredArguments.map((argument) => [argument.name(), help.argumentDescription(argument)]),
    ...command.options
      .filter(({ long, hidden }) => long !== '--json' && !hidden)
      .map((option) => [option.flags, help.optionDescription(option)]),
  ].map(([term = '', meaning = '']) => `| \`${term}\` | ${meaning.replaceAll('|', '\\|')} |`)
}

function toSentence(description: string): string {
  return `${description.charAt(0).toUpperCase()}${description.slice(1)}.`
}

function wrapped(text: string): string {
  return text.split(' ').reduce((lines, word) => {
    const last = lines.slice(lines.lastIndexOf('\n') + 1)
    return `${lines}${last.length + 1 + word.length > MOST_COLUMNS ? '\n' : ' '}${word}`
  })
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await writeFile(FILE, await commandsDocument())
}
