import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { createPortalLink } from '../cli/portal-link.ts'
import { laurel, startLaurel } from '../cli/test-support.ts'
import { launchBrowser } from '../test/support/browser.ts'
import { tellMore } from './screenshots-story.ts'

/**
 * Takes screenshots of every page of the console and the portal, light and dark, wide and narrow, into docs/images. It
 * follows links and captures one page of each kind, so there is no list of pages that could go stale.
 */

const FOLDER = fileURLToPath(new URL('../docs/images/', import.meta.url))
const [WIDTHS, MODES] = [[1280, 390], ['light', 'dark'] as const]
const HEIGHT = 844
// Bounds the crawl, in case links never end.
const PAGES_MAX = 120

const dataDir = await mkdtemp(join(tmpdir(), 'laurel-screenshots-'))
const env = { LAUREL_DATA_DIR: dataDir, PORT: '0', SIMULATOR_PORT: '0' }
const running = await startLaurel(env)
const browser = await launchBrowser()
try {
  const demo = await laurel(['demo'], env)
  if (demo.code !== 0) throw new Error(demo.stderr)
  await tellMore(running, env)
  await mkdir(FOLDER, { recursive: true })
  const findLink = (name: string) => new RegExp(`^ *${name} +(\\S+)`, 'm').exec(demo.stdout)?.[1] ?? ''
  await draw('console', ['/console/sign-in', '/console/forgotten', '/console/invitation', '/console/reset'])
  await draw('console', ['/console/'], findLink('Console'))
  const link = await createPortalLink(running.url, running.apiKey, 'ada')
  if (link === null) throw new Error('the service gives no link into the portal')
  await draw('portal', [new URL(link).pathname.replace(/.enter.*/, '')], link)
} finally {
  await browser.close()
  await running.end('SIGTERM')
  await rm(dataDir, { recursive: true, force: true })
}

/** Captures the pages at these paths and, after signing in by a link, every page reachable from them. */
async function draw(front: string, paths: string[], link?: string): Promise<void> {
  const context = await newContext(browser)
  const page = await context.newPage()
  if (link !== undefined) await enter(page, link)
  const [waiting, drawn] = [[...paths], new Set<string>()]
  for (let path = waiting.shift(); path !== undefined && drawn.size < PAGES_MAX; path = waiting.shift()) {
    const name = toName(path)
    if (drawn.has(name)) continue
    drawn.add(name)
    await page.setViewportSize({ width: 1280, height: HEIGHT })
    if (!(await open(page, path))) continue
    await settled(page)
    if (link !== undefined) waiting.push(...(await findLinks(page, `/${front}`)))
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT })
      // Makes the window as tall as the page, so that elements at the edge of the window end up at the edge of the
      // picture.
      const height = await page.evaluate('document.documentElement.scrollHeight')
      await page.setViewportSize({ width, height: Math.max(HEIGHT, Number(height)) })
      for (const colorScheme of MODES) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.screenshot({ path: join(FOLDER, `${name}-${width}-${colorScheme}.png`) })
      }
    }
  }
  console.log([...drawn].join('\n'))
  await context.close()
}

async function newContext(of: Browser): Promise<BrowserContext> {
  const context = await of.newContext({ locale: 'en-US', viewport: { width: 1280, height: HEIGHT } })
  context.setDefaultTimeout(60_000)
  return context
}

/** Opens a page. Returns false if the link downloads a file instead. */
async function open(page: Page, path: string): Promise<boolean> {
  try {
    await page.goto(new URL(path, running.url).href)
    return true
  } catch (error) {
    if (error instanceof Error && error.message.includes('Download is starting')) return false
    throw error
  }
}

/** Follows a sign-in link. The portal's link asks for confirmation, so that a mail preview does not use it up. */
async function enter(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await settled(page)
  const button = page.locator('form[action*="/enter/"] button')
  if ((await button.count()) > 0) await button.click()
  await page.waitForURL((url) => !url.pathname.includes('/enter'))
  await settled(page)
}

async function settled(page: Page): Promise<void> {
  await page.locator('main').first().waitFor()
  await page.waitForLoadState('networkidle')
}

/** Returns the paths within the same front end that the page links to, without queries. */
async function findLinks(page: Page, below: string): Promise<string[]> {
  const hrefs = await page.locator('a[href]').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  return hrefs
    .map((href) => new URL(href ?? '', page.url()))
    .filter(({ origin, pathname }) => origin === new URL(running.url).origin && pathname.startsWith(below))
    .map(({ pathname }) => pathname)
}

/** Returns one name for all pages that differ only in an ID, a user or a day. The publisher is always the same. */
function toName(path: string): string {
  const parts = path
    .replace(/.publishers.pub_\w+|.acorn/, '')
    .split('/')
    .filter((part) => part !== '')
  return parts.map((part) => (/_\w{20,}$|^\d{4}-\d\d|^(ada|ben|cleo|demo-\w+)$/.test(part) ? 'one' : part)).join('-')
}
