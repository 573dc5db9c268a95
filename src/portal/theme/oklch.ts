/**
 * Returns the relative luminance (WCAG 2.2) of an OKLCH color, clipped to sRGB.
 * @param hue degrees
 */
function computeLuminance(lightness: number, chroma: number, hue: number): number {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  // Björn Ottosson's matrices from OKLab to linear sRGB.
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const clip = (value: number): number => Math.min(1, Math.max(0, value))
  const red = clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s)
  const green = clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s)
  const blue = clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Returns the contrast of white text on a color. */
function contrastWithWhite(lightness: number, chroma: number, hue: number): number {
  return 1.05 / (computeLuminance(lightness, chroma, hue) + 0.05)
}

/** Returns the greatest lightness, for this hue and chroma, that gives white text a contrast of at least `wanted`. */
export function findLightest(chroma: number, hue: number, wanted: number): number {
  let lightness = 0.7
  while (contrastWithWhite(lightness, chroma, hue) < wanted) lightness -= 0.005
  return lightness
}
