import { styled } from './terminal.ts'

type Shown = {
  readonly url: string
  readonly simulatorUrl: string | null
  /** The address at which phones on the network reach the simulator's user pages. */
  readonly networkUrl: string | null
  readonly apiKey: string | null
  /** A token that lets the first admin sign in; null once an admin has a password. */
  readonly enterToken: string | null
  /** A link that signs the demo user into the portal. */
  readonly portalUrl: string | null
}

/** The lifetime of single-use sign-in links. */
export const LINKS_HOLD = { console: '24 hours', portal: '15 minutes' } as const

/** Renders only what a newcomer needs. The curl line can be pasted as is. */
export function renderBanner({ url, simulatorUrl, networkUrl, apiKey, enterToken, portalUrl }: Shown): string[] {
  const row = (name: string, value: string, remark = ''): string =>
    `  ${styled('dim', name.padEnd(10))} ${value}${remark === '' ? '' : `   ${styled('dim', remark)}`}`
  const rows = [
    row('Service', url),
    enterToken === null
      ? row('Console', `${url}/console`)
      : row('Console', `${url}/console/enter#${enterToken}`, `signs you in once, valid for ${LINKS_HOLD.console}`),
    ...(portalUrl === null ? [] : [row('Portal', portalUrl, `signs in as ada once, valid for ${LINKS_HOLD.portal}`)]),
    row('Reference', `${url}/docs`),
    ...(simulatorUrl === null ? [] : [row('Simulator', simulatorUrl, 'link a card, make purchases')]),
    ...(networkUrl === null ? [] : [row('Phones', networkUrl, './laurel simulator link --user USER --qr')]),
    ...(apiKey === null ? [] : [row('API key', apiKey)]),
    ...(enterToken === null && portalUrl === null
      ? []
      : [row('New links', './laurel demo, or ./laurel accounts link ACCOUNT', 'see ./laurel accounts list')]),
  ]
  const next =
    apiKey === null
      ? [
          ...['  Try it:', '', `curl ${url}/healthz`, '', '  No key is stored here. Create a publisher and a key:', ''],
          './laurel publishers create --name "My platform" --environment sandbox',
        ]
      : [
          ...['  Try it:', ''],
          `curl -H 'Authorization: Bearer ${apiKey}' '${url}/transactions?publisher_user_id=ada'`,
          ...(simulatorUrl === null ? [] : ['', '  Follow one purchase end to end: ./laurel demo']),
        ]
  return ['', styled('bold', '  Laurel is running.'), '', ...rows, '', ...next, '']
}
