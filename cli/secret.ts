import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { addAbortSignal, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { UserError } from './errors.ts'
import { shell } from './shell.ts'

/**
 * Reads secrets from a pipe, a file or a prompt. An argument would show up in the shell's history and in the process
 * list.
 */

// Programs write their secret immediately. If nothing arrives in this time, nothing will.
const STDIN_LIMIT_MS = 10_000

/**
 * Returns the first line of stdin if it is not a terminal but a pipe, a file, or the socket Node gives a child process;
 * null if that line is empty.
 */
export async function readPiped(): Promise<string | null> {
  if (shell().stdin.isTTY) return null
  const late = AbortSignal.timeout(STDIN_LIMIT_MS)
  try {
    return readFirstLine(await text(addAbortSignal(late, shell().stdin)))
  } catch (error) {
    if (!late.aborted) throw error
    throw new UserError(
      'stdin is a pipe that delivered no secret within 10 s. Close it (</dev/null) to continue without one.',
    )
  }
}

/**
 * Returns the first line of a file.
 * @throws UserError if the file cannot be read or its first line is empty
 */
export async function readSecretFile(path: string): Promise<string> {
  const content = await readFile(path, 'utf8').catch(() => {
    throw new UserError(`The file ${path} cannot be read.`)
  })
  const secret = readFirstLine(content)
  if (secret === null) throw new UserError(`The file ${path} begins with an empty line.`)
  return secret
}

/** Prompts at a terminal without echoing the input; null if there is no terminal or nothing was typed. */
export async function askForSecret(question: string): Promise<string | null> {
  if (!shell().stdin.isTTY) return null
  shell().stderr.write(question)
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() })
  const asking = createInterface({ input: shell().stdin, output: unseen, terminal: true })
  try {
    return readFirstLine(await asking.question(''))
  } finally {
    asking.close()
    shell().stderr.write('\n')
  }
}

function readFirstLine(content: string): string | null {
  return content.split('\n')[0]?.trim() || null
}
