// Long runs of digits, with or without separators, and the trailing digits of a masked card number.
const NUMBER = /\d(?:[ -]?\d){7,}/g
const MASKED = /[x*•#]{2,}[ -]?\d{2,6}/gi

/** Removes anything that could be a card or account number. */
export function removeNumbers(text: string): string {
  return text.replaceAll(NUMBER, '…').replaceAll(MASKED, '…')
}
