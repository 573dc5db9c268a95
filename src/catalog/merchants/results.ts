import type { BrandEntry } from './brands/brand-index.ts'
import { automaticFrom, reviewFrom } from './scoring/confidence.ts'
import type { ScoredHit } from './scoring/score-hit.ts'
import { findStoreDetails } from './scoring/store-details.ts'
import type { Text } from './search.ts'
import { longestText } from './text/tokens.ts'
import type { BrandMatch, MatchEvidence, MatchMethod, UnmatchedReason } from './types.ts'

/** A field of the purchase that names the merchant, as reported and as parsed. */
export type TextSource = { readonly field: string; readonly value: string; readonly text: Text }

export function matchByName(source: TextSource, found: ScoredHit): BrandMatch {
  const { entry, score } = found
  const reason = found.reason ?? 'name_unconfirmed'
  const runnerUp =
    found.runnerUp === null ? null : { brandUid: found.runnerUp.entry.facts.brandUid, score: found.runnerUp.score }
  if (score < reviewFrom) return { ...noMatch, score, reason, runnerUp }
  const evidence = buildEvidence(source, found)
  if (score >= automaticFrom) return { ...matchAutomatically(entry, score, 'name', evidence), runnerUp }
  const { brandUid: proposedUid } = entry.facts
  return { ...noMatch, proposedUid, band: 'review', score, method: 'name', reason, evidence, runnerUp }
}

function buildEvidence({ field, value: whole, text }: TextSource, { hit, trailing }: ScoredHit): MatchEvidence[] {
  const { folded, tokens } = text.parsed
  const value = truncateValue(whole)
  const last = hit.to - 1
  const end = hit.split > 0 ? (tokens.starts[last] ?? 0) + hit.split : tokens.ends[last]
  const matched = folded.slice(tokens.starts[hit.from], end)
  return [
    { field, value, matched, kind: trailing, strategy: hit.strategy },
    ...findStoreDetails(text, hit).map((detail) => ({ field, value, ...detail })),
  ]
}

export const truncateValue = (value: string) => value.slice(0, longestText)

export function matchAutomatically(
  { facts: { brandUid } }: BrandEntry,
  score: number,
  method: MatchMethod,
  evidence: readonly MatchEvidence[],
): BrandMatch {
  return { ...noMatch, brandUid, band: 'automatic', score, method, evidence }
}

export const matchExactly = (entry: BrandEntry, method: MatchMethod, field: string, value: string, matched: string) =>
  matchAutomatically(entry, 1, method, [{ field, value: truncateValue(value), matched }])

export const createUnmatched = (reason: UnmatchedReason): BrandMatch => ({ ...noMatch, reason })

/** The result for a purchase that names no merchant. */
export const noMatch: BrandMatch = {
  brandUid: null,
  proposedUid: null,
  band: 'none',
  score: 0,
  method: 'none',
  reason: null,
  evidence: [],
  runnerUp: null,
}
