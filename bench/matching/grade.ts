import { type BrandIndex, type BrandMatch, matchBrand } from '../../src/catalog/merchants/index.ts'
import type { Labelled } from './rows.ts'

/** The result of matching labeled rows. A wrong brand lowers both precision and recall. */
export type Grade = {
  readonly rows: number
  /** Rows labeled with a brand. The others are `brandless`. */
  readonly branded: number
  readonly brandless: number
  readonly hits: number
  readonly right: number
  /** Brandless rows that were automatically matched to a brand. */
  readonly falseHits: number
  readonly reviews: number
  /** Proposals of the correct brand. */
  readonly rightProposals: number
  readonly misses: readonly Miss[]
}

type Miss = {
  readonly kind: 'false hit' | 'wrong brand' | 'missed' | 'wrong proposal'
  readonly id: string | number
  readonly descriptor: string
  readonly wanted: string | null
  readonly found: string | null
  readonly why: string
}

export function gradeMatches(index: BrandIndex, rows: readonly Labelled[]): Grade {
  const judged = rows.map((row) => ({ row, match: matchBrand(index, row.facts) }))
  const count = (holds: (row: Labelled, match: BrandMatch) => boolean): number =>
    judged.filter(({ row, match }) => holds(row, match)).length
  return {
    rows: rows.length,
    branded: count(({ brandUid }) => brandUid !== null),
    brandless: count(({ brandUid }) => brandUid === null),
    hits: count((_, match) => match.brandUid !== null),
    right: count(({ brandUid }, match) => brandUid !== null && match.brandUid === brandUid),
    falseHits: count(({ brandUid }, match) => brandUid === null && match.brandUid !== null),
    reviews: count((_, match) => match.band === 'review'),
    rightProposals: count(({ brandUid }, match) => brandUid !== null && match.proposedUid === brandUid),
    misses: judged.flatMap(({ row, match }) => findMiss(row, match) ?? []),
  }
}

export const computePrecision = ({ right, hits }: Grade): number => right / hits
export const computeRecall = ({ right, branded }: Grade): number => right / branded
export const computeFalseRate = ({ falseHits, brandless }: Grade): number => falseHits / brandless

function findMiss({ id, facts, brandUid: wanted }: Labelled, match: BrandMatch): Miss | null {
  const kind = classifyMiss(wanted, match)
  if (kind === null) return null
  const why = [match.reason, ...match.evidence.map(({ field, matched }) => `${field}: ${matched}`)]
  return {
    kind,
    id,
    descriptor: facts.merchantDescriptor ?? facts.merchantName ?? '',
    wanted,
    found: match.brandUid ?? match.proposedUid,
    why: why.filter((part) => part !== null).join(', '),
  }
}

function classifyMiss(wanted: string | null, { brandUid, proposedUid }: BrandMatch): Miss['kind'] | null {
  if (brandUid !== null) return brandUid === wanted ? null : wanted === null ? 'false hit' : 'wrong brand'
  if (proposedUid !== null && proposedUid !== wanted) return 'wrong proposal'
  return wanted === null ? null : 'missed'
}
