import { setAccount } from '../../src/purchases/linker/index.ts'
import type { TestApp } from '../support/app.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas, which the compiler cannot know
type Ask = (operationId: string, address: string, body?: object) => Promise<any>

/** Links one card with a public token and one with an access token from the publisher's own account. */
export async function tellOfLinking(app: TestApp, ask: Ask, user: string, institution_id: string): Promise<void> {
  const atSimulator = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json', 'PLAID-CLIENT-ID': 'laurel', 'PLAID-SECRET': 'laurel' }
    const made = await fetch(`${app.simulatorUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await made.json()) as Record<string, string>
  }
  const wish = {
    institution_id,
    initial_products: ['transactions'],
    options: { override_username: 'user_plain', override_password: 'pass_good' },
  }
  const linking = { institution_id, institution_name: 'Bank' }
  const { public_token } = await atSimulator('/sandbox/public_token/create', wish)
  await ask('linkPublicToken', `/linker/public-token/${user}`, { ...linking, public_token })
  const own = await atSimulator('/sandbox/public_token/create', wish)
  const { access_token } = await atSimulator('/item/public_token/exchange', { public_token: own['public_token'] })
  const account = { clientId: 'laurel', secret: 'laurel', by: 'test', force: false }
  await app.service.db.transaction((tx) => setAccount(tx, app.service.vault, app.publisher.id, account, new Date()))
  await ask('linkAccessToken', '/linker/access-token', {
    publisher_user_id: user,
    ...linking,
    provider_access_token: access_token,
  })
  await ask('listLinkedCards', `/linker/linked-cards/${user}`)
  await ask('listLinkedCardsAtInstitution', `/linker/linked-cards/${user}/${institution_id}`)
  await ask('createAuthToken', `/linker/auth-token/${institution_id}/${user}`)
}
