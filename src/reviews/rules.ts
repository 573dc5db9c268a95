// Long runs of digits, even with separators, and the last digits of a masked card number.
const NUMBER = /\d(?:[ -]?\d){7,}/g
const MASKED = /[x*•#]{2,}[ -]?\d{2,6}/gi

/** The text without anything that may be the number of a card or an account. */
export function withoutNumbers(text: string): string {
  return text.replaceAll(NUMBER, '…').replaceAll(MASKED, '…')
}
