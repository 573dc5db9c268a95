import type { Entry } from './brands/brand-index.ts'
import type { Found, Text } from './names/read-name.ts'
import { automaticFrom, reviewFrom } from './scoring/confidence.ts'
import { storeDetailsOf } from './scoring/store-details.ts'
import { longestText } from './text/tokens.ts'
import type { BrandMatch, MatchEvidence, MatchMethod, UnmatchedReason } from './types.ts'

/** A field of the purchase that names the merchant, as it came, folded, and taken apart. */
export type Source = { readonly field: string; readonly value: string; readonly folded: string; readonly text: Text }

export function asMatch(source: Source, found: Found): BrandMatch {
  const { entry, score, reason } = found
  const runnerUp =
    found.runnerUp === null ? null : { brandUid: found.runnerUp.entry.facts.brandUid, score: found.runnerUp.score }
  if (score >= automaticFrom)
    return { ...asAutomatic(entry, score, 'name'), evidence: evidenceOf(source, found), runnerUp }
  if (score < reviewFrom) return { ...unmatched(reason ?? 'name_unconfirmed'), score, runnerUp }
  return {
    brandUid: null,
    proposedUid: entry.facts.brandUid,
    band: 'review',
    score,
    method: 'name',
    reason: reason ?? 'name_unconfirmed',
    evidence: evidenceOf(source, found),
    runnerUp,
  }
}

function evidenceOf(source: Source, { hit, rest }: Found): MatchEvidence[] {
  const { tokens } = source.text.parsed
  const start = tokens.starts[hit.from] ?? 0
  const last = hit.to - 1
  const end = hit.split > 0 ? (tokens.starts[last] ?? 0) + hit.split : (tokens.ends[last] ?? 0)
  const { field, folded, text } = source
  const value = bounded(source.value)
  const evidence: MatchEvidence[] = [{ field, value, matched: folded.slice(start, end), kind: rest }]
  for (const { kind, start, end } of storeDetailsOf(text, hit))
    evidence.push({ field, value, matched: folded.slice(start, end), kind })
  return evidence
}

export const bounded = (value: string) => value.slice(0, longestText)

export function asAutomatic(entry: Entry, score: number, method: MatchMethod): Omit<BrandMatch, 'evidence'> {
  const { brandUid } = entry.facts
  return { brandUid, proposedUid: null, band: 'automatic', score, method, reason: null, runnerUp: null }
}

export function exactly(entry: Entry, method: MatchMethod, field: string, value: string, matched: string): BrandMatch {
  return { ...asAutomatic(entry, 1, method), evidence: [{ field, value: bounded(value), matched }] }
}

export function unmatched(reason: UnmatchedReason): BrandMatch {
  const nobody = { brandUid: null, proposedUid: null, runnerUp: null }
  return { ...nobody, band: 'none', score: 0, method: 'none', reason, evidence: [] }
}
