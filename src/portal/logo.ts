/** The media types allowed for logos. SVG is excluded because it can contain scripts. */
type LogoType = 'image/png' | 'image/jpeg' | 'image/webp'

// Enough for a sharp logo at twice its display size.
export const LOGO_BYTES_MAX = 48 * 1024

/** Detects an image's media type from its first bytes; null if it is not allowed. */
export function detectLogoType(image: Buffer): LogoType | null {
  if (image.subarray(0, 8).equals(PNG)) return 'image/png'
  if (image.subarray(0, 3).equals(JPEG)) return 'image/jpeg'
  const isWebp = image.toString('latin1', 0, 4) === 'RIFF' && image.toString('latin1', 8, 12) === 'WEBP'
  return isWebp ? 'image/webp' : null
}

const PNG = Buffer.from('89504e470d0a1a0a', 'hex')
const JPEG = Buffer.from('ffd8ff', 'hex')
