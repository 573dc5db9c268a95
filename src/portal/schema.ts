import Type, { type Static } from 'typebox'
import {
  EXPECTED,
  idField,
  namedObject,
  namedStrictObject,
  nullable,
  patternField,
  secretField,
  strictObject,
  textField,
} from '../platform/http/index.ts'
import { instant, text } from '../platform/resource/fields.ts'
import { resource } from '../platform/resource/resource.ts'
import type { Publisher } from '../tenants/publishers/index.ts'
import { type Portal, type PortalChange, SLUG_PATTERN } from './portal.ts'

const colour = {
  hue: Type.Number({
    minimum: 0,
    exclusiveMaximum: 360,
    description: 'Hue of the color in OKLCH degrees. 163 is green, 262 is blue.',
  }),
  chroma: Type.Number({
    minimum: 0,
    maximum: 0.37,
    description: 'OKLCH chroma of the color; 0 is gray. Lightness is derived from the contrast of text on it.',
  }),
}
const members = {
  slug: patternField(SLUG_PATTERN, '2 to 63 lowercase letters, digits and hyphens, beginning with a letter or digit', {
    examples: ['example-rewards'],
    description: "The part of the portal's address after /portal/: lowercase letters, digits and hyphens.",
  }),
  shown_name: nullable(textField(100, "Name of the publisher in the portal, or null for the publisher's own name.")),
  ...colour,
  frame_ancestors: Type.Array(textField(255, 'An origin.'), {
    maxItems: 20,
    description:
      'The https origins of pages that may embed the portal in an iframe, such as https://app.example.com; in a sandbox, also http origins on your own machine.',
  }),
}

const shownMembers = {
  ...members,
  slug: Type.String({
    description: "Part of the portal's address after /portal/. Defaults to the publisher_id until one is set.",
  }),
  shown_name: nullable(
    Type.String({ description: "Name of the publisher in the portal, or null to use the publisher's own name." }),
  ),
  frame_ancestors: Type.Array(Type.String(), {
    description: 'Origins of pages that may embed the portal in an iframe.',
  }),
  allows_accounts: Type.Boolean({
    description: 'True if users can sign in with an email address and password, or with a passkey.',
  }),
  welcome: nullable(Type.String({ description: 'Greeting shown to users, or null for the default greeting.' })),
}
export const PortalSchema = namedObject('PortalSettings', {
  ...shownMembers,
  logo_url: nullable(Type.String({ description: 'URL of the logo, or null if there is none.' })),
  url: Type.String({ description: 'URL of the portal.' }),
})
// The size of the largest logo in base64.
const LOGO_TEXT_MAX = 65_536

export const PortalBody = namedStrictObject('NewPortalSettings', {
  ...members,
  allows_accounts: Type.Optional(
    Type.Boolean({
      description:
        'Whether users can sign in with email and password, or with a passkey. Unchanged if omitted; initially false.',
    }),
  ),
  welcome: Type.Optional(
    nullable(
      textField(
        300,
        'Greeting that the portal shows to users, or null for the default greeting. Unchanged if omitted.',
      ),
    ),
  ),
  logo: Type.Optional(
    nullable(
      patternField('^[A-Za-z0-9+/]+={0,2}$', 'base64', {
        maxLength: LOGO_TEXT_MAX,
        description: 'A PNG, JPEG or WebP image in base64, at most 48 KiB, or null for no logo. Unchanged if omitted.',
      }),
    ),
  ),
  expected: Type.Optional(
    namedStrictObject('ExpectedPortalSettings', Type.Partial(Type.Object(shownMembers)).properties, {
      description: EXPECTED,
    }),
  ),
})
export const portalExample = {
  slug: 'acorn',
  shown_name: 'Acorn Pay',
  hue: 42,
  chroma: 0.16,
  frame_ancestors: ['https://app.example.com'],
  allows_accounts: false,
  welcome: 'Every purchase counts.',
  logo_url: 'https://laurel.example.com/portal/acorn/logo?v=0f343b0931126a20',
  url: 'https://laurel.example.com/portal/acorn',
}

export const ThemeQuery = strictObject(colour)
export const ThemeSchema = namedObject('PortalTheme', {
  ...colour,
  lightness: Type.Number({ description: 'OKLCH lightness of the color, chosen so that white text on it is readable.' }),
})

export const LinkBody = namedStrictObject('NewPortalSession', {
  publisher_user_id: idField("The publisher's ID for the user."),
  return_path: Type.Optional(
    patternField('^/[A-Za-z0-9_/-]*$', 'a path that begins with / and has no query string', {
      maxLength: 255,
      examples: ['/offers'],
      description: "Page the user lands on, relative to the portal's address. Defaults to /.",
    }),
  ),
})
export const LinkSchema = namedObject('PortalSession', {
  url: secretField('Opens the portal for this user. Can be used once.'),
  expires_at: Type.String({ description: 'When the URL expires.' }),
})

export const UserParams = Type.Object({ publisher_user_id: idField("The publisher's ID for the user.") })
export const ACCOUNT = resource('PortalAccount', {
  email: text({ example: 'ada@example.com', description: 'Email address that the user signs in with.' }),
  created_at: instant({
    example: '2026-11-21T10:15:30.000Z',
    description: 'When the account was created; RFC 3339.',
  }),
})

export function presentPortal(portal: Portal, baseUrl: string): Static<typeof PortalSchema> {
  return {
    slug: portal.slug,
    shown_name: portal.shownName,
    hue: portal.hue,
    chroma: portal.chroma,
    frame_ancestors: [...portal.frameAncestors],
    allows_accounts: portal.allowsAccounts,
    welcome: portal.welcome,
    logo_url: portal.logoVersion === null ? null : `${baseUrl}${buildLogoAddress(portal, portal.logoVersion)}`,
    url: `${baseUrl}/portal/${portal.slug}`,
  }
}

/** Returns the logo's address, which changes with the logo so that browsers can cache it. */
export function buildLogoAddress({ slug }: Portal, version: string): string {
  return `/portal/${slug}/logo?v=${version}`
}

export function parsePortal(body: Static<typeof PortalBody>): PortalChange {
  const { shown_name: shownName, frame_ancestors: frameAncestors, welcome, logo } = body
  const { slug, hue, chroma, allows_accounts: allowsAccounts } = body
  return { slug, hue, chroma, shownName, frameAncestors, welcome, logo, allowsAccounts }
}

export function getShownName(publisher: Publisher, { shownName }: Portal): string {
  return shownName ?? publisher.name
}
