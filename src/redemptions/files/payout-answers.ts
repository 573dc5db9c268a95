/** What a bank's file says about the entries of payout files. */
export type PayoutAnswers = {
  readonly answers: readonly PayoutAnswer[]
  readonly notices: readonly ChangeNotice[]
  /** A verdict on all entries of the file that have no answer of their own. */
  readonly whole: WholeAnswer | null
  /**
   * Parts about something other than payouts, such as returns of the bank's other products. The rest is still applied.
   */
  readonly skipped: readonly LineNote[]
  /** An answer file with faults was not understood in full: apply none of it. */
  readonly faults: readonly LineNote[]
  /** Faults of entries that need not be ours: an entry of the answered file is a fault, any other is skipped. */
  readonly doubts: readonly EntryNote[]
}

export type PayoutAnswer = {
  readonly line: number
  /** As the entry had it; from a NACHA file its last 15 characters. */
  readonly reference: string
  readonly outcome: PayoutOutcome
  /** The bank's reason, such as R03 or AC04. */
  readonly code: string | null
  readonly message: string | null
  /** Minor units of the currency, when the file says them. */
  readonly amount: bigint | null
  readonly currency: string | null
}
export type PayoutOutcome = 'paid' | 'unpaid'

/** The money arrived, but the recipient's bank wants later payments addressed differently. */
type ChangeNotice = {
  readonly line: number
  /** The last 15 characters of the entry's reference. */
  readonly reference: string
  readonly code: string
  /** The right data, such as an account number: as confidential as the account itself. */
  readonly corrected: string
}

export type WholeAnswer = {
  readonly line: number
  /** The payout file that is answered. */
  readonly fileId: string
  readonly outcome: PayoutOutcome
  readonly code: string | null
  readonly message: string | null
}

export type LineNote = { readonly line: number; readonly message: string }
export type EntryNote = LineNote & { readonly reference: string }

/** Enough for every text that the formats provide; the rest would be of no use to an operator. */
const MESSAGE_MAX = 500

/** A bank's text on one line without control characters, or null when nothing is left. */
export function messageOf(text: string): string | null {
  const clean = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\s]+/gu, ' ')
    .toWellFormed()
    .trim()
  return clean === '' ? null : [...clean].slice(0, MESSAGE_MAX).join('')
}

/** A piece of the file in a message, short and on one line. */
export function quoted(text: string): string {
  return `"${[...(messageOf(text) ?? '')].slice(0, 40).join('')}"`
}

/** What is said of a reference that no payout file has. */
export function noReference(text: string): string {
  return `${quoted(text)} is not a reference of a payout file: 26 digits and capital letters.`
}

export function unreadable(line: number, message: string): PayoutAnswers {
  return { answers: [], notices: [], whole: null, skipped: [], faults: [{ line, message }], doubts: [] }
}

/** Sorts what was read of each line or element. Null says nothing about any entry. */
export function gathered(readings: readonly (AnswerReading | null)[], whole: WholeAnswer | null = null): PayoutAnswers {
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

export function faulty(line: number, message: string): { readonly fault: LineNote } {
  return { fault: { line, message } }
}

export function doubting(reference: string, line: number, message: string): { readonly doubt: EntryNote } {
  return { doubt: { line, message, reference } }
}

export function skipping(line: number, message: string): { readonly skipped: LineNote } {
  return { skipped: { line, message } }
}
