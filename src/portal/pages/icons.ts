import { type Html, html } from '../../platform/text/html.ts'
import type { Tab } from '../visit.ts'

const LEAVES = html`<path d="M12 21.5c-5.5-1-8.5-4.7-8.5-10 0-3.200 1.200-5.800 3.200-8M12 21.5c5.5-1 8.5-4.7 8.5-10 0-3.200-1.200-5.800-3.200-8" fill="none" stroke="currentColor" stroke-width="1.2" stroke-linecap="round" /><path fill="currentColor" d="M7.500 3c2 1.100 2.700 3 2.100 5.200C7.600 7.200 6.900 5.300 7.500 3ZM4 8c2.200.3 3.500 1.800 3.700 4C5.500 11.700 4.200 10.300 4 8Zm.5 5.800c2.200-.3 3.900.7 4.700 2.700-2.200.5-3.900-.4-4.700-2.700ZM16.500 3c-2 1.100-2.700 3-2.100 5.200 2-1 2.700-2.900 2.100-5.200ZM20 8c-2.200.3-3.500 1.800-3.700 4 2.200-.3 3.500-1.700 3.700-4Zm-.5 5.800c-2.200-.3-3.900.7-4.700 2.700 2.200.5 3.900-.4 4.700-2.700Z" />`

/** The wreath next to the publisher's name and behind the balance. */
export const LAUREL = html`<svg viewBox="0 0 24 24" aria-hidden="true">${LEAVES}</svg>`
export const WREATH = html`<svg class="leaf" viewBox="0 0 24 24" aria-hidden="true">${LEAVES}</svg>`

const PATHS: Readonly<Record<Tab, string>> = {
  offers: 'M4 7h16v4a2 2 0 0 0 0 4v4H4v-4a2 2 0 0 0 0-4V7Zm6 0v12',
  purchases:
    'M12 3v18m4-14.500c-.8-1-2.300-1.500-4-1.500-2.200 0-4 1.100-4 3s1.800 2.700 4 3.200 4 1.300 4 3.300-1.800 3-4 3c-1.800 0-3.400-.6-4.200-1.700',
  cards: 'M3 6h18v12H3V6Zm0 4h18M6 14.500h4',
  you: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-8 8c.8-3.500 4-5 8-5s7.200 1.500 8 5',
}

export function renderIcon(tab: Tab): Html {
  return html`<svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round"><path d="${PATHS[tab]}" /></svg>`
}

/**
 * Renders two initials of a name in a color derived from it. Purely decorative, because the name is next to the
 * initials.
 */
export function renderInitials(name: string, className: 'art' | 'mono'): Html {
  const letters = name.split(/[\s&]+/).flatMap((word) => [...word].slice(0, 1))
  const hue = [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % 8
  return html`<span class="${className} h${hue}" aria-hidden="true">${letters.slice(0, 2).join('')}</span>`
}
