import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from '../../../platform/files.ts'
import { type ReportStorage, tryStoring } from './storage.ts'

const UNFINISHED = '.part'

/**
 * Stores reports in a folder. A file gets its name only once it is complete and on disk, so that a partial file is
 * never served. Only the service's account can read the files.
 */
export function createFolderStorage(folder: string): ReportStorage {
  return {
    store: async (name, chunks) => {
      const file = join(folder, name)
      const handle = await tryStoring('creating a report file', async () => {
        await mkdir(dirname(file), { recursive: true, mode: 0o700 })
        return open(file + UNFINISHED, 'w', 0o600)
      })
      try {
        for await (const chunk of chunks) await tryStoring('writing a report', () => handle.writeFile(chunk))
        await tryStoring('writing a report', () => handle.sync())
      } catch (error) {
        await handle.close()
        await rm(file + UNFINISHED, { force: true })
        throw error
      }
      await tryStoring('completing a report', async () => {
        await handle.close()
        await rename(file + UNFINISHED, file)
        await syncFolder(dirname(file))
      })
    },
    remove: (name) =>
      tryStoring('removing a report', async () => {
        await rm(join(folder, name), { force: true })
        await rm(join(folder, name) + UNFINISHED, { force: true })
      }),
    serving: {
      by: 'service',
      open: async (name) => {
        const handle = await open(join(folder, name), 'r').catch((error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return null
          throw error
        })
        if (handle === null) return null
        const { size } = await handle.stat()
        return { stream: createReadStream('', { fd: handle }), bytes: size }
      },
    },
  }
}
