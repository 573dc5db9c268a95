import { probe } from './probe.ts'

/** Creates a link that signs a user into the portal once, within 15 minutes; null if the service offers none. */
export async function createPortalLink(
  address: string,
  apiKey: string,
  publisherUserId: string,
): Promise<string | null> {
  const answer = await probe(`${address}/portal/sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ publisher_user_id: publisherUserId }),
  })
  return answer?.status === 200 ? (JSON.parse(answer.text) as { url: string }).url : null
}
