import { readFile } from 'node:fs/promises'
import { UserError } from './errors.ts'

// A hundred thousand offers, or the statements of a lifetime; more would not fit into memory comfortably.
const FILE_BYTES_MAX = 100 * 1024 * 1024

/** The text of a file that the user names. @throws UserError when it cannot be read, is too large or no UTF-8. */
export async function readText(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new UserError(
      error.code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read (${error.code}).`,
    )
  })
  if (bytes.length > FILE_BYTES_MAX) throw new UserError(`${file} is larger than 100 MiB; split it.`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UserError(`${file} is not written in UTF-8; convert it first, for example with iconv -f latin1 -t utf-8.`)
  }
}
