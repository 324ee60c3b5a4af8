/** Mailer: one mail over SMTP, and what became of it. */
import { createTransport, type Transporter } from 'nodemailer'
import type { MailConfig } from '../../config/mail.ts'
import type { MailOutcome } from '../../store/outbox/mail-claims.ts'
import type { DrawnMail } from './draw-mail.ts'
import { oneLine } from './mail-blocks.ts'

export interface Letter extends DrawnMail {
  /** Of the row: whoever receives the same mail twice can tell. */
  readonly messageId: string
  readonly recipient: string
  /** Whose name stands beside the sender's address. */
  readonly senderName: string
  /** Null where an answer has nowhere to go. */
  readonly replyTo: string | null
  readonly locale: string
  readonly sentAt: number
}

export interface Mailer {
  /** Whether nothing leaves this machine: the sandbox's mailbox takes every mail, to whomever. */
  readonly isSandbox: boolean
  /** Never rejects: a mail server that cannot be reached is an outcome. */
  send(letter: Letter): Promise<MailOutcome>
}

const CONNECTION_TIMEOUT_MS = 10_000
const SILENCE_TIMEOUT_MS = 15_000

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

const transportOf = ({ host, port, tls, login, from, dkim }: MailConfig, silenceMs: number): Transporter =>
  createTransport({
    host,
    port,
    secure: tls === 'from the start',
    // Without this a server in between that hides STARTTLS would read every mail and the password.
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'none',
    tls: { minVersion: 'TLSv1.2' },
    ...(login === null ? {} : { auth: { user: login.user, pass: login.password } }),
    ...(dkim === null
      ? {}
      : { dkim: { domainName: domainOf(from), keySelector: dkim.selector, privateKey: dkim.privateKey } }),
    name: domainOf(from),
    connectionTimeout: Math.min(CONNECTION_TIMEOUT_MS, silenceMs),
    greetingTimeout: Math.min(CONNECTION_TIMEOUT_MS, silenceMs),
    dnsTimeout: Math.min(CONNECTION_TIMEOUT_MS, silenceMs),
    socketTimeout: silenceMs,
    // Nothing in a mail may make this server read a file or fetch an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  })

const factOf = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined

/** Faults of this one mail; all others (login, TLS, no connection) are the operator's, and every mail waits for the mend. */
const OF_THE_MAIL: readonly unknown[] = ['EENVELOPE', 'EMESSAGE']

/** The status of the server's answer and nothing else of it: servers quote the recipient. */
const statusIn = (response: string): string => /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response)?.[0] ?? 'no status'

const outcomeOfError = (error: unknown): MailOutcome => {
  const [code, status, response] = [factOf(error, 'code'), factOf(error, 'responseCode'), factOf(error, 'response')]
  const answer =
    typeof response === 'string' ? statusIn(response) : typeof code === 'string' ? code : 'the mail library failed'
  const isAnswered = typeof status === 'number'
  const isForever = OF_THE_MAIL.includes(code) && (!isAnswered || status >= 500)
  return { outcome: isForever ? 'refused' : 'later', answer }
}

/** Longer than any subject of ours: a word that fills a line alone would be longer than the 998 signs that servers take. */
const HEADER_SIGNS_MAX = 300

/**
 * What a header may not hold: a break would begin the next one, which the library folds away too; and an encoded word, which
 * a reader's program would decode, with whatever breaks are in it.
 */
const headerText = (text: string): string => {
  const signs = Array.from(oneLine(text).replaceAll('=?', '= ?'))
  return signs.length <= HEADER_SIGNS_MAX ? signs.join('') : `${signs.slice(0, HEADER_SIGNS_MAX).join('')}…`
}

/** Whether the mail server can be reached, with TLS and login; if not, why in a word. No mail is sent. */
export const verifyMailServer = async (config: MailConfig, silenceMs: number): Promise<string | null> => {
  try {
    await transportOf(config, silenceMs).verify()
    return null
  } catch (error) {
    return outcomeOfError(error).answer
  }
}

/** `silenceMs`: how long the mail server may say nothing. */
export const createMailer = (config: MailConfig, silenceMs = SILENCE_TIMEOUT_MS): Mailer => {
  const transport = transportOf(config, silenceMs)
  return {
    isSandbox: config.isSandbox,
    send: async ({ subject, text, html, messageId, recipient, senderName, replyTo, locale, sentAt }) => {
      const name = headerText(senderName)
      try {
        const { response } = await transport.sendMail({
          from: { name, address: config.from },
          // As an object: a text would be parsed, and one with a comma in it be two recipients.
          to: { name: '', address: recipient },
          ...(replyTo === null ? {} : { replyTo: { name, address: replyTo } }),
          subject: headerText(subject),
          text,
          html,
          messageId: `<${messageId}@${domainOf(config.from)}>`,
          date: new Date(sentAt),
          headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': locale },
          textEncoding: 'base64',
          xMailer: false,
        })
        return { outcome: 'sent', answer: statusIn(String(response)) }
      } catch (error) {
        return outcomeOfError(error)
      }
    },
  }
}
