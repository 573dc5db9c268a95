import { posix } from 'node:path'

export type Document = { readonly path: string; readonly text: string }

/** Lists links within the checkout that lead nowhere. */
export function brokenLinks(documents: readonly Document[], exists: (path: string) => boolean): string[] {
  return documents.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
      const file = decodeURIComponent(link.replace(/#.*$/, ''))
      if (file === '' || /^[a-z]+:/.test(link)) return []
      const target = posix.join(posix.dirname(path), file)
      return exists(target) ? [] : [`${path} links to ${link}, which is not there`]
    }),
  )
}

/** Lists links to headings that do not exist. */
export function brokenAnchors(documents: readonly Document[]): string[] {
  const anchors = new Map(documents.map(({ path, text }) => [path, listAnchors(text)]))
  return documents.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\((?![a-z]+:)([^)\s#]*)#([^)\s]+)\)/g)].flatMap(([, file = '', anchor = '']) => {
      const target = file === '' ? path : posix.join(posix.dirname(path), file)
      const isThere = anchors.get(target)?.has(anchor) ?? true
      return isThere ? [] : [`${path} links to ${file}#${anchor}, which is not there`]
    }),
  )
}

/** Returns the anchors of a document's headings, as GitHub generates them. */
function listAnchors(text: string): ReadonlySet<string> {
  const headings = text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.*)$/gm)
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

type Setting = { readonly name: string; readonly fallback: string; readonly about: string }

/** Lists differences between the settings table in docs/reference and the settings in the code. */
export function settingFaults(page: string, settings: readonly Setting[]): string[] {
  const shown = parseTable(page, '| setting | default | meaning |').map((cells) => cells.map(plain).join(' | '))
  const known = settings.map(({ name, fallback, about }) => [name, fallback, about].map(plain).join(' | '))
  return [
    ...known.filter((row) => !shown.includes(row)).map((row) => `the page of settings lacks ${row}`),
    ...shown.filter((row) => !known.includes(row)).map((row) => `the page of settings shows what is not so: ${row}`),
  ]
}

type Manifest = { readonly dependencies?: object; readonly devDependencies?: object }

/** Lists dependencies that no decision explains, and explained names that are not dependencies. */
export function dependencyFaults(manifest: Manifest, decisions: readonly Document[]): string[] {
  const names = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
  const text = decisions.map((decision) => decision.text).join('\n')
  const explained = decisions.flatMap((decision) =>
    parseTable(decision.text, '| part | for | why this one |').flatMap(([part = '']) =>
      [...part.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    ),
  )
  return [
    ...names.filter((name) => !text.includes(`\`${name}\``)).map((name) => `no decision says why ${name} is used`),
    ...explained.filter((name) => !names.includes(name)).map((name) => `${name} is explained but not used`),
  ]
}

/** Lists rooms missing from the map, and rows on the map without a folder. */
export function mapFaults(map: string, folders: readonly string[]): string[] {
  const shown = parseTable(map, '| room | owns |').map(([room = '']) => plain(room))
  return [
    ...folders.filter((folder) => !shown.includes(folder)).map((folder) => `docs/map.md lacks the room ${folder}`),
    ...shown.filter((room) => !folders.includes(room)).map((room) => `docs/map.md shows ${room}, which is not there`),
  ]
}

/**
 * Lists rows on the map that name something their file does not contain. For `release`, called by `replay`, the file
 * must contain `release`.
 */
export function placeFaults(map: string, getText: (path: string) => string): string[] {
  return parseTable(map, '| what | file | name |').flatMap(([what = '', file = '', named = '']) => {
    const path = /\]\(\.\.\/([^)]+)\)/.exec(file)?.[1] ?? ''
    const names = [...named.replace(/called by .*$/, '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
    const words = new Set(getText(path).match(/\w+/g))
    return names.length > 0 && names.every((name) => words.has(name)) ? [] : [`docs/map.md: ${what}: not in ${path}`]
  })
}

// Wide enough for a comment after a line of code, and narrow enough for a side-by-side diff.
const MOST_COLUMNS = 120

/** Lists lines of prose that are too long. Tables, code and link targets cannot be wrapped. */
export function longLines(documents: readonly Document[]): string[] {
  return documents.flatMap(({ path, text }) => {
    let isCode = false
    return text.split('\n').flatMap((line, index) => {
      const isFence = line.trimStart().startsWith('```')
      if (isFence) isCode = !isCode
      const shown = line.replace(/\]\([^)\s]+\)/g, ']')
      const isProse = !isFence && !isCode && !line.trimStart().startsWith('|')
      return isProse && shown.length > MOST_COLUMNS ? [`${path}:${index + 1} has ${shown.length} columns`] : []
    })
  })
}

/** Returns the cells of each row in all tables that have this heading. */
function parseTable(text: string, heading: string): string[][] {
  const lines = text.split('\n').map((line) => line.trim())
  const rowsAfter = (first: number): string[] => {
    const rows = lines.slice(first + 2)
    const end = rows.findIndex((line) => !line.startsWith('|'))
    return rows.slice(0, end < 0 ? rows.length : end)
  }
  return lines
    .flatMap((line, index) => (line === heading ? rowsAfter(index) : []))
    .map((line) =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim()),
    )
}

function plain(cell: string): string {
  return cell.replace(/^`(.*)`$/, '$1').trim()
}
