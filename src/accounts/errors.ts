export type AccountRefusal = 'session_not_found'
