import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const UNPACK = "const { default: chromium } = await import('@sparticuz/chromium'); await chromium.executablePath()"
// The browser is large and the machine may be busy.
const LAUNCH_MAX_MS = 300_000

/**
 * Launches a real browser, which the caller closes. Omits the package's default arguments, because they run everything
 * in one process that ends with the first page and turn off web security, which the tests cover. Disables only the
 * sandbox, because tests may run as root.
 */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = join(await unpacked(), 'chromium')
  return chromium.launch({ executablePath, args: ['--no-sandbox'], timeout: LAUNCH_MAX_MS })
}

/**
 * Returns the browser's folder, unpacking it on first use. The package itself would unpack into a folder that all
 * accounts and versions share, and treats a file as complete while another process is still writing it. Here every
 * process unpacks into its own folder, and the first to finish renames that folder into place.
 */
async function unpacked(): Promise<string> {
  const text = await readFile(join(ROOT, 'node_modules/@sparticuz/chromium/package.json'), 'utf8')
  const { version } = JSON.parse(text) as { version: string }
  const folder = join(tmpdir(), `laurel-chromium-${version}-${process.getuid?.() ?? 0}`)
  if (existsSync(folder)) return folder
  const draft = await mkdtemp(`${folder}-`)
  const env = { ...process.env, TMPDIR: draft }
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', UNPACK], { cwd: ROOT, env })
  try {
    await rename(draft, folder)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}
