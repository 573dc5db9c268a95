export type OperatorRefusal =
  | 'role_missing'
  | 'operator_not_found'
  | 'operator_name_invalid'
  | 'fact_not_found'
  | 'contradiction_not_found'
