/** The introduction to the API reference, part of the OpenAPI document. */
export const INTRODUCTION = `
Laurel pays rewards to your users: you register them, they link a card or follow a link, and what they buy earns
cashback. Everything is JSON over HTTP, and success is always status 200.

## Your first calls

Set \`KEY\` to an API key and \`URL\` to the address of the service, register a user, and ask what a purchase would earn:

\`\`\`sh
curl "$URL/users" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '{"publisher_user_id": "user-1", "email": "ada@example.com"}'

curl "$URL/terms" -H "Authorization: Bearer $KEY"      # show these to the user, then record the acceptance:
curl "$URL/terms/accept" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '{"publisher_user_id": "user-1", "tnc_id": 1}'

curl "$URL/transactions/evaluate?view=user" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '{"publisher_user_id": "user-1", "amount": 84.20, "merchant_descriptor": "SQ *SHAKE SHACK 1123 NEW YORK NY"}'
\`\`\`

## Keys

Send your key as \`Authorization: Bearer …\` or as \`X-API-Key\`. The key identifies the publisher, so no path or body
names one. Keys that begin with \`lrl_sandbox_\` use simulated money and a clock that you control
(\`POST /sandbox/clock\`); keys that begin with \`lrl_live_\` move real money. Each key has scopes, which
\`GET /publishers/me\` lists. Keep keys on your server: browsers and apps never need one.

## Errors

Every error is a problem body ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)):

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

Branch on \`code\`. Each operation lists the codes it can return, and \`type\` links to a page with the cause and the
remedy ([all codes](/problems)). On 400, \`errors[]\` names each invalid field. On 429 and 503, retry after the seconds in
\`Retry-After\`; on 500, 502 and 504, retry with the same \`Idempotency-Key\`. \`linker_not_configured\` is a 503 that only
the operator can resolve. Anything that belongs to another publisher is a 404.

## Retrying writes

Send an \`Idempotency-Key\`, such as a UUID, with every write. If the response is lost, send the same request with the same
key: it returns the first response, with \`Idempotency-Replayed: true\`, and nothing happens twice. Keys are kept for 24
hours. Reusing a key with a different body is refused (\`idempotency_key_reused\`). Purchases are also deduplicated by
\`external_id\`, and redemptions by \`external_ref\`.

## Lists

Lists take \`page\` (from 0), \`size\` (default 30, at most 100) and \`sort\` (\`sort=created_at,desc\` or
\`sort=-created_at\`). A response has its elements in \`content\`, with \`total_elements\`, \`total_pages\` and \`last\`. To
read everything, follow the event feed or order a report.

## Limits

Each key has one limit on reads and one on writes, in requests per second, with bursts of up to twice as many. Every
response has \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`; requests above the limit get 429. A body
may have at most 1 MiB; a batch, 500 items and 10 MiB.

## Money and time

Amounts are JSON numbers in major units (\`12.5\`), with no more decimals than their currency has. Times are RFC 3339 in UTC; only
\`created_at\` and \`updated_at\` of users are written \`2026-11-21T10:15:30:Z\`, unless the publisher's setting
\`timestamp_format\` is \`rfc3339\`. Dates are \`yyyy-MM-dd\` in the publisher's time zone, and ranges include both ends.

## Events

Everything that happens is an event. \`GET /events\` returns all of them, in order and without gaps, and webhooks push
them to you. \`POST /webhooks/endpoints\` returns the secret for verifying their signatures
([Standard Webhooks](https://www.standardwebhooks.com)). Deliveries may repeat: deduplicate them by \`webhook-id\`.

## Versions

The current version of the API is \`2024-12-12\`. Each key is pinned to a version, and \`Laurel-Version\` selects another
one for a request. New fields, codes and event types may be added within a version, so ignore those you do not know.
`.trim()
