import { crc32, deflateSync } from 'node:zlib'

const SIDE = 152
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/**
 * Returns a logo in the provider's format, a bare base64 PNG of 152 × 152 pixels: the bank's color with a lighter ring.
 */
export function getLogo(color: string): string {
  const known = drawn.get(color)
  if (known !== undefined) return known
  const logo = draw(color).toString('base64')
  drawn.set(color, logo)
  return logo
}

const drawn = new Map<string, string>()

function draw(color: string): Buffer {
  const base = Buffer.from(color.slice(1), 'hex')
  const palette = Buffer.concat([base, base.map((part) => 255 - Math.floor((255 - part) / 6))])
  const header = Buffer.alloc(13)
  header.writeUInt32BE(SIDE, 0)
  header.writeUInt32BE(SIDE, 4)
  // Eight bits per pixel, each an index into the palette, with default compression and filter and no interlacing.
  header.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(pixels())),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Returns the pixel rows, each prefixed with a zero byte that means "no filter". */
function pixels(): Buffer {
  const rows = Buffer.alloc(SIDE * (SIDE + 1))
  const middle = (SIDE - 1) / 2
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const distance = Math.hypot(x - middle, y - middle)
      rows[y * (SIDE + 1) + x + 1] = distance > 30 && distance < 50 ? 1 : 0
    }
  }
  return rows
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
