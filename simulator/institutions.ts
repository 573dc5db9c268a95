import { ProviderError } from './errors.ts'
import { getLogo } from './logo.ts'

export type Institution = {
  readonly id: string
  readonly name: string
  readonly color: string
  readonly url: string
  readonly oauth: boolean
  /** Some banks show a purchase only after it has posted. */
  readonly showsPending: boolean
  /** Banks with tokenized account numbers give depository accounts an id that survives relinking. */
  readonly persistentIds: boolean
  /** Some banks hide the last digits of account numbers. */
  readonly tellsMasks: boolean
  /** The user's older logins that a new login ends; null if the bank keeps them all. */
  readonly endsOlder: 'of the same client' | 'of any client' | 'with other accounts' | null
}

/** The provider's three test banks, with their real ids and names, followed by fictional banks. */
export const INSTITUTIONS: readonly Institution[] = [
  bank('ins_109508', 'First Platypus Bank', '#1f7a6d'),
  bank('ins_127287', 'Platypus OAuth Bank', '#2d5fa8', { oauth: true, persistentIds: true }),
  bank('ins_132241', 'First Platypus OAuth App2App Bank', '#4b3f9e', { oauth: true }),
  bank('ins_810001', 'Alder Creek Savings', '#3f7d3a'),
  bank('ins_810002', 'Beacon Hill Cards', '#b23a48', { showsPending: false }),
  bank('ins_810003', 'Coppermine Credit Union', '#a65e2e'),
  bank('ins_810004', 'Dovetail Bank', '#52606d', { persistentIds: true }),
  bank('ins_810005', 'Eastwind National', '#0f6fb5', { oauth: true }),
  bank('ins_810006', 'Foxglove Federal', '#8a4baf', { tellsMasks: false }),
  bank('ins_810007', 'Granite State Trust', '#39424e', { showsPending: false }),
  bank('ins_810008', 'Harborlight Bank', '#0b7285', { oauth: true, persistentIds: true }),
  bank('ins_810009', 'Ironwood Community Bank', '#7a5230'),
  bank('ins_810010', 'Juniper Online', '#d9480f', { oauth: true, showsPending: false }),
  bank('ins_810011', 'Kestrel Credit Union', '#5c7cfa', { tellsMasks: false }),
  bank('ins_810012', 'Larkspur National', '#a3386c', { oauth: true, endsOlder: 'of the same client' }),
  bank('ins_810013', 'Marigold National', '#b7791f', { oauth: true, endsOlder: 'of any client' }),
  bank('ins_810014', 'Northwind Trust', '#2b6777', { oauth: true, endsOlder: 'with other accounts' }),
]

const BY_ID = new Map(INSTITUTIONS.map((institution) => [institution.id, institution]))

export function findInstitution(id: string): Institution | undefined {
  return BY_ID.get(id)
}

/** @throws ProviderError INVALID_INSTITUTION if no institution has this id */
export function getInstitution(id: string): Institution {
  const institution = BY_ID.get(id)
  if (institution === undefined) throw new ProviderError('INVALID_INSTITUTION', 'invalid institution_id provided')
  return institution
}

/** Formats an institution for the wire. Address, color and logo are included only on request. */
export function presentInstitution(institution: Institution, withMetadata: boolean) {
  const { id, name, oauth, url, color } = institution
  return {
    institution_id: id,
    name,
    oauth,
    products: ['transactions'],
    country_codes: ['US'],
    routing_numbers: [],
    dtc_numbers: [],
    ...(withMetadata ? { url, primary_color: color, logo: getLogo(color) } : {}),
  }
}

type Kind = Partial<Pick<Institution, 'oauth' | 'showsPending' | 'persistentIds' | 'tellsMasks' | 'endsOlder'>>

function bank(id: string, name: string, color: string, kind: Kind = {}): Institution {
  const host = name.toLowerCase().replaceAll(' ', '-')
  const usual = { oauth: false, showsPending: true, persistentIds: false, tellsMasks: true, endsOlder: null }
  return { id, name, color, url: `https://${host}.example`, ...usual, ...kind }
}
