/** SMTP server of the sandbox: takes every mail, sends none on, and does what a scripted recipient says. */
import { SMTPServer } from 'smtp-server'
import type { Mailbox } from './mailbox.ts'

/** Recipients whose name decides what the mail server answers, like the cards that decline. */
export const SCRIPTED_RECIPIENTS = {
  refuse: 'the mail server knows no such recipient (550)',
  later: 'the mail server asks to try again later (451)',
  silent: 'the mail server never answers',
} as const
type ScriptedName = keyof typeof SCRIPTED_RECIPIENTS

const isScripted = (name: string): name is ScriptedName => Object.hasOwn(SCRIPTED_RECIPIENTS, name)

const scriptedNameOf = (address: string): ScriptedName | undefined => {
  const [name = ''] = address.split('@', 1)
  return isScripted(name) ? name : undefined
}

const answerOf = (code: number, text: string): Error => Object.assign(new Error(text), { responseCode: code })

const MAIL_MAX_BYTES = 1024 * 1024
const IDLE_TIMEOUT_MS = 60_000
const CLOSE_TIMEOUT_MS = 100

export const createSmtpServer = (mailbox: Mailbox): SMTPServer => {
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    banner: 'Kaikei sandbox',
    size: MAIL_MAX_BYTES,
    socketTimeout: IDLE_TIMEOUT_MS,
    closeTimeout: CLOSE_TIMEOUT_MS,
    disableReverseLookup: true,
    onRcptTo: ({ address }, _session, answer) => {
      const name = scriptedNameOf(address)
      if (name === 'silent') return
      if (name === 'refuse') answer(answerOf(550, `5.1.1 <${address}> is unknown here`))
      else if (name === 'later') answer(answerOf(451, '4.7.1 Please try again later'))
      else answer()
    },
    onData: (stream, session, answer) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.once('end', () => {
        if (stream.sizeExceeded) return answer(answerOf(552, '5.3.4 Message too big'))
        mailbox.add({
          from: session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address,
          recipients: session.envelope.rcptTo.map(({ address }) => address),
          source: Buffer.concat(parts),
        })
        answer(null, '2.0.0 taken')
      })
    },
  })
  // Without a listener a client that hangs up in the middle of a sentence would end the sandbox.
  server.on('error', () => undefined)
  return server
}
