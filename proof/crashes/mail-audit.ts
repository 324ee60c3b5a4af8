/** Mail audit: every mail that was stored has arrived, and a copy of it bears the same Message-ID. */
import { messageIdOf } from '../../server/background/mail/send-mail.ts'
import type { Sql } from '../../server/store/engine/database.ts'
import { text } from '../../server/store/engine/columns.ts'
import type { SandboxMail } from '../harness/sandbox-process.ts'
import type { Finding } from './audit.ts'

export interface MailReport {
  readonly mails: number
  /** Second and further copies: a process died between the mail server's answer and its own record. */
  readonly mailCopies: number
  readonly findings: readonly Finding[]
}

interface StoredMailState {
  readonly merchantId: string
  readonly mailId: string
  readonly state: string
}

export const countUnsentMails = async (sql: Sql): Promise<number> =>
  (await sql.rows(`SELECT id FROM mails WHERE state IN ('waiting', 'sending')`)).length

/** The time of leases that killed processes left behind is over: a proof need not wait five minutes for each. */
export const endMailLeases = async (sql: Sql): Promise<void> => {
  await sql.rows(`UPDATE mails SET next_try_at = 0 WHERE state IN ('waiting', 'sending')`)
}

const receivedId = ({ source }: Pick<SandboxMail, 'source'>): string =>
  /^Message-ID: <([^@>]*)@/im.exec(source)?.[1] ?? 'no Message-ID'

export const auditMails = (
  stored: readonly StoredMailState[],
  received: readonly Pick<SandboxMail, 'source'>[],
): MailReport => {
  const arrived = new Set(received.map(receivedId))
  const known = new Set(stored.map(messageIdOf))
  const hasArrived = (mail: StoredMailState): boolean => arrived.has(messageIdOf(mail))
  const lost = stored.filter((mail) => mail.state !== 'sent' || !hasArrived(mail))
  const strange = [...arrived].filter((id) => !known.has(id))
  return {
    mails: stored.length,
    mailCopies: received.length - arrived.size,
    findings: [
      ...lost.map((mail): Finding => ({
        kind: 'lost',
        description: `the mail ${mail.mailId} is ${mail.state} and has ${hasArrived(mail) ? '' : 'not '}arrived`,
      })),
      ...strange.map((id): Finding => ({ kind: 'untrue', description: `a mail arrived that nobody owed: ${id}` })),
    ],
  }
}

export const createMailReport = async (sql: Sql, received: readonly SandboxMail[]): Promise<MailReport> => {
  const stored = (await sql.rows('SELECT merchant_id, id, state FROM mails')).map((row) => ({
    merchantId: text(row, 'merchant_id'),
    mailId: text(row, 'id'),
    state: text(row, 'state'),
  }))
  return auditMails(stored, received)
}
