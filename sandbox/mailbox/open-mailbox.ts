/** Opens the mailbox of the sandbox: its SMTP server, which takes every mail, and the pages that show them. */
import type { Route } from '../http/router.ts'
import { createMailbox, MAILS_KEPT } from './mailbox.ts'
import { mailboxRoutes } from './mailbox-pages.ts'
import { createSmtpServer } from './smtp.ts'

interface OpenedMailbox {
  readonly routes: readonly Route[]
  readonly smtp: ReturnType<typeof createSmtpServer>
}

/** Null: as many mails are kept as somebody who looks at them needs. */
export const openMailbox = (mailsKept: number | null): OpenedMailbox => {
  const mailbox = createMailbox(Date.now, mailsKept ?? MAILS_KEPT)
  return { routes: mailboxRoutes(mailbox), smtp: createSmtpServer(mailbox) }
}
