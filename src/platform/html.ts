const MARKUP: unique symbol = Symbol('markup')

/** Text that is safe to send as HTML. Only the tag below makes it, so that nothing which came as data can pass for it. */
export type Html = { readonly [MARKUP]: string }
type HtmlPart = Html | string | number | null | undefined | false | readonly HtmlPart[]

/** A template whose values are escaped, unless they are such templates themselves; lists are joined. */
export function html(texts: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return { [MARKUP]: texts.map((text, index) => text + markupOf(parts[index])).join('') }
}

/** What is sent. Text is escaped, and what is absent leaves nothing. */
export function markupOf(part: HtmlPart): string {
  if (part === null || part === undefined || part === false) return ''
  if (typeof part === 'string' || typeof part === 'number')
    return String(part).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
  if (MARKUP in part) return part[MARKUP]
  return part.map(markupOf).join('')
}
