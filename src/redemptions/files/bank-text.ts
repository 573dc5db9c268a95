import anyAscii from 'any-ascii'

// Banks accept few characters, and answer others by refusing a payment or even the file. A name in another script is
// written in Latin letters, which is what its holder's bank compares or ignores.

/** Upper-case letters, digits and the punctuation of names: the part of NACHA's characters that no bank refuses. */
export function nachaText(text: string, width: number): string {
  return fitted(
    latin(text)
      .toUpperCase()
      .replace(/[^0-9A-Z .,&'()/-]/g, ' '),
    width,
  )
}

/** The character set of SEPA. A slash is allowed neither at an end nor twice in a row. */
export function sepaText(text: string, width: number): string {
  const written = latin(text)
    .replace(/&/g, '+')
    .replace(/[^0-9A-Za-z/\-?:().,'+ ]/g, ' ')
    .replace(/\/{2,}/g, '/')
    .replace(/^[ /]+/, '')
  return fitted(written, width).replace(/[ /]+$/, '')
}

/** Whether a letter or digit is left when a bank's characters are all there is. */
export function isWritable(text: string): boolean {
  return /[0-9A-Za-z]/.test(latin(text))
}

function latin(text: string): string {
  return anyAscii(text.normalize('NFC'))
}

function fitted(text: string, width: number): string {
  return text.replace(/ +/g, ' ').trim().slice(0, width).trimEnd()
}
