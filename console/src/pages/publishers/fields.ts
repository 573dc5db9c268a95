import type { Schemas } from '../../api/client.ts'

type Changes = Schemas['PublisherChanges']
export type Settings = Schemas['PublisherDetail']
type Name = Exclude<keyof Changes, 'limits' | 'expected'> & keyof Settings

type Options = readonly (readonly [value: string, label: string])[]
type Kind =
  | { readonly kind: 'text' | 'optional-text' | 'percent' | 'integer' | 'optional-integer' | 'list' }
  | { readonly kind: 'yes-no'; readonly yes: string; readonly no: string }
  | { readonly kind: 'choice'; readonly options: Options }
  | { readonly kind: 'any'; readonly options: Options }

export type Field = Kind & { readonly name: Name; readonly label: string; readonly help?: string }
export type Section = { readonly title: string; readonly fields: readonly Field[] }

/** A publisher's settings, worded as they appear in the form. */
export const SECTIONS: readonly Section[] = [
  {
    title: 'General',
    fields: [
      { name: 'name', label: 'Name', kind: 'text' },
      {
        name: 'time_zone',
        label: 'Time zone',
        kind: 'text',
        help: 'Determines its calendar days. Example: America/New_York.',
      },
      {
        name: 'timestamp_format',
        label: 'Format of users’ creation times',
        kind: 'choice',
        options: [
          ['interface', '2026-11-21T10:15:30:Z, the default'],
          ['rfc3339', '2026-11-21T10:15:30Z, RFC 3339'],
        ],
      },
    ],
  },
  {
    title: 'Split of commissions',
    fields: [
      { name: 'fee_percent', label: 'Service fee', kind: 'percent', help: 'Taken from each commission.' },
      { name: 'share_percent', label: 'Publisher’s share', kind: 'percent', help: 'The user gets the rest.' },
    ],
  },
  {
    title: 'Which purchases count',
    fields: [
      {
        name: 'own_card_feed',
        label: 'Source of card purchases',
        kind: 'yes-no',
        yes: 'The publisher reports them; users need not link cards',
        no: 'From the cards that users link',
      },
      {
        name: 'stacking_policy',
        label: 'Reported by card and by affiliate link',
        kind: 'choice',
        options: [
          ['AFFILIATE', 'The affiliate link is rewarded'],
          ['CARD', 'The card is rewarded'],
          ['BOTH', 'Both are rewarded'],
        ],
      },
      {
        name: 'marketplace_policy',
        label: 'When a merchant and its marketplace both have offers',
        kind: 'choice',
        options: [
          ['MARKETPLACE', 'The marketplace counts'],
          ['MERCHANT', 'The merchant counts'],
        ],
      },
    ],
  },
  {
    title: 'Linking cards',
    fields: [
      {
        name: 'links_cards',
        label: 'Card linking',
        kind: 'yes-no',
        yes: 'Yes',
        no: 'No: it has no card-linked offers',
      },
      {
        name: 'link_name',
        label: 'Name shown while linking',
        kind: 'optional-text',
        help: 'Leave empty to use the publisher’s name.',
      },
      { name: 'link_language', label: 'Language of the link page', kind: 'text', help: 'Such as en.' },
      { name: 'link_countries', label: 'Bank countries', kind: 'list', help: 'Such as US, CA.' },
      { name: 'link_products', label: 'Provider products', kind: 'list', help: 'Including transactions.' },
      { name: 'link_account_subtypes', label: 'Accounts that can be linked', kind: 'list', help: 'Such as checking.' },
    ],
  },
  {
    title: 'Paying users',
    fields: [
      {
        name: 'redemption_methods',
        label: 'Payout methods',
        kind: 'any',
        options: [
          ['publisher', 'The publisher pays'],
          ['file', 'A file for a bank'],
          ['simulated', 'The simulated bank'],
          ['gift_card', 'Gift cards'],
        ],
      },
      {
        name: 'redemption_user_day_count',
        label: 'Redemptions per user per day',
        kind: 'optional-integer',
        help: 'Leave empty for no limit.',
      },
      {
        name: 'destination_cool_down_hours',
        label: 'Waiting time after a payout destination changes, in hours',
        kind: 'integer',
        help: 'Protects users whose accounts have been taken over.',
      },
    ],
  },
  {
    title: 'Claims',
    fields: [
      { name: 'claim_days', label: 'Days to decide a claim', kind: 'integer' },
      {
        name: 'claim_default',
        label: 'When the deadline passes',
        kind: 'choice',
        options: [
          ['decline', 'It is declined'],
          ['keep_open', 'It stays open'],
        ],
      },
    ],
  },
  {
    title: 'Calls per second',
    fields: [
      { name: 'reads_per_second', label: 'Reads per key', kind: 'integer' },
      { name: 'writes_per_second', label: 'Writes per key', kind: 'integer' },
      { name: 'events_per_second', label: 'Reported events per key', kind: 'integer' },
    ],
  },
]

/** The contents of the controls as text. Selected values and list elements are joined by commas. */
export type Draft = Readonly<Partial<Record<Name, string>>>

export function buildDraft(fields: readonly Field[], settings: Settings): Draft {
  return Object.fromEntries(
    fields.map(({ name }) => {
      const value = settings[name]
      return [name, value === null ? '' : Array.isArray(value) ? value.join(', ') : String(value)]
    }),
  )
}

/** Builds the changed settings in the format that the service accepts. */
export function buildChanges(fields: readonly Field[], changed: readonly Name[], draft: Draft): Changes {
  const sent = fields.filter(({ name }) => changed.includes(name))
  return Object.fromEntries(sent.map((field) => [field.name, parseValue(field, draft[field.name] ?? '')]))
}

function parseValue({ kind }: Field, text: string): unknown {
  const trimmed = text.trim()
  if (kind === 'percent' || kind === 'integer') return Number(trimmed)
  if (kind === 'optional-integer') return trimmed === '' ? null : Number(trimmed)
  if (kind === 'optional-text') return trimmed === '' ? null : trimmed
  if (kind === 'list' || kind === 'any') return splitElements(text)
  return kind === 'yes-no' ? text === 'true' : trimmed
}

export function splitElements(text: string): string[] {
  return text
    .split(',')
    .map((element) => element.trim())
    .filter((element) => element !== '')
}
