import { createReadStream } from 'node:fs'
import { detectUnicode } from '../../src/platform/text/decode-text.ts'
import { UserError } from '../errors.ts'

const CHUNK_BYTES = 1024 * 1024
// Longer than a brand with a thousand offers and all their stores.
const LINE_CHARACTERS_MAX = 32 * 1024 * 1024

/**
 * Yields the lines of a UTF-8 or UTF-16 file, with only a chunk of it in memory at a time.
 * @throws UserError if the file is in another encoding
 */
export async function* readLines(file: string, read: (bytes: number) => void): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  let rest = ''
  for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    read(chunk.length)
    decoder ??= new TextDecoder(detectUnicode(chunk), { fatal: true })
    const lines = (rest + decoded(decoder, chunk, file)).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > LINE_CHARACTERS_MAX) throw new UserError(`${file} has a line that is too long to be a brand.`)
    yield* lines
  }
  if (decoder !== undefined) rest += decoded(decoder, undefined, file)
  if (rest !== '') yield rest
}

function decoded(decoder: InstanceType<typeof TextDecoder>, chunk: Buffer | undefined, file: string): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })
  } catch {
    throw new UserError(
      `${file} is not encoded in UTF-8 or UTF-16. Convert it, for example with iconv -f windows-1252 -t utf-8 FILE.`,
    )
  }
}
