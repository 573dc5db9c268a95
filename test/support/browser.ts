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
// The machine may be busy, and the browser is large.
const LAUNCH_MAX_MS = 300_000

/**
 * A real browser, which the caller closes. It runs without its package's default arguments: they put everything into
 * one process, which ends with the first page, and disable web security, which is part of the test. Only the sandbox
 * is disabled, because tests may run as root.
 */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = join(await unpacked(), 'chromium')
  return chromium.launch({ executablePath, args: ['--no-sandbox'], timeout: LAUNCH_MAX_MS })
}

/**
 * The folder of the browser, unpacked when it is first needed. The package would do so in a folder that all accounts
 * and versions share, and takes what it finds there for whole while another process is still writing it. Here each
 * unpacks aside, and the first that is done gives the folder its name.
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
