const MARKUP: unique symbol = Symbol('markup')

/** Markup that is safe to send. Only the tag below can create it, so untrusted data can never pass for markup. */
export type Html = { readonly [MARKUP]: string }
type HtmlPart = Html | string | number | null | undefined | false | readonly HtmlPart[]

/** Template tag that escapes its values, except for nested templates. Lists are joined. */
export function html(texts: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return { [MARKUP]: texts.map((text, index) => text + renderMarkup(parts[index])).join('') }
}

/** Renders a part as text. Strings are escaped, and absent values render as nothing. */
export function renderMarkup(part: HtmlPart): string {
  if (part === null || part === undefined || part === false) return ''
  if (typeof part === 'string' || typeof part === 'number')
    return String(part).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
  if (MARKUP in part) return part[MARKUP]
  return part.map(renderMarkup).join('')
}
