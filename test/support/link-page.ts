import assert from 'node:assert/strict'

type Walk = {
  readonly username: string
  readonly bank: string
  /** Selects the accounts that the user chooses, by their position on the page. */
  readonly choose: (index: number) => boolean
  /** True if sign-in and consent happen on the bank's own page. */
  readonly oauth?: boolean
}

/** Takes a user through the simulator's link page, for a new link or a repair. Returns the public token. */
export async function completeLinkPage(simulatorUrl: string, linkToken: unknown, walk: Walk): Promise<string> {
  const { username, bank, choose, oauth = false } = walk
  const first = await follow(linkPage(simulatorUrl, linkToken))
  const session = first.slice(0, first.lastIndexOf('/'))
  const place = oauth ? session.replace('/link/', '/oauth/') : session
  await follow(`${place}/sign-in`, new URLSearchParams({ institution_id: bank, username, password: 'pass_good' }))
  const choice = `${place}/${oauth ? 'consent' : 'accounts'}`
  const shown = await (await fetch(choice)).text()
  const ids = [...shown.matchAll(/name="account_id" value="([^"]+)"/g)].map(([, id]) => id ?? '')
  const chosen = ids.filter((_id, index) => choose(index)).map((id): [string, string] => ['account_id', id])
  const end = await follow(choice, new URLSearchParams([...chosen, ['answer', 'allow']]))
  const done = await (await fetch(oauth ? `${session}/return` : end)).text()
  const token = /public-sandbox-[0-9a-f-]{36}/.exec(done)?.[0]
  assert(token !== undefined, 'the link page ended without a public token')
  return token
}

export function linkPage(simulatorUrl: string, linkToken: unknown): string {
  return `${simulatorUrl}/link?token=${linkToken}`
}

async function follow(url: string, form?: URLSearchParams): Promise<string> {
  const sent = form === undefined ? {} : { method: 'POST', body: form }
  const answer = await fetch(url, { ...sent, redirect: 'manual' })
  const location = answer.headers.get('location')
  assert(location !== null, `the link page answered ${answer.status}`)
  return new URL(location, url).href
}
