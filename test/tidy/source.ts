/**
 * A TypeScript file, parsed just enough for the tidy checks into code, comments and tagged templates. Line and column
 * numbers are preserved, so a finding can include its line. Relies on the formatter's layout.
 */
export type Source = {
  readonly path: string
  readonly text: string
  /** The text with comments, strings and templates blanked out. `${…}` inside a template counts as code. */
  readonly code: string
  /** The text with everything except comments blanked out. */
  readonly comments: string
  readonly templates: readonly Template[]
}

/** A tagged template: its tag, its text with the expressions as written, and its first line. */
type Template = { readonly tag: string; readonly text: string; readonly line: number }

type Open = { readonly start: number; readonly tag: string; depth: number }

export function readSource(path: string, text: string): Source {
  const code = [...blank(text)]
  const comments = [...blank(text)]
  const templates: Template[] = []
  const open: Open[] = []
  let at = 0
  const keep = (into: string[], end: number) => {
    for (; at < end; at++) into[at] = text[at] ?? ''
  }
  /** Reads the literal part of a template, up to its end or the next `${`. */
  const walkTemplate = () => {
    while (at < text.length) {
      const next = text[at]
      if (next === '\\') at++
      else if (next === '`') {
        const ended = open.pop()
        keep(code, at + 1)
        if (ended !== undefined && ended.tag !== '')
          templates.push({ tag: ended.tag, text: text.slice(ended.start, at - 1), line: lineAt(text, ended.start) })
        return
      } else if (next === '$' && text[at + 1] === '{') {
        const current = open.at(-1)
        if (current !== undefined) current.depth = 1
        keep(code, at + 2)
        return
      }
      at++
    }
  }
  while (at < text.length) {
    const rest = text.slice(at, at + 2)
    const current = open.at(-1)
    if (rest === '//') keep(comments, findEnd(text, '\n', at))
    else if (rest === '/*') keep(comments, findEnd(text, '*/', at) + 2)
    else if (text[at] === "'" || text[at] === '"') {
      const end = findStringEnd(text, at)
      keep(code, at + 1)
      at = Math.max(at, end - 1)
      keep(code, end)
    } else if (text[at] === '`') {
      open.push({ start: at + 1, tag: tagBefore(code.join('').slice(0, at)), depth: 0 })
      keep(code, at + 1)
      walkTemplate()
    } else if (text[at] === '/' && rest !== '/>' && beginsPattern(text.slice(0, at))) at = findPatternEnd(text, at)
    else if (current !== undefined && text[at] === '{') {
      current.depth++
      keep(code, at + 1)
    } else if (current !== undefined && text[at] === '}') {
      current.depth--
      keep(code, at + 1)
      if (current.depth === 0) walkTemplate()
    } else keep(code, at + 1)
  }
  return { path, text, code: code.join(''), comments: comments.join(''), templates }
}

export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}

function findEnd(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from)
  return found < 0 ? text.length : found
}

function findStringEnd(text: string, from: number): number {
  const quote = text[from]
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === quote || text[at] === '\n') return at + 1
  }
  return text.length
}

/**
 * Returns the name before a backtick, without type arguments, so `reader<Row[]>` yields reader. Empty for an untagged
 * template.
 */
function tagBefore(code: string): string {
  let rest = code
  if (rest.trimEnd().endsWith('>') && !rest.trimEnd().endsWith('=>')) {
    let depth = 0
    let at = rest.trimEnd().length - 1
    for (; at >= 0; at--) {
      if (rest[at] === '>' && rest[at - 1] !== '=') depth++
      else if (rest[at] === '<' && --depth === 0) break
    }
    rest = rest.slice(0, at)
  }
  const name = /([\w$.]+)$/.exec(rest)?.[1] ?? ''
  return /^(return|await|yield|of|in|case|typeof)$/.test(name) ? '' : name
}

/** Returns true if a slash starts a regular expression, which cannot follow a value. `/>` ends an element instead. */
function beginsPattern(before: string): boolean {
  const end = before.trimEnd()
  return end === '' || /[(,=:[!&|?{};+>~]$|\b(return|typeof|case|in|of)$/.test(end)
}

function findPatternEnd(text: string, from: number): number {
  let inClass = false
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '[') inClass = true
    else if (text[at] === ']') inClass = false
    else if (text[at] === '\n' || (text[at] === '/' && !inClass)) return at + 1
  }
  return text.length
}
