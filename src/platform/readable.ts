/**
 * Which characters text may hold, by what it is for. An identifier, or a name that people read, must not look like
 * another one or like nothing. Facts from outside, such as the line on a bank's statement, are kept as they came.
 */

// Text inside embeddings, overrides and isolates is shown in another order than it is stored.
const REORDERING = String.raw`\u202A-\u202E\u2066-\u2069`
// What some script, or an emoji, needs and nobody sees: joiners, marks of direction, variation selectors, flags, soft
// hyphens.
const NEEDED = String.raw`\u00AD\u034F\u061C\u180B-\u180F\u200C-\u200F\uFE00-\uFE0F\u{E0020}-\u{E007F}\u{E0100}-\u{E01EF}`
const VISIBLE = String.raw`[[\p{L}\p{N}\p{P}\p{S}]--[\p{DI}\u2800]]`

const IDENTIFIER = /^[^\p{Cc}\p{Cf}\p{Cs}\p{DI}\p{Zl}\p{Zp}]*$/u
const LINE = new RegExp(
  String.raw`^(?=\s*$|.*${VISIBLE})[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}${REORDERING}[\p{DI}--[${NEEDED}]]]*$`,
  'v',
)
const FACT = /^[^\p{Cc}\p{Cs}]*$/u
const PROSE = /^(?:[^\p{Cc}\p{Cs}]|[\n\r\t])*$/u
const EMAIL =
  /^[^\s\p{Cc}\p{Cf}\p{DI}@"(),:;<>[\\\]]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})(?:\.[A-Za-z0-9-]{1,63})+$/u

/** No character that is invisible or changes the order in which others are shown. */
export const isIdentifier = (text: string): boolean => IDENTIFIER.test(text)
/** One line that can be read; invisible characters only where scripts and emoji need them. Blanks are up to its field. */
export const isReadableLine = (text: string): boolean => LINE.test(text)
/** One line as it came from outside: whatever can be stored. */
export const isFact = (text: string): boolean => FACT.test(text)
/** Text of several lines that a person wrote. Phones put marks of direction around pasted numbers, so they may stay. */
export const isProse = (text: string): boolean => PROSE.test(text)
export const isEmail = (text: string): boolean => EMAIL.test(text)
