import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
// Light and dark mode differ only in colors.
const OF_COLORS = ['color-contrast', 'link-in-text-block']

/**
 * Finds violations of the WCAG 2.2 AA rules with axe, in light and dark mode, and layout errors: a page or dialog whose
 * content overflows, or text squeezed into a column of single letters.
 */
export async function findFaults(page: Page): Promise<string[]> {
  // The page's content security policy blocks injected scripts, so this injects axe through the debugger.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(await source)
  const faults: string[] = []
  for (const [colorScheme, rules] of [
    ['light', { type: 'tag', values: WCAG }],
    ['dark', { type: 'rule', values: OF_COLORS }],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const found = await page.evaluate<string[]>(askingFor(rules))
    faults.push(...found.map((fault) => `${colorScheme}: ${fault}`))
  }
  return faults
}

// The focus guards of open popups deliberately have no name.
const askingFor = (rules: object) => `axe.run(
  { exclude: [['[data-base-ui-focus-guard]']] },
  { runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'] },
).then(({ violations }) => {
  const found = violations.map(({ id, nodes }) => id + ' ' + nodes[0].html)
  for (const { tagName, scrollWidth, clientWidth } of document.querySelectorAll('html, [role=dialog]'))
    if (scrollWidth > clientWidth) found.push(tagName + ' wider by ' + (scrollWidth - clientWidth) + ' px')
  for (const text of document.querySelectorAll('p, button, h2, dd')) {
    const { width, height } = text.getBoundingClientRect()
    if (height > 5 * width) found.push('squeezed ' + text.outerHTML)
  }
  return found
})`
