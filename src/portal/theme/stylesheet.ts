import type { Portal } from '../portal.ts'
import { findLightest } from './oklch.ts'

// Above the 4.5 required by WCAG 2.2 AA, because browsers map colors outside sRGB differently.
const CONTRAST = 5.2
// The lightness of Laurel's own color. Anything lighter looks washed out on a large area.
const LIGHTNESS_MAX = 0.47

/** Returns the publisher's theme. It is a separate stylesheet, so that pages need no inline styles. */
export function renderTheme(colour: Pick<Portal, 'hue' | 'chroma'>): string {
  return `:root{--hue:${colour.hue};--chroma:${colour.chroma};--l:${computeLightness(colour)}}`
}

/** Returns the greatest lightness, from 0 to 1, at which white text on the color is readable. */
export function computeLightness({ hue, chroma }: Pick<Portal, 'hue' | 'chroma'>): number {
  return Math.round(Math.min(LIGHTNESS_MAX, findLightest(chroma, hue, CONTRAST)) * 1000) / 1000
}
