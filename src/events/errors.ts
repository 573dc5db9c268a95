/**
 * The refusals of this room and the status each has in src/refusals.ts: endpoint_not_found 404, delivery_not_found 404,
 * webhook_url_refused 400, replay_range_invalid 400, too_many_endpoints 409, endpoint_not_enabled 409.
 */
export type EventRefusal =
  | 'endpoint_not_found'
  | 'delivery_not_found'
  | 'webhook_url_refused'
  | 'replay_range_invalid'
  | 'too_many_endpoints'
  | 'endpoint_not_enabled'
