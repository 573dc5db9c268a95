import Type, { type Static } from 'typebox'
import { enumField, idField, namedObject, strictObject, textField } from '../../platform/http/index.ts'
import { boolean, field, id, instant, integer, oneOf, text } from '../../platform/resource/fields.ts'
import { type ResourceRow, resource } from '../../platform/resource/resource.ts'
import { CARD_ERRORS, type LinkWithCards } from '../../sources/cards/index.ts'
import { parseImage } from './institutions/institutions.ts'
import type { KnownInstitution } from './institutions/queries.ts'

const publisherUserId = idField("The publisher's ID for the user.")
const institutionId = idField("The linking provider's identifier for the institution.")
const institutionName = textField(255, "Name of the institution; the provider's name takes precedence.")
// Tokens are a few dozen characters long. The limit leaves room for longer ones.
const token = (description: string) => Type.String({ minLength: 1, maxLength: 1024, description })

export const UserParams = Type.Object({ publisher_user_id: publisherUserId })
export const LinkParams = Type.Object({ institution_id: institutionId, publisher_user_id: publisherUserId })
export const InstitutionParams = Type.Object({ institution_id: institutionId })
export const LogoQuery = Type.Object(
  { v: Type.Optional(Type.String({ maxLength: 64, description: 'Version of the image, from logo_url.' })) },
  { additionalProperties: false },
)

export const ReturnQuery = strictObject({
  redirect_uri: Type.Optional(
    Type.String({
      maxLength: 2048,
      description:
        'URL the user returns to: https, without a query, and on the list of allowed addresses. A sandbox also accepts http://localhost, unlisted. Blank on Android.',
    }),
  ),
  android_package_name: Type.Optional(
    Type.String({ maxLength: 255, description: 'Package name of the Android app, which must be on the allowlist.' }),
  ),
  hosted: Type.Optional(
    enumField(
      ['true', 'false'],
      "If true, the response has a link_url, the provider's own page, for use in emails and in apps without the provider's script. The page redirects to redirect_uri at the end.",
    ),
  ),
  hosted_lifetime_seconds: Type.Optional(
    Type.Integer({
      minimum: 60,
      maximum: 21 * 86_400,
      description: 'How long the link_url is valid. Defaults to 30 minutes; at most 21 days. Only with hosted=true.',
    }),
  ),
})

export const PublicTokenBody = strictObject({
  public_token: token('Public token returned at the end of the link flow.'),
  institution_id: institutionId,
  institution_name: institutionName,
})

export const AccessTokenBody = strictObject({
  publisher_user_id: publisherUserId,
  institution_id: institutionId,
  institution_name: institutionName,
  provider_access_token: token("The user's access token at the linking provider. Stored encrypted and never returned."),
})

export const LinkTokenSchema = namedObject('LinkToken', {
  link_token: Type.String(),
  expiration: Type.String({ description: 'When the token expires. RFC 3339.' }),
  link_url: Type.Optional(
    Type.String({ description: "URL of the provider's own page for this token; only with hosted=true." }),
  ),
})

export const linkTokenExample = {
  link_token: 'link-sandbox-3f6a1c2e-8a4d-4a0b-9d5e-1c2f3a4b5c6d',
  expiration: '2026-11-21T14:15:30.000Z',
}

const LINKED_CARD = resource('LinkedCard', {
  card_id: id('crd', {
    example: 'crd_01m9x3kq4c8f0vt6r4b7n5hz1d',
    description: 'Stays the same when the login is linked again and its account IDs change. Also used in events.',
  }),
  account_id: text({ example: 'Bq1vR8xkQ2sZ' }),
  name: text({ example: 'Everyday Rewards Card' }),
  mask: text({
    nullable: true,
    example: '4417',
    description: 'Last digits, or null if the institution reports none.',
  }),
  error: oneOf(CARD_ERRORS, { nullable: true, example: null }),
  reauthentication_deadline: instant({
    nullable: true,
    example: null,
    description: 'Deadline for the user to sign in again, if known. RFC 3339.',
  }),
})

export const LINKED_INSTITUTION = resource('LinkedInstitution', {
  institution_id: text({ example: 'ins_109508' }),
  institution_name: text({ example: 'First Platypus Bank' }),
  logo: text({ nullable: true, example: 'iVBORw0KGgo=', description: 'Base64-encoded image.' }),
  logo_url: text({
    nullable: true,
    example: 'https://rewards.example/institutions/ins_109508/logo?v=5d41402abc4b2a76',
  }),
  color: text({ nullable: true, example: '#1f7a6d' }),
  new_accounts_available: boolean({
    example: false,
    description:
      'True if the bank has accounts under one of these logins that the user has not been asked to share yet and can share in a repair.',
  }),
  linked_cards: field(
    Type.Array(LINKED_CARD.schema),
    { example: [LINKED_CARD.example] },
    (cards: readonly ResourceRow<typeof LINKED_CARD>[]) => cards.map(LINKED_CARD.present),
  ),
})
export const LinkedInstitutionsSchema = namedObject('LinkedInstitutionList', {
  linked_institutions: Type.Array(LINKED_INSTITUTION.schema),
})

export const UNLINKED_INSTITUTION = resource('UnlinkedInstitution', {
  publisher_user_id: text({ example: 'user-1' }),
  institution_id: text({ example: 'ins_109508' }),
  unlinked_cards: integer({ example: 1 }),
})

/** Returns one entry per institution, with the cards of all its logins, in the order they were linked. */
export function presentInstitutions(
  links: readonly LinkWithCards[],
  institutions: readonly KnownInstitution[],
  baseUrl: string,
): Static<typeof LINKED_INSTITUTION.schema>[] {
  const ids = [...new Set(links.map(({ link }) => link.institutionId))]
  return ids.map((institutionId) => {
    const there = links.filter(({ link }) => link.institutionId === institutionId)
    const known = institutions.find((institution) => institution.institutionId === institutionId)
    const image = parseImage(known?.logo ?? null)
    const address = `${baseUrl}/institutions/${encodeURIComponent(institutionId)}/logo`
    return LINKED_INSTITUTION.present({
      institutionId,
      institutionName: known?.name ?? there[0]?.link.institutionName ?? institutionId,
      logo: image === null ? null : image.bytes.toString('base64'),
      // The URL changes with the image, so it may be cached forever.
      logoUrl: image === null ? null : `${address}?v=${image.version}`,
      color: known?.color ?? null,
      newAccountsAvailable: there.some(({ link }) => link.newAccountsAvailable),
      linkedCards: there.flatMap(({ link, cards }) => cards.map((card) => ({ ...link, ...card }))),
    })
  })
}
