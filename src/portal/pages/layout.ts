import { type Html, html, renderMarkup } from '../../platform/text/html.ts'
import { ASSETS } from '../assets.ts'
import { buildLogoAddress } from '../schema.ts'
import type { PortalPage, Tab, Visit } from '../visit.ts'
import { LANGUAGES, type Language, type PortalWords, WORDS } from '../words/words.ts'
import { LAUREL, renderIcon } from './icons.ts'

const TABS: readonly (readonly [Tab, string])[] = [
  ['offers', ''],
  ['purchases', '/purchases'],
  ['cards', '/cards'],
  ['you', '/you'],
]

/**
 * Renders a complete page. Unless `isSignedIn` is set, the page has no navigation, because the links would not work.
 */
export function renderPage(
  visit: Visit,
  { title, tab, content, linkScript = null, usesPasskeys = false }: PortalPage,
  isSignedIn: boolean,
): string {
  const { base, words, language, name } = visit
  return renderMarkup(html`<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
    <title>${visit.sent !== null && `${words.error}: `}${title} · ${name}</title>
    <link rel="preload" href="${ASSETS}/bricolage.woff2" as="font" type="font/woff2" crossorigin />
    <link rel="stylesheet" href="${ASSETS}/portal.css" />
    <link rel="stylesheet" href="${base}/theme.css" />
    <script type="module" src="${ASSETS}/portal.js"></script>
    ${linkScript !== null && html`<script defer src="${linkScript}"></script><script type="module" src="${ASSETS}/link.js"></script>`}
    ${usesPasskeys && html`<script type="module" src="${ASSETS}/passkeys.js"></script>`}
  </head>
  <body>
    <a class="skip" href="#main">${words.skip}</a>
    <header class="wrap top">
      <a class="logo" href="${base}">${logo(visit)}<span>${name}</span></a>
      ${isSignedIn && tabs(base, words, tab)}
      ${languages(visit)}
    </header>
    <main id="main" class="wrap">${message(visit)}${content}</main>
  </body>
</html>
`)
}

/** Renders the logo. It needs no alternative text, because the name is next to it. */
function logo({ portal }: Visit): Html {
  const { logoVersion } = portal
  return logoVersion === null ? LAUREL : html`<img src="${buildLogoAddress(portal, logoVersion)}" alt="" />`
}

function tabs(base: string, words: PortalWords, current: Tab | undefined): Html {
  const links = TABS.map(
    ([tab, path]) =>
      html`<a href="${base}${path}" ${tab === current && html`aria-current="page"`}>${renderIcon(tab)}${words.tabs[tab]}</a>`,
  )
  return html`<nav class="tabs" aria-label="${words.main}">${links}</nav>`
}

function languages({ path, query, language, words }: Visit): Html {
  const links = LANGUAGES.map((one) => {
    const { done: _, ...rest } = query
    const to = `${path}?${new URLSearchParams({ ...rest, lang: one })}`
    const current = one === language && html`aria-current="true"`
    return html`<a href="${to}" lang="${one}" hreflang="${one}" ${current}
      ><span aria-hidden="true">${one.toUpperCase()}</span><span class="sr">${WORDS[one].languageName}</span></a
    >`
  })
  return html`<nav class="lang" aria-label="${words.language}">${links}</nav>`
}

/** Renders the result of the form that led to this page. */
function message({ query: { done }, words }: Visit): Html | null {
  const text = Object.entries(words.done).find(([name]) => name === done)?.[1]
  return text === undefined ? null : html`<p class="note done" role="status" tabindex="-1" autofocus>${text}</p>`
}

/** Renders a page with at most one action. */
export function renderPlainPage(title: string, text: string, action: Html | null = null): PortalPage {
  return { title, content: html`<section class="plain"><h1>${title}</h1><p>${text}</p>${action}</section>` }
}

/** Renders the page for users whose link or session has expired, with a way back in. */
export function renderEndedPage({ words, base, name, portal }: Visit, title: string): PortalPage {
  const { gone, signIn } = words
  const action = portal.allowsAccounts ? html`<a class="btn" href="${base}/sign-in">${signIn.title}</a>` : null
  return renderPlainPage(title, gone.remedy(name), action)
}

/** Renders the page for addresses without a portal. It has no publisher's name or color. */
export function renderStrayPage(language: Language): string {
  const { gone } = WORDS[language]
  return renderMarkup(html`<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
    <title>${gone.missing}</title>
    <link rel="stylesheet" href="${ASSETS}/portal.css" />
  </head>
  <body>
    <main id="main" class="wrap"><section class="plain"><h1>${gone.missing}</h1><p>${gone.strayText}</p></section></main>
  </body>
</html>
`)
}
