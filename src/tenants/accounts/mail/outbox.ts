import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Transporter } from 'nodemailer'
import { decodeUuidTime, newUuid } from '../../../platform/ids.ts'
import type { Mail } from './compose.ts'

/** The destination of outgoing email. */
export type Outbox = {
  send(mail: Mail): Promise<void>
  /** Lists the newest emails; null if emails are sent rather than stored, or must not be displayed. */
  list: (() => Promise<StoredMail[]>) | null
}
export type StoredMail = Mail & { readonly mailId: string; readonly at: Date }

// If the mail server takes longer than this, the email is retried later.
const TIMEOUT_MS = 20_000

/**
 * Returns an outbox that sends through a mail server.
 * @param url of the mail server, such as smtps://user:password@mail.example.com
 */
export function smtpOutbox(url: string, from: string): Outbox {
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS }
  // The library is loaded only if a mail server is used.
  const connect = async (): Promise<Transporter> => {
    const { createTransport } = await import('nodemailer')
    return createTransport({ url, ...timeouts }, { from })
  }
  let transport: Promise<Transporter> | null = null
  return {
    list: null,
    send: async ({ unsubscribe, ...mail }) => {
      const headers =
        unsubscribe === undefined
          ? {}
          : { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
      transport ??= connect()
      const connected = await transport
      await connected.sendMail({ ...mail, headers }).catch((error: { readonly responseCode?: number }) => {
        // The server's reply contains the recipient's address, so it must not appear in the log.
        throw error.responseCode === undefined
          ? error
          : new Error(`the mail server responded with ${error.responseCode}`)
      })
    },
  }
}

// More than anyone would scroll through.
const LISTED_MAX = 100

/**
 * Returns an outbox that writes emails to files in the data folder, for use without a mail server. Only a sandbox may
 * display them.
 */
export function folderOutbox(dataDir: string, isShown: boolean): Outbox {
  const folder = join(dataDir, 'mails')
  const listed = async (): Promise<string[]> => {
    const names = await readdir(folder).catch(() => [])
    return names
      .filter((name) => name.endsWith('.json'))
      .sort()
      .reverse()
      .slice(0, LISTED_MAX)
  }
  return {
    send: async (mail) => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const path = join(folder, newUuid())
      await writeFile(`${path}.tmp`, `${JSON.stringify(mail, null, 2)}\n`, { mode: 0o600 })
      await rename(`${path}.tmp`, `${path}.json`)
    },
    list: !isShown
      ? null
      : async () =>
          Promise.all(
            (await listed()).map(async (name) => {
              const mailId = name.slice(0, -'.json'.length)
              return {
                mailId,
                at: decodeUuidTime(mailId),
                ...(JSON.parse(await readFile(join(folder, name), 'utf8')) as Mail),
              }
            }),
          ),
  }
}
