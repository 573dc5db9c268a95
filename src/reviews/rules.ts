// Long runs of digits, whatever stands between them, and what is left of a card's number behind a mask.
const NUMBER = /\d(?:[ -]?\d){7,}/g
const MASKED = /[x*•#]{2,}[ -]?\d{2,6}/gi

/** The text without what may be a card's or an account's number. */
export function withoutNumbers(text: string): string {
  return text.replaceAll(NUMBER, '…').replaceAll(MASKED, '…')
}
