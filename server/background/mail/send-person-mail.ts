/** Send person mail: claim, make the token of its link, draw, send, and forget it. */
import { createHash } from 'node:crypto'
import { consoleOrigin } from '../../origins.ts'
import type { Dependencies } from '../../dependencies.ts'
import {
  claimPersonMail,
  deletePersonMail,
  postponePersonMail,
  type ClaimedPersonMail,
  type DuePersonMail,
} from '../../store/people/person-mails.ts'
import { saveMailedToken } from '../../store/people/links.ts'
import { hashToken } from '../../store/people/people.ts'
import { drawPersonMail } from './draw-person-mail.ts'
import type { Letter, Mailer } from './mailer.ts'

type SendingDependencies = Pick<Dependencies, 'database' | 'clock' | 'mailedToken' | 'log' | 'publicBase'>

/** From the row and of no other use: mail servers write it to logs. */
const messageIdOf = (mailId: string): string =>
  createHash('sha256').update(`person mail\n${mailId}`).digest('hex').slice(0, 40)

const letterOf = (
  { id, recipient, locale, facts }: ClaimedPersonMail,
  { token, publicBase, sentAt }: { readonly token: string; readonly publicBase: URL; readonly sentAt: number },
): Letter => {
  const { hostname: sender } = publicBase
  return {
    ...drawPersonMail({ locale, facts, token, origin: consoleOrigin(publicBase), sender }),
    messageId: messageIdOf(id),
    recipient,
    senderName: sender,
    replyTo: null,
    locale,
    sentAt,
  }
}

/** Sends a mail that is due, once for each claim. A link that was used or withdrawn since is not mailed. */
export const sendPersonMail = async (
  { database, clock, mailedToken, log, publicBase }: SendingDependencies,
  mailer: Mailer,
  { mailId }: DuePersonMail,
): Promise<void> => {
  const now = clock.now()
  const mail = await claimPersonMail(database, mailId, now)
  if (mail === null) return
  if (now >= mail.endsAt) return deletePersonMail(database, mail)
  // The same on every try: where a mail server has taken a mail whose answer was lost, it drops the second by its message id.
  const token = mailedToken(mail.id)
  const hasLink = mail.facts.kind !== 'recovery'
  if (hasLink && !(await saveMailedToken(database, { hash: mail.id, tokenHash: hashToken(token) }, now)))
    return deletePersonMail(database, mail)
  const { outcome, answer } = await mailer.send(letterOf(mail, { token, publicBase, sentAt: now }))
  if (outcome === 'sent') return deletePersonMail(database, mail)
  if (outcome === 'refused') {
    await deletePersonMail(database, mail)
    return log.error('a mail was refused', { why: answer })
  }
  const isTriedAgain = await postponePersonMail(database, mail, clock.now())
  if (isTriedAgain) log.warn('a mail could not be sent, and is tried again', { why: answer })
  else log.error('a mail was given up', { why: answer })
}
