import { probe } from './probe.ts'

/** A link by which a user enters the portal once, within 15 minutes; null where the service gives none. */
export async function portalLink(address: string, apiKey: string, publisherUserId: string): Promise<string | null> {
  const answer = await probe(`${address}/portal/sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ publisher_user_id: publisherUserId }),
  })
  return answer?.status === 200 ? (JSON.parse(answer.text) as { url: string }).url : null
}
