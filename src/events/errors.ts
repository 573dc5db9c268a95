export type EventRefusal =
  | 'endpoint_not_found'
  | 'delivery_not_found'
  | 'webhook_url_refused'
  | 'replay_range_invalid'
  | 'too_many_endpoints'
  | 'feed_position_invalid'
  | 'feed_restored'
  | 'endpoint_not_enabled'
