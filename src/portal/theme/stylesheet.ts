import type { Portal } from '../portal.ts'
import { lightest } from './oklch.ts'

// Above the 4.5 of WCAG 2.2 AA, because browsers map colours outside sRGB each in their own way.
const CONTRAST = 5.2
// The lightness of the house colour; a lighter one looks washed out as a large area.
const LIGHTNESS_MAX = 0.47

/** The theme of a publisher, a stylesheet of its own address so that pages need no inline style. */
export function themeOf(colour: Pick<Portal, 'hue' | 'chroma'>): string {
  return `:root{--hue:${colour.hue};--chroma:${colour.chroma};--l:${lightnessOf(colour)}}`
}

/** How light the colour may be so that white text on it can be read; from 0 to 1. */
export function lightnessOf({ hue, chroma }: Pick<Portal, 'hue' | 'chroma'>): number {
  return Math.round(Math.min(LIGHTNESS_MAX, lightest(chroma, hue, CONTRAST)) * 1000) / 1000
}
