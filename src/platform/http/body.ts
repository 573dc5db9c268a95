import { isUtf8 } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import { runInSlices } from '../slices.ts'
import { type BatchLists, readJson } from './json.ts'
import { Problem } from './problems.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The lists in the body that are read item by item. */
    batch?: BatchLists
  }
}

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i

/** Parses a JSON body, in slices if it is long. Returns undefined for a missing body. */
export async function parseJsonBody(request: FastifyRequest, bytes: Buffer): Promise<unknown> {
  // A compressed body could expand to many times its size.
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new Problem('unsupported_media_type', 'Send the body without a Content-Encoding.')
  const [, charset = 'utf-8'] = CHARSET.exec(request.headers['content-type'] ?? '') ?? []
  if (!/^utf-?8$/i.test(charset))
    throw new Problem('unsupported_media_type', 'Send the body as UTF-8, with `charset=utf-8` or no charset.')
  return runInSlices(parsed(bytes, request.routeOptions.config.batch))
}

function* parsed(bytes: Buffer, batch: BatchLists | undefined): Generator<undefined, unknown> {
  // For a body of ten megabytes, each step takes a few milliseconds.
  yield
  if (!isUtf8(bytes)) throw new Problem('body_unreadable', 'The body is not UTF-8.')
  yield
  const json = bytes.toString()
  yield
  return yield* readJson(json, batch)
}
