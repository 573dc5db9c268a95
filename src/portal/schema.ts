import Type, { type Static } from 'typebox'
import {
  idField,
  namedObject,
  namedStrictObject,
  nullable,
  secretField,
  strictObject,
  textField,
} from '../platform/http/index.ts'
import type { Publisher } from '../publishers/index.ts'
import { type Portal, SLUG_PATTERN } from './portal.ts'

const colour = {
  hue: Type.Number({
    minimum: 0,
    exclusiveMaximum: 360,
    description: 'The hue of the colour, in degrees of OKLCH; 163 is green, 262 blue.',
  }),
  chroma: Type.Number({
    minimum: 0,
    maximum: 0.37,
    description:
      'How strong the colour is, in OKLCH; 0 is grey. Its lightness follows from the contrast of text on it.',
  }),
}
const members = {
  slug: Type.String({
    pattern: SLUG_PATTERN,
    description: 'The part of its address after /portal/: small letters, digits and hyphens.',
  }),
  shown_name: nullable(textField(100, "What the portal calls the publisher; null: the publisher's name.")),
  ...colour,
  frame_ancestors: Type.Array(textField(255, 'An origin.'), {
    maxItems: 20,
    description: 'The origins of pages that may show the portal in a frame, such as https://app.example.com.',
  }),
}

export const PortalBody = namedStrictObject('NewPortalSettings', members)
export const PortalSchema = namedObject('PortalSettings', {
  ...members,
  slug: Type.String({ description: 'The part of its address after /portal/; the publisher_id until one is set.' }),
  shown_name: nullable(Type.String({ description: 'What the portal calls the publisher; null: its name.' })),
  frame_ancestors: Type.Array(Type.String(), {
    description: 'The origins of pages that may show the portal in a frame.',
  }),
  url: Type.String({ description: 'The address of the portal.' }),
})
export const portalExample = {
  ...{ slug: 'acorn', shown_name: 'Acorn Pay', hue: 42, chroma: 0.16, frame_ancestors: ['https://app.example.com'] },
  url: 'https://laurel.example.com/portal/acorn',
}

export const ThemeQuery = strictObject(colour)
export const ThemeSchema = namedObject('PortalTheme', {
  ...colour,
  lightness: Type.Number({ description: 'How light the colour is, so that white text on it can be read; OKLCH.' }),
})

export const LinkBody = namedStrictObject('NewPortalSession', {
  publisher_user_id: idField("The publisher's identifier of the user."),
  return_path: Type.Optional(
    Type.String({
      maxLength: 255,
      pattern: '^/[A-Za-z0-9_/-]*$',
      description: 'The page on which the user begins, below the address of the portal. Default: /.',
    }),
  ),
})
export const LinkSchema = namedObject('PortalSession', {
  url: secretField('Opens the portal for this user, once.'),
  expires_at: Type.String({ description: 'Until when it can be opened.' }),
})

export function presentPortal(portal: Portal, baseUrl: string): Static<typeof PortalSchema> {
  return {
    ...{ slug: portal.slug, shown_name: portal.shownName, hue: portal.hue, chroma: portal.chroma },
    frame_ancestors: [...portal.frameAncestors],
    url: `${baseUrl}/portal/${portal.slug}`,
  }
}

export function portalIn(body: Static<typeof PortalBody>): Portal {
  const { slug, shown_name, hue, chroma, frame_ancestors } = body
  return { ...{ slug, hue, chroma }, shownName: shown_name, frameAncestors: frame_ancestors }
}

export function nameOf(publisher: Publisher, { shownName }: Portal): string {
  return shownName ?? publisher.name
}
