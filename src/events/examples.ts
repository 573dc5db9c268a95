import { ENDPOINT } from './endpoints/endpoint.ts'

/** Examples for the API reference. */

export const eventExample = {
  id: 'evt_01m9x3k2c8f0vt6r4b7n5hzq1d',
  type: 'user.created',
  created_at: '2026-11-21T10:15:30.000Z',
  publisher_id: 'pub_01m9x3jzq4e7w9s2k6t8y0a3bd',
  environment: 'sandbox',
  sequence: 42,
  data: {
    svc_user_id: 'usr_6n8m1v3w9f8x2r5t7y0qzkc4ha',
    publisher_user_id: 'user-1',
    email: null,
    primary_zip_code: '10001',
    account_status: 'PENDING',
    attributes: null,
    created_at: '2026-11-21T10:15:30Z',
    updated_at: '2026-11-21T10:15:30Z',
    version: 1,
  },
  previous: null,
} as const

export const secretExample = { ...ENDPOINT.example, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' }

export const attemptExample = {
  attempted_at: '2026-11-21T10:15:30.210Z',
  response_status: 200,
  error: null,
  latency_ms: 84,
  answer: 'ok',
} as const
