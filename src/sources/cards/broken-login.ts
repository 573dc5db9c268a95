import { ids, instant, oneOf, text } from '../../platform/resource/fields.ts'
import { column, type ResourceRow, resource } from '../../platform/resource/resource.ts'
import { PUBLISHER_FIELD } from '../../tenants/access/index.ts'
import { USER_FIELDS } from '../../users/users/index.ts'
import { CARD_ERRORS } from './queries.ts'

/** A login that only its user can repair, with the cards linked through it. */
export const BROKEN_LOGIN = resource(
  'BrokenLogin',
  {
    publisher_id: PUBLISHER_FIELD,
    svc_user_id: USER_FIELDS.svc_user_id,
    publisher_user_id: USER_FIELDS.publisher_user_id,
    card_ids: ids('crd', {
      example: ['crd_01kbjyt5v3f4nvj5yq5yfypr9v'],
      description: 'Cards linked through this login (crd_…).',
    }),
    institution_name: text({ example: 'First Platypus Bank' }),
    error: oneOf(CARD_ERRORS, {
      example: 'NEED_AUTHENTICATION',
      description: 'NEED_AUTHENTICATION: the user must sign in again.',
    }),
    linked_at: instant({ example: '2026-10-01T10:15:30.000Z', description: 'When it was linked.' }),
    broken_since: instant({
      nullable: true,
      example: '2026-11-21T10:15:30.000Z',
      description: 'When the user was prompted to repair it, or null if they were not.',
    }),
    reauthentication_deadline: instant({
      nullable: true,
      example: null,
      description: 'Deadline for the user to sign in again, or null if none is known.',
    }),
  },
  { linkId: column<string>() },
)

export type BrokenLogin = ResourceRow<typeof BROKEN_LOGIN>
