/**
 * Defines the characters allowed in each kind of text. Identifiers and names must not look alike or appear empty.
 * External data, such as bank statement lines, is stored unchanged.
 */

// Text inside embeddings, overrides and isolates is displayed in a different order than it is stored.
const REORDERING = String.raw`\u202A-\u202E\u2066-\u2069`
// Invisible characters that some scripts and emoji need: joiners, direction marks, variation selectors, flags, soft
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

/** Allows neither invisible characters nor ones that reorder text. */
export const isIdentifier = (text: string): boolean => IDENTIFIER.test(text)
/**
 * Allows one readable line, with invisible characters only where scripts or emoji need them. Each field decides whether
 * to allow blank text.
 */
export const isReadableLine = (text: string): boolean => LINE.test(text)
/** Allows one line of external data, with any characters that can be stored. */
export const isFact = (text: string): boolean => FACT.test(text)
/**
 * Allows several lines written by a person. Direction marks are allowed, because phones put them around pasted numbers.
 */
export const isProse = (text: string): boolean => PROSE.test(text)
export const isEmail = (text: string): boolean => EMAIL.test(text)
