import { randomBytes } from 'node:crypto'
import { link, open, readFile, unlink, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Returns the trimmed text of a file; null if it does not exist. */
export async function readIfThere(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/**
 * Creates a file atomically, readable only by its owner, and returns its content. If two processes write concurrently,
 * both get the content that was written first.
 */
export async function writeOnce(file: string, text: string): Promise<string> {
  const present = await readIfThere(file)
  if (present !== null) return present
  const draft = `${file}.new-${randomBytes(4).toString('hex')}`
  await writeFile(draft, `${text}\n`, { mode: 0o600, flush: true })
  try {
    await link(draft, file)
    await syncFolder(dirname(file))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await unlink(draft)
  }
  return (await readFile(file, 'utf8')).trim()
}

/**
 * Syncs a folder so that its entries survive a power failure. Windows cannot open folders and does not need the sync.
 */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
