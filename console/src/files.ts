/** Makes the browser save a file that a page created or fetched. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}

/**
 * Reads a chosen text file, in UTF-8 or in UTF-16 with a byte order mark.
 * @throws Error that explains how to save the file if it has another encoding
 */
export async function readText(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw new Error(`${file.name} is not encoded in UTF-8. Save it as “CSV UTF-8”, or choose UTF-8 when you export it.`)
  }
}
