import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { addAbortSignal, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { UserError } from './errors.ts'
import { shell } from './shell.ts'

/**
 * Secrets are read from a pipe, a file or a prompt: an argument would show in the shell's history and in the list of
 * processes.
 */

// A program writes its secret at once; after this long, nothing is coming through the pipe.
const STDIN_LIMIT_MS = 10_000

/**
 * The first line of stdin if it is not a terminal: a pipe, a file, or the socket that Node gives a child process. Null
 * if it is empty.
 */
export async function readPiped(): Promise<string | null> {
  if (shell().stdin.isTTY) return null
  const late = AbortSignal.timeout(STDIN_LIMIT_MS)
  try {
    return firstLineOf(await text(addAbortSignal(late, shell().stdin)))
  } catch (error) {
    if (!late.aborted) throw error
    throw new UserError('stdin is a pipe that brought no secret in 10 s; close it (</dev/null) to go on without.')
  }
}

/** The first line of a file. @throws UserError when there is none */
export async function readSecretFile(path: string): Promise<string> {
  const content = await readFile(path, 'utf8').catch(() => {
    throw new UserError(`The file ${path} cannot be read.`)
  })
  const secret = firstLineOf(content)
  if (secret === null) throw new UserError(`The file ${path} begins with an empty line.`)
  return secret
}

/**
 * Asks a person at a terminal, without showing what is typed; null where there is no terminal, or nothing was typed.
 */
export async function askForSecret(question: string): Promise<string | null> {
  if (!shell().stdin.isTTY) return null
  shell().stderr.write(question)
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() })
  const asking = createInterface({ input: shell().stdin, output: unseen, terminal: true })
  try {
    return firstLineOf(await asking.question(''))
  } finally {
    asking.close()
    shell().stderr.write('\n')
  }
}

function firstLineOf(content: string): string | null {
  return content.split('\n')[0]?.trim() || null
}
