import type { Portal } from '../portal.ts'
import { findLightest } from './oklch.ts'

// Above the 4.5 of WCAG 2.2 AA, because browsers differ in how they map colors outside sRGB.
const CONTRAST = 5.2
// The lightness of the house color. Anything lighter looks washed out on a large area.
const LIGHTNESS_MAX = 0.47

/** Returns the publisher's theme. It is a separate stylesheet, so that pages need no inline styles. */
export function renderTheme(colour: Pick<Portal, 'hue' | 'chroma'>): string {
  return `:root{--hue:${colour.hue};--chroma:${colour.chroma};--l:${computeLightness(colour)}}`
}

/** Returns how light the color may be for white text on it to be readable, from 0 to 1. */
export function computeLightness({ hue, chroma }: Pick<Portal, 'hue' | 'chroma'>): number {
  return Math.round(Math.min(LIGHTNESS_MAX, findLightest(chroma, hue, CONTRAST)) * 1000) / 1000
}
