import { rows } from '../../api/query.ts'

/** Queries the operating company's staff. */
export const staff = rows('/operator/staff')

/** Queries a publisher's staff. */
export const publisherStaff = (publisher: string) => rows('/staff', { publisher })
