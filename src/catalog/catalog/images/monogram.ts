import { createHash } from 'node:crypto'

/** The width and height of generated images in pixels. */
export const IMAGE_SIZES = { regular: 256, large: 1024, small: 64 } as const
export type ImageSize = keyof typeof IMAGE_SIZES

export function buildImagePath(brandUid: string, size: ImageSize): string {
  return `/images/brands/${encodeURIComponent(brandUid)}/${size}.svg`
}

/** Draws a monogram for a brand without an image: its initials on a color derived from its name. */
export function drawMonogram(name: string, size: ImageSize): string {
  const pixels = IMAGE_SIZES[size]
  const hash = createHash('sha256').update(name).digest()
  const hue = Math.round(((hash[0] ?? 0) / 256) * 360)
  const tilt = (hash[1] ?? 0) % 90
  // The drawing is 64 units wide at any image size. White text is readable on every hue at this lightness.
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${pixels}" height="${pixels}" viewBox="0 0 64 64" role="img" aria-label="${escaped(name)}">`,
    `<rect width="64" height="64" rx="12" fill="hsl(${hue},55%,32%)"/>`,
    `<rect width="90" height="22" x="-13" y="46" fill="hsl(${hue},55%,26%)" transform="rotate(${tilt} 32 32)"/>`,
    `<text x="32" y="33" font-family="system-ui,sans-serif" font-size="26" font-weight="600" fill="#fff" text-anchor="middle" dominant-baseline="central">${escaped(toInitials(name))}</text>`,
    '</svg>',
  ].join('')
}

/** Returns the first character of each of the first two words, or the first two characters of a single word. */
export function toInitials(name: string): string {
  const words = name
    .replaceAll(/['’]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
  const [first = '?', second] = words
  const letters = second === undefined ? [...first].slice(0, 2) : [[...first][0], [...second][0]]
  return letters.join('').toUpperCase()
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
