import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test, type TestContext } from 'node:test'
import type { Call, Reply } from '../http/router.ts'
import { createMailbox, MAILS_KEPT, type Mailbox } from './mailbox.ts'
import { mailboxRoutes } from './mailbox-pages.ts'
import { createSmtpServer } from './smtp.ts'

const mailOf = (subject: string, body = '<p>Hello</p>'): Buffer =>
  Buffer.from(
    `From: Tea <tea@example.com>\r\nTo: taro@example.com\r\nSubject: ${subject}\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${body}\r\n`,
  )
const add = (mailbox: Mailbox, source: Buffer): void =>
  mailbox.add({ from: 'tea@example.com', recipients: ['taro@example.com'], source })

const call = (number = ''): Call => ({
  origin: 'http://localhost:3001',
  path: '',
  param: () => number,
  query: new URLSearchParams(),
  header: () => undefined,
  clientAddress: '',
  body: '',
  clientGone: new AbortController().signal,
})

const pageOf = async (mailbox: Mailbox, path: string, number = ''): Promise<Extract<Reply, { kind: 'html' }>> => {
  const route = mailboxRoutes(mailbox).find((each) => each.path === path)
  const reply = await route?.handle(call(number))
  return reply?.kind === 'html' ? reply : assert.fail('no page')
}

test('the mailbox keeps the last 200 mails, newest first, and forgets the oldest', () => {
  const mailbox = createMailbox(() => 0)
  for (let place = 1; place <= MAILS_KEPT; place += 1) add(mailbox, mailOf(String(place)))
  assert.equal(mailbox.find(1)?.number, 1)
  add(mailbox, mailOf('one more'))
  assert.deepEqual([mailbox.list().length, mailbox.list()[0]?.number, mailbox.find(1)], [200, 201, undefined])
})

test('a mail is shown as text; its HTML stands in a frame in which nothing can run or be fetched', async () => {
  const mailbox = createMailbox(() => 0)
  add(mailbox, mailOf('<script>alert(1)</script>', '<script>alert(2)</script><p>Hello</p>'))
  const list = await pageOf(mailbox, '/mailbox')
  const mail = await pageOf(mailbox, '/mailbox/:number', '1')
  for (const { markup } of [list, mail]) assert.doesNotMatch(markup, /<script>alert/)
  assert.match(mail.markup, /<iframe sandbox [^>]*src="\/mailbox\/1\/html"/)
  const frame = await pageOf(mailbox, '/mailbox/:number/html', '1')
  assert.match(frame.headers['Content-Security-Policy'] ?? '', /^sandbox; default-src 'none';/)
  assert.equal((await pageOf(mailbox, '/mailbox/:number', '2')).status, 404)
})

test('an empty mailbox says how a mail comes there', async () => {
  assert.match(
    (
      await pageOf(
        createMailbox(() => 0),
        '/mailbox',
      )
    ).markup,
    /No mail has come yet/,
  )
})

/** Speaks SMTP line by line, and answers what the server said to each. */
const converse = async (t: TestContext, mailbox: Mailbox, lines: readonly string[]): Promise<string[]> => {
  const server = createSmtpServer(mailbox)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  t.after(() => server.close())
  const address = server.server.address()
  const socket = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1')
  t.after(() => socket.destroy())
  const answers: string[] = []
  const next = async (): Promise<void> => {
    const [data] = (await once(socket, 'data')) as [Buffer]
    answers.push(data.toString().slice(0, 3))
  }
  await next()
  for (const line of lines) {
    socket.write(`${line}\r\n`)
    await next()
  }
  return answers
}

test('it speaks SMTP: a mail for two recipients of whom one is refused is kept for the other', async (t) => {
  const mailbox = createMailbox(() => 0)
  const answers = await converse(t, mailbox, [
    'HELO me',
    'MAIL FROM:<tea@example.com>',
    'RCPT TO:<refuse@example.com>',
    'RCPT TO:<later@example.com>',
    'RCPT TO:<taro@example.com>',
    'DATA',
    'Subject: Hello\r\n\r\nHello\r\n.',
  ])
  assert.deepEqual(answers, ['220', '250', '250', '550', '451', '250', '354', '250'])
  assert.deepEqual(mailbox.list()[0]?.recipients, ['taro@example.com'])
})

test('it offers neither a login nor TLS', async (t) => {
  assert.deepEqual(
    await converse(
      t,
      createMailbox(() => 0),
      ['HELO me', 'STARTTLS', 'AUTH PLAIN AG1lAG1l'],
    ),
    ['220', '250', '500', '500'],
  )
})
