import { createWriteStream } from 'node:fs'
import { readFile, rename, rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
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

/**
 * Writes to a file beside the target and moves it there when it is complete, so that a partial file is never taken for
 * a complete one. The old file stays until then. @throws UserError with the reason when it cannot be written
 */
export async function writeWhole(
  file: string,
  texts: AsyncIterable<string | Buffer> | Iterable<string | Buffer>,
): Promise<void> {
  // A pipe or a device (/dev/null) is written to directly; it must not be replaced by a file.
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

// The system's words for a place where nothing can be written; no other kind of failure uses them.
const UNWRITABLE: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'what should be its folder is a file',
  EISDIR: 'it is a folder',
  EACCES: 'this account may not write there',
  EPERM: 'this account may not write there',
  EROFS: 'nothing can be written on this disk',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full for this account',
  EFBIG: 'it would be larger than files may be there',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links lead in a circle',
  EIO: 'the disk does not take it',
}
