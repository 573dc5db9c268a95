import { createReadStream } from 'node:fs'
import { UserError } from '../errors.ts'
import { unreadable } from '../files.ts'
import { shell } from '../shell.ts'

export type NumberedLine = { readonly number: number; readonly text: string }

// A row takes a few hundred characters. The limit keeps a file without line breaks from filling memory.
const LINE_CHARACTERS_MAX = 1_000_000

/**
 * Yields the non-blank lines of a file, or of stdin for `-`, one batch per chunk, in constant memory.
 * @throws UserError if it cannot be read, is not UTF-8 or has an overlong line
 */
export async function* readLines(file: string): AsyncGenerator<NumberedLine[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let number = 0
  let rest = ''
  const toBunch = (texts: readonly string[]): NumberedLine[] =>
    texts.map((text) => ({ number: ++number, text })).filter(({ text }) => text.trim() !== '')
  try {
    for await (const piece of file === '-' ? shell().stdin : createReadStream(file)) {
      const texts = (rest + decoder.decode(piece as Buffer, { stream: true })).split('\n')
      rest = texts.pop() ?? ''
      yield toBunch(texts)
      if (rest.length > LINE_CHARACTERS_MAX)
        throw createLineError(file, number + 1, 'is longer than a million characters')
    }
    yield toBunch([rest + decoder.decode()])
  } catch (error) {
    throw toUserError(file, number, error)
  }
}

export function createLineError(file: string, number: number, fault: string): UserError {
  return new UserError(`${describeFile(file)}, line ${number} ${fault}.`)
}

/**
 * Parses the object in a line.
 * @throws UserError with the file and line if it is not an object
 */
export function parseObject(file: string, { number, text }: NumberedLine): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw createLineError(file, number, 'is not valid JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw createLineError(file, number, 'is not a JSON object')
  return value as Readonly<Record<string, unknown>>
}

function toUserError(file: string, number: number, error: unknown): unknown {
  if (error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
    return new UserError(`${describeFile(file)} is not encoded in UTF-8, somewhere after line ${number}.`)
  const { code = '' } = error as NodeJS.ErrnoException
  return ['ENOENT', 'EISDIR', 'EACCES'].includes(code) ? unreadable(file, error as NodeJS.ErrnoException) : error
}

function describeFile(file: string): string {
  return file === '-' ? 'standard input' : file
}
