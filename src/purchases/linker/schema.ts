import Type, { type Static } from 'typebox'
import { enumField, idField, namedObject, nullable, strictObject, textField } from '../../platform/http/index.ts'
import { encodeId } from '../../platform/ids.ts'
import type { LinkWithCards } from '../../sources/cards/index.ts'
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
      "If true, the response has a link_url, the provider's own page, for use in e-mails and in apps without the provider's script. The page redirects to redirect_uri at the end.",
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

const LinkedCardSchema = namedObject('LinkedCard', {
  card_id: Type.String({
    description: 'Stays the same when the login is linked again and its account IDs change. Also used in events.',
  }),
  account_id: Type.String(),
  name: Type.String(),
  mask: nullable(Type.String({ description: 'Last digits, or null if the institution reports none.' })),
  error: nullable(enumField(['NEED_AUTHENTICATION', 'UNKNOWN'])),
  reauthentication_deadline: nullable(
    Type.String({ description: 'Deadline for the user to sign in again, if known. RFC 3339.' }),
  ),
})

export const LinkedInstitutionSchema = namedObject('LinkedInstitution', {
  institution_id: Type.String(),
  institution_name: Type.String(),
  logo: nullable(Type.String({ description: 'Base64-encoded image.' })),
  logo_url: nullable(Type.String()),
  color: nullable(Type.String()),
  new_accounts_available: Type.Boolean({
    description:
      'True if the bank has accounts under one of these logins that the user has not been asked to share yet and can share in a repair.',
  }),
  linked_cards: Type.Array(LinkedCardSchema),
})
export const LinkedInstitutionsSchema = namedObject('LinkedInstitutionList', {
  linked_institutions: Type.Array(LinkedInstitutionSchema),
})

export const UnlinkedSchema = namedObject('UnlinkedInstitution', {
  publisher_user_id: Type.String(),
  institution_id: Type.String(),
  unlinked_cards: Type.Integer(),
})

/** Returns one entry per institution, with the cards of all its logins, in the order they were linked. */
export function presentInstitutions(
  links: readonly LinkWithCards[],
  institutions: readonly KnownInstitution[],
  baseUrl: string,
): Static<typeof LinkedInstitutionSchema>[] {
  const ids = [...new Set(links.map(({ link }) => link.institutionId))]
  return ids.map((id) => {
    const there = links.filter(({ link }) => link.institutionId === id)
    const known = institutions.find((institution) => institution.institutionId === id)
    const image = parseImage(known?.logo ?? null)
    return {
      institution_id: id,
      institution_name: known?.name ?? there[0]?.link.institutionName ?? id,
      logo: image === null ? null : image.bytes.toString('base64'),
      // The URL changes with the image, so it may be cached forever.
      logo_url: image === null ? null : `${baseUrl}/institutions/${encodeURIComponent(id)}/logo?v=${image.version}`,
      color: known?.color ?? null,
      new_accounts_available: there.some(({ link }) => link.newAccountsAvailable),
      linked_cards: there.flatMap(({ link, cards }) =>
        cards.map((card) => ({
          card_id: encodeId('crd', card.cardId),
          account_id: card.accountId,
          name: card.name,
          mask: card.mask,
          error: link.error,
          reauthentication_deadline: link.reauthenticationDeadline?.toISOString() ?? null,
        })),
      ),
    }
  })
}
