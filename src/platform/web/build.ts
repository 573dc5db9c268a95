import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { glob, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const BUILDS = join(ROOT, 'node_modules', '.cache', 'laurel-console')
const BUNDLER = fileURLToPath(new URL('./bundle.ts', import.meta.url))
/** Everything the build output depends on. */
const INPUTS = ['console/**/*.{ts,tsx,css,html,svg,json}', 'src/platform/web/bundle.ts', 'package-lock.json']
const DRAFT = 'draft-'

/**
 * Builds the console if needed and returns its folder. A build takes about two seconds and runs when the sources, the
 * configuration or the lock file have changed. Otherwise the existing build is found within milliseconds. Each build is
 * written to a draft folder that is then renamed, so a build folder is always complete and two processes can build
 * concurrently.
 * @throws Error with the bundler's output if the sources do not build
 */
export async function buildConsole(): Promise<string> {
  const folder = join(BUILDS, await hashInputs())
  if (existsSync(folder)) return folder
  await mkdir(BUILDS, { recursive: true })
  const draft = await mkdtemp(join(BUILDS, DRAFT))
  try {
    // Runs in a separate process because the bundler takes hundreds of megabytes and modifies environment variables.
    await promisify(execFile)(process.execPath, [BUNDLER, draft], { cwd: ROOT })
    await rename(draft, folder)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  await removeOthers(folder)
  return folder
}

async function hashInputs(): Promise<string> {
  const paths: string[] = []
  for await (const path of glob(INPUTS, { cwd: ROOT })) paths.push(path.split(sep).join('/'))
  const hash = createHash('sha256')
  const texts = await Promise.all(paths.sort().map((path) => readFile(join(ROOT, path))))
  for (const [index, text] of texts.entries()) hash.update(`${paths[index]}\0${text.length}\0`).update(text)
  return hash.digest('hex').slice(0, 16)
}

/** Deletes earlier builds. Keeps drafts, because another process might be writing them. */
async function removeOthers(folder: string): Promise<void> {
  for (const name of await readdir(BUILDS)) {
    const other = join(BUILDS, name)
    if (other !== folder && !name.startsWith(DRAFT)) await rm(other, { recursive: true, force: true })
  }
}
