import { createHmac, timingSafeEqual } from 'node:crypto'
import { encodeId } from '../../../platform/ids.ts'
import type { Vault } from '../../../platform/vault/index.ts'
import { MEDIA_TYPES } from '../formats.ts'
import type { ReportStorage } from '../storage/storage.ts'
import { buildFileName, buildStoredName, type ReportId, type ReportOrder } from './order.ts'

/** Links to report files, which require no API key and expire in real time. */
export type ReportLinks = {
  createLink(order: ReportOrder, now: Date): Promise<{ readonly url: string; readonly expiresAt: Date }>
  /** Checks whether this service issued a link and whether the link is still valid. */
  judge(reportId: ReportId, link: SignedLink, now: Date): 'valid' | 'expired' | 'forged'
}

type SignedLink = { readonly expires: number; readonly signature: string }

export function createReportLinks({
  vault,
  reportStorage: { serving },
  baseUrl,
  seconds,
}: {
  readonly vault: Vault
  readonly reportStorage: ReportStorage
  readonly baseUrl: () => string
  /** The lifetime of a link. */
  readonly seconds: number
}): ReportLinks {
  const key = vault.derivedKey('report-links')
  const createSignature = (reportId: ReportId, expires: number): string =>
    createHmac('sha256', key).update(`${reportId}:${expires}`).digest('base64url')
  return {
    createLink: async (order, now) => {
      const expires = Math.floor(now.getTime() / 1_000) + seconds
      const expiresAt = new Date(expires * 1_000)
      if (serving.by === 'storage') {
        const terms = { seconds, fileName: buildFileName(order), mediaType: MEDIA_TYPES[order.format] }
        return { url: await serving.link(buildStoredName(order, order.attempt), terms), expiresAt }
      }
      const { reportId } = order
      const query = new URLSearchParams({ expires: String(expires), signature: createSignature(reportId, expires) })
      return { url: `${baseUrl()}/reports/${encodeId('rpt', reportId)}/file?${query}`, expiresAt }
    },
    judge: (reportId, { expires, signature }, now) => {
      const [given, right] = [Buffer.from(signature), Buffer.from(createSignature(reportId, expires))]
      if (given.length !== right.length || !timingSafeEqual(given, right)) return 'forged'
      return expires * 1_000 <= now.getTime() ? 'expired' : 'valid'
    },
  }
}
