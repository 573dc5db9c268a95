import { createWriteStream } from 'node:fs'
import { readFile, rename, rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { decodeText, isEncoding } from '../src/platform/text/decode-text.ts'
import { UserError } from './errors.ts'
import { note } from './terminal.ts'

// Enough for a hundred thousand offers or a lifetime of bank statements. Larger files would strain memory.
const FILE_BYTES_MAX = 100 * 1024 * 1024

/** The `--encoding` option of commands that read files from other programs. */
export type Encoded = { readonly encoding?: string }

export function withEncoding(command: Command): Command {
  return command.option(
    '--encoding <name>',
    'encoding of the file, such as shift_jis; UTF-8, UTF-16 and windows-1252 are detected',
    readEncoding,
  )
}

function readEncoding(label: string): string {
  if (isEncoding(label)) return label
  throw new UserError(`"${label}" is not an encoding. Use one such as ${EXAMPLES}.`, { exitCode: 2 })
}

const EXAMPLES =
  'windows-1252 (Western Europe), windows-1250 (Central Europe), windows-1251 (Cyrillic), shift_jis (Japan) or ' +
  'gb18030 (China)'

/**
 * Reads and decodes a text file.
 * @throws UserError if it cannot be read, is too large or is not text
 */
export async function readText(file: string, encoding?: string): Promise<string> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(file, error)
  })
  if (bytes.length > FILE_BYTES_MAX) throw new UserError(`${file} is larger than 100 MiB. Split it.`)
  const decoded = decodeText(bytes, encoding)
  if (decoded === null) throw undecodable(file, bytes, encoding)
  if (encoding === undefined && decoded.encoding === 'windows-1252')
    note(`${file} was read as windows-1252, the Western European encoding.`)
  return decoded.text
}

export function unreadable(file: string, { code }: NodeJS.ErrnoException): UserError {
  return new UserError(code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read (${code}).`)
}

// Magic numbers of spreadsheets (ZIP archives or, for older ones, compound files), PDF and gzip.
const OTHER_KINDS: readonly [magic: string, kind: string][] = [
  ['504b0304', 'a spreadsheet or an archive; save the sheet as CSV UTF-8'],
  ['d0cf11e0', 'a spreadsheet; save it as CSV UTF-8'],
  ['25504446', 'a PDF; export the table as CSV'],
  ['1f8b', 'compressed; unpack it first'],
]

function undecodable(file: string, bytes: Buffer, encoding: string | undefined): UserError {
  const magic = bytes.subarray(0, 4).toString('hex')
  const other = OTHER_KINDS.find(([start]) => magic.startsWith(start))
  if (other !== undefined) return new UserError(`${file} is ${other[1]}.`)
  if (encoding !== undefined) return new UserError(`${file} is not encoded in ${encoding}.`)
  return new UserError(
    `${file} is not encoded in UTF-8 or UTF-16, and other encodings cannot be told apart. Save it as CSV UTF-8, ` +
      `or specify its encoding if the command has --encoding: ${EXAMPLES}.`,
  )
}

/**
 * Writes to a temporary file next to the target, which replaces the target once complete, so a partial file is never
 * mistaken for a complete one.
 * @throws UserError with the reason if the file cannot be written
 */
export async function writeWhole(
  file: string,
  texts: AsyncIterable<string | Buffer> | Iterable<string | Buffer>,
): Promise<void> {
  // Pipes and devices such as /dev/null are written directly, because a rename would replace them with a file.
  const isSpecial = await stat(file).then(
    (found) => !found.isFile() && !found.isDirectory(),
    () => false,
  )
  const draft = isSpecial ? file : `${file}.${process.pid}.draft`
  try {
    await pipeline(texts, createWriteStream(draft))
    if (!isSpecial) await rename(draft, file)
  } catch (error) {
    if (!isSpecial) await rm(draft, { force: true }).catch(() => undefined)
    const why = UNWRITABLE[String((error as NodeJS.ErrnoException).code)]
    throw why === undefined ? error : new UserError(`${file} cannot be written: ${why}.`)
  }
}

// System error codes for an unwritable path. No other kind of failure uses them.
const UNWRITABLE: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder is a file',
  EISDIR: 'it is a folder',
  EACCES: 'this account may not write there',
  EPERM: 'this account may not write there',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: "this account's disk quota is exceeded",
  EFBIG: 'it would exceed the maximum file size',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its symbolic links form a loop',
  EIO: 'the disk reports an error',
}
