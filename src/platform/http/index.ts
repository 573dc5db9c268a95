/**
 * HTTP: a single Fastify instance with every unsafe default replaced, strict validation, problem bodies (RFC 9457) and
 * paging. Contains nothing specific to the domain.
 */
export { type App, createApp } from './app.ts'
export { authenticateKeys, createKeyedDoor, isRead } from './callers/authenticate.ts'
export {
  actAsStranger,
  createLimit,
  createNetworkLimit,
  createStrangerCount,
  identifyStranger,
  limitStrangers,
  STRANGER_LIMITS,
} from './callers/strangers.ts'
export { explainPattern } from './expected.ts'
export { FIELD_CODES, type FieldCode, type FieldError } from './field-errors.ts'
export * from './fields.ts'
export { readShortJson } from './json.ts'
export {
  buildCursorPage,
  cursorPageExample,
  cursorPageSchema,
  cursorQuery,
  readCursorQuery,
  sortQuery,
} from './lists/cursor-pages.ts'
export {
  buildPage,
  type PageQuery,
  PageSchema,
  type Paging,
  pageExample,
  pageQuery,
  pageSchema,
  readPaging,
  type SortField,
} from './lists/pages.ts'
export { openConfig, operationsOn } from './operation.ts'
export {
  type AnsweredRefusal,
  type HttpRefusal,
  invalidInput,
  Problem,
  type RefusalTable,
  type RefusalText,
} from './problems.ts'
export { isSameOrigin } from './same-origin.ts'
export { removeSecrets, secretField } from './secret-members.ts'
export { EXPECTED, refuseStale } from './stale.ts'
export { checkInput, compilersFactory, matches } from './validation.ts'
