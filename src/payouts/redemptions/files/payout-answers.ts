/** A bank's response to the entries of payout files. */
export type PayoutAnswers = {
  readonly answers: readonly PayoutAnswer[]
  readonly notices: readonly ChangeNotice[]
  /** The outcome of every entry in the file that has no individual answer. */
  readonly whole: WholeAnswer | null
  /**
   * Parts that are not about payouts, such as returns for the bank's other products. All other parts are still applied.
   */
  readonly skipped: readonly LineNote[]
  /** Parts that could not be read. If there are any, nothing in the response may be applied. */
  readonly faults: readonly LineNote[]
  /**
   * Errors in entries that might belong to another product. If the entry is in the payout file, the error is a fault.
   * Otherwise, the entry is skipped.
   */
  readonly doubts: readonly EntryNote[]
}

export type PayoutAnswer = {
  readonly line: number
  /** The reference in the entry. A NACHA file contains only its last 15 characters. */
  readonly reference: string
  readonly outcome: PayoutOutcome
  /** The bank's reason code, such as R03 or AC04. */
  readonly code: string | null
  readonly message: string | null
  /** In minor units; null if the file does not state the amount. */
  readonly amount: bigint | null
  readonly currency: string | null
}
export type PayoutOutcome = 'paid' | 'unpaid'

/** A notice that the money arrived, but the recipient's bank wants future payments addressed differently. */
type ChangeNotice = {
  readonly line: number
  /** The last 15 characters of the entry's reference. */
  readonly reference: string
  readonly code: string
  /** The corrected data, such as an account number. As confidential as the account itself. */
  readonly corrected: string
}

export type WholeAnswer = {
  readonly line: number
  /** The payout file that the response refers to. */
  readonly fileId: string
  readonly outcome: PayoutOutcome
  readonly code: string | null
  readonly message: string | null
}

export type LineNote = { readonly line: number; readonly message: string }
export type EntryNote = LineNote & { readonly reference: string }

/** Enough for any text that the formats allow. */
const MESSAGE_MAX = 500

/** Reduces a bank's text to one line without control characters. Returns null if nothing remains. */
export function cleanMessage(text: string): string | null {
  const clean = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\s]+/gu, ' ')
    .toWellFormed()
    .trim()
  return clean === '' ? null : [...clean].slice(0, MESSAGE_MAX).join('')
}

/** Quotes an excerpt of the file for a message, on one line. */
export function quoteLine(text: string): string {
  return `"${[...(cleanMessage(text) ?? '')].slice(0, 40).join('')}"`
}

/** Returns the message for text that is not a payout file reference. */
export function describeNoReference(text: string): string {
  return `${quoteLine(text)} is not a payout file reference, which consists of 26 digits or uppercase letters.`
}

export function unreadable(line: number, message: string): PayoutAnswers {
  return { answers: [], notices: [], whole: null, skipped: [], faults: [{ line, message }], doubts: [] }
}

/** Groups the readings of lines or elements by kind. A null reading, such as that of a pending transfer, is ignored. */
export function gatherReadings(
  readings: readonly (AnswerReading | null)[],
  whole: WholeAnswer | null = null,
): PayoutAnswers {
  return {
    answers: readings.flatMap((one) => (one !== null && 'answer' in one ? [one.answer] : [])),
    notices: readings.flatMap((one) => (one !== null && 'notice' in one ? [one.notice] : [])),
    whole,
    skipped: readings.flatMap((one) => (one !== null && 'skipped' in one ? [one.skipped] : [])),
    faults: readings.flatMap((one) => (one !== null && 'fault' in one ? [one.fault] : [])),
    doubts: readings.flatMap((one) => (one !== null && 'doubt' in one ? [one.doubt] : [])),
  }
}

export type AnswerReading =
  | { readonly answer: PayoutAnswer }
  | { readonly notice: ChangeNotice }
  | { readonly skipped: LineNote }
  | { readonly fault: LineNote }
  | { readonly doubt: EntryNote }

export function toFault(line: number, message: string): { readonly fault: LineNote } {
  return { fault: { line, message } }
}

export function toDoubt(reference: string, line: number, message: string): { readonly doubt: EntryNote } {
  return { doubt: { line, message, reference } }
}

export function toSkipped(line: number, message: string): { readonly skipped: LineNote } {
  return { skipped: { line, message } }
}
