/** The beginning of the API reference, also in the document, for those who generate a client from it. */
export const INTRODUCTION = `
Laurel pays rewards to your users: you register them, they link a card or follow a link, and what they buy earns
cashback. Everything is JSON over HTTP, and every success is status 200.

## Your first calls

Set \`KEY\` to an API key and \`URL\` to the address of the service, register a user, and ask what a purchase would earn:

\`\`\`sh
curl "$URL/users" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '{"publisher_user_id": "user-1", "email": "ada@example.com"}'

curl "$URL/terms" -H "Authorization: Bearer $KEY"      # show them to the user, then accept their id:
curl "$URL/terms/accept" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '{"publisher_user_id": "user-1", "tnc_id": 1}'

curl "$URL/transactions/evaluate?view=user" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '{"publisher_user_id": "user-1", "amount": 84.20, "merchant_descriptor": "SQ *SHAKE SHACK 1123 NEW YORK NY"}'
\`\`\`

## Keys

Send your key as \`Authorization: Bearer …\` or as \`X-API-Key\`. It says who you are: there is no publisher in paths or
bodies. Keys that begin with \`lrl_sandbox_\` play with simulated money and a clock that you move
(\`POST /sandbox/clock\`); those that begin with \`lrl_live_\` are real. Each key has scopes; \`GET /publishers/me\` lists
them. Keep keys on your server: browsers and apps never need one.

## Errors

Everything else than 200 is a problem body ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)):

\`\`\`json
{
  "type": "https://laurel.example.com/problems/user_not_found",
  "title": "No such user",
  "status": 404,
  "detail": "There is no user with this publisher_user_id.",
  "instance": "/users/status/user-1",
  "code": "user_not_found",
  "request_id": "req_01kbjyt5v3f4nvj5yq5yfypr9v"
}
\`\`\`

Decide by \`code\`. Each operation lists the codes that it can answer, and \`type\` leads to a page with the cause and
what to do ([all of them](/problems)). On 400, \`errors[]\` names each field at fault. Repeat a request on 429 and 503,
after the seconds in \`Retry-After\`, and a write on 500, 502 and 504 with the same \`Idempotency-Key\`. What belongs to
another publisher does not exist: 404.

## Repeating writes

Send an \`Idempotency-Key\`, such as a UUID, with every change. If the answer is lost, send the same request with the same
key: it gets the first answer, with \`Idempotency-Replayed: true\`, and nothing happens twice. Keys are kept for 24 hours.
The same key with another body is refused (\`idempotency_key_reused\`). Purchases and payouts also repeat safely by their
\`external_id\` and \`external_ref\`.

## Lists

Lists have \`page\` (from 0), \`size\` (30 unless you say otherwise, at most 100) and \`sort\`
(\`sort=created_at,desc\` or \`sort=-created_at\`). An answer has its elements in \`content\`, with \`total_elements\`,
\`total_pages\` and \`last\`. To read everything, follow the events, or order a report.

## Limits

Each key may read and write so many times a second, and twice that in a burst. \`RateLimit-Limit\`,
\`RateLimit-Remaining\` and \`RateLimit-Reset\` are on every answer. Beyond the limit it is 429. A body has at most 1 MiB,
a batch 500 items and 10 MiB.

## Money and time

Amounts are major units as JSON numbers (\`12.5\`), with the decimals of their currency. Times are RFC 3339 in UTC; only
\`created_at\` and \`updated_at\` of users are written \`2026-11-21T10:15:30:Z\`, unless the publisher's setting
\`timestamp_format\` is \`rfc3339\`. Days are \`yyyy-MM-dd\` in the publisher's time zone, and ranges include both ends.

## Events

Everything that happens is an event: \`GET /events\` has all of them, in order and without gaps, and webhooks bring them to
you. \`POST /webhooks/endpoints\` answers the secret that verifies their signatures
([Standard Webhooks](https://www.standardwebhooks.com)). Deliveries may repeat: recognize them by \`webhook-id\`.

## Versions

The version of this interface is \`2024-12-12\`; \`Laurel-Version\` names the one that you were written for, and each key
is pinned to one. New members, codes and event types may be added within a version, so ignore what you do not know.
`.trim()
