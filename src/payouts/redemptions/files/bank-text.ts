import anyAscii from 'any-ascii'

// Banks accept few characters, and any other character can make them reject the payment or even the whole file. Names
// in other scripts are transliterated into Latin letters. The recipient's bank may or may not check the name.

/**
 * Converts text to uppercase letters, digits and the punctuation of names: the subset of NACHA's characters that no
 * bank rejects.
 */
export function toNachaText(text: string, width: number): string {
  return fitted(
    latin(text)
      .toUpperCase()
      .replace(/[^0-9A-Z .,&'()/-]/g, ' '),
    width,
  )
}

/** Converts text to the SEPA character set, which allows no leading, trailing or double slashes. */
export function toSepaText(text: string, width: number): string {
  const written = latin(text)
    .replace(/&/g, '+')
    .replace(/[^0-9A-Za-z/\-?:().,'+ ]/g, ' ')
    .replace(/\/{2,}/g, '/')
    .replace(/^[ /]+/, '')
  return fitted(written, width).replace(/[ /]+$/, '')
}

/** Returns true if any letter or digit remains after conversion to bank characters. */
export function isWritable(text: string): boolean {
  return /[0-9A-Za-z]/.test(latin(text))
}

function latin(text: string): string {
  return anyAscii(text.normalize('NFC'))
}

function fitted(text: string, width: number): string {
  return text.replace(/ +/g, ' ').trim().slice(0, width).trimEnd()
}
