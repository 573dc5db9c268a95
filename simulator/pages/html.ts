/**
 * Markup that is safe to send. Only the `html` tag creates it, and it escapes every value that is not markup itself.
 */
export type Html = { readonly markup: string }

type Part = Html | string | number | null | false | readonly Part[]

export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { markup: texts.map((text, index) => text + render(parts[index] ?? null)).join('') }
}

function render(part: Part): string {
  if (part === null || part === false) return ''
  if (typeof part === 'string' || typeof part === 'number') return escapeMarkup(String(part))
  if ('markup' in part) return part.markup
  return part.map(render).join('')
}

function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
