export type UserRefusal =
  | 'user_not_found'
  | 'user_already_exists'
  | 'user_erased'
  | 'user_not_active'
  | 'user_not_inactive'
  | 'attributes_invalid'
