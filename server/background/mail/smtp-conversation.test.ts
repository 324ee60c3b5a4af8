import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { after, before, test, type TestContext } from 'node:test'
import PostalMime from 'postal-mime'
import { PAGE_LOCALES } from '#contract/locale.ts'
import { SMTPServer } from 'smtp-server'
import { listenDuring } from '../../../proof/harness/end-server.ts'
import { sampleMails } from '../../../proof/harness/sample-mails.ts'
import { startSandbox, type SandboxMail, type SandboxProcess } from '../../../proof/harness/sandbox-process.ts'
import type { MailConfig } from '../../config/mail.ts'
import { MERCHANT_SETTINGS } from '../../../proof/harness/test-merchants.ts'
import type { ClaimedShopperMail } from '../../store/outbox/mail-claims.ts'
import { createMailer, verifyMailServer, type Letter } from './mailer.ts'
import { letterOf, type Sending } from './send-mail.ts'

const NOW = Date.parse('2026-11-22T12:00:00+09:00')

const configOf = (port: number, more: Partial<MailConfig> = {}): MailConfig => ({
  host: '127.0.0.1',
  port,
  tls: 'none',
  login: null,
  from: 'receipts@pay.example.com',
  dkim: null,
  isSandbox: true,
  ...more,
})

const claimed = (more: Partial<ClaimedShopperMail> = {}): ClaimedShopperMail => ({
  to: 'shopper',
  merchantId: 'm1',
  mailId: 'c1.receipt',
  checkoutId: 'c1',
  kind: 'receipt',
  locale: 'ja_JP',
  recipient: 'taro@example.com',
  facts: {
    kind: 'receipt',
    mode: 'test',
    amountYen: 1980,
    subject: '煎茶 100g',
    card: { brand: 'visa', lastFour: '4242' },
    transactionId: 'txn_1',
    paidAt: NOW,
    invoice: null,
  },
  tries: 1,
  createdAt: NOW,
  ...more,
})

const sendingOf = (shop: Sending['shop']): Sending => ({
  shop,
  publicBase: new URL('http://localhost:3000'),
  sentAt: NOW,
  token: 'a'.repeat(32),
})

const letter = (
  mail: Partial<ClaimedShopperMail> = {},
  shop: Partial<typeof MERCHANT_SETTINGS.receipt> = {},
): Letter => {
  const settings = { ...MERCHANT_SETTINGS, receipt: { ...MERCHANT_SETTINGS.receipt, ...shop } }
  return letterOf(claimed(mail), sendingOf({ label: 'tea', settings }))
}

let sandbox: SandboxProcess
before(async () => {
  sandbox = await startSandbox()
})
after(() => sandbox.stop())

/** A TCP server that does this with each connection. */
const openServer = async (t: TestContext, onConnection: (server: Server) => void): Promise<number> => {
  const server = createServer()
  onConnection(server)
  return listenDuring(t, server)
}

/** All at once, for the mail server keeps each waiting for a tenth of a second. What arrived is found by its Message-ID. */
const sendAll = async (letters: readonly Letter[]): Promise<(letter: Letter) => SandboxMail> => {
  const mailer = createMailer(configOf(sandbox.mailboxPort))
  for (const { outcome, answer } of await Promise.all(letters.map((each) => mailer.send(each))))
    assert.deepEqual([outcome, answer], ['sent', '250 2.0.0'])
  const received = await sandbox.mails()
  return ({ messageId }) =>
    received.find(({ source }) => source.includes(`Message-ID: <${messageId}@`)) ?? assert.fail(messageId)
}

const SHOP = { label: 'tea', settings: MERCHANT_SETTINGS }

test('every kind of mail in six languages comes back from another library’s reading byte for byte', async () => {
  const letters = PAGE_LOCALES.flatMap((locale) =>
    [...sampleMails(locale).values()].map((mail) => letterOf(mail, sendingOf(SHOP))),
  )
  const receivedOf = await sendAll(letters)
  for (const sent of letters) {
    const { source, recipients } = receivedOf(sent)
    const read = await PostalMime.parse(source)
    const [text, html] = [read.text, read.html].map((body) => body?.replaceAll('\r\n', '\n'))
    const language = read.headers.find(({ key }) => key === 'content-language')?.value
    assert.deepEqual([read.subject, text, html, language], [sent.subject, sent.text, sent.html, sent.locale])
    assert.deepEqual([read.from?.name, read.from?.address], [sent.senderName, 'receipts@pay.example.com'])
    assert.deepEqual(read.replyTo?.map(({ address }) => address) ?? [], sent.replyTo === null ? [] : [sent.replyTo])
    assert.deepEqual([read.to?.map(({ address }) => address), recipients], [[sent.recipient], [sent.recipient]])
    assert.ok(
      source.split('\r\n').every((line) => line.length <= 200 && /^[\t\x20-\x7e]*$/.test(line)),
      'plain ASCII in short lines',
    )
  }
})

test('a mail to a shop comes from the server and not from the shop itself, and is answered to nobody', async () => {
  const mail = sampleMails('ja').get('endpoint-in-two-languages') ?? assert.fail()
  const sent = {
    ...letterOf(mail, { ...sendingOf(SHOP), publicBase: new URL('https://pay.example.com') }),
    messageId: 'to-a-shop',
  }
  const { from, to, replyTo } = await PostalMime.parse((await sendAll([sent]))(sent).source)
  assert.deepEqual(
    [from?.name, from?.address, to?.map(({ address }) => address), replyTo],
    ['pay.example.com', 'receipts@pay.example.com', ['shop@example.com'], undefined],
  )
})

const INJECTIONS = [
  'Tea\r\nBcc: thief@example.com',
  'Tea\nX-Injected: yes',
  'Tea\rX-Injected: yes',
  'Tea\r\n\r\n<html>another body',
  'Tea\u2028Bcc: thief@example.com',
  'Tea\u2029Bcc: thief@example.com',
  'Tea\u0085Bcc: thief@example.com',
  'Tea\u0000\u000b\u000cBcc: thief@example.com',
  'Tea" <thief@example.com>, "',
  'Tea <thief@example.com>',
  'Tea, thief@example.com',
  'Tea; thief@example.com',
  'Group: thief@example.com;',
  'Tea\\" thief@example.com',
  '(thief@example.com) Tea',
  '=?utf-8?B?VGVhDQpCY2M6IHRoaWVmQGV4YW1wbGUuY29t?=',
  '=?utf-8?Q?Tea=0D=0ABcc:_thief@example.com?=',
  '\u202emoc.elpmaxe@feiht\u202c \u2066Tea\u2069',
  '\ud800 alone \udc00',
  `Tea ${'あ'.repeat(300)}`,
  'A'.repeat(1200),
  `${'word '.repeat(300)}Bcc: thief@example.com`,
  '. \r\n.\r\nRCPT TO:<thief@example.com>',
]

/** RFC 5322, without the line break. */
const LINE_MAX = 998

/** What was sent, read by another library: no header more than usual, nobody else as recipient, and no line too long. */
const assertUnharmed = async ({ source, recipients }: SandboxMail, usual: readonly string[]): Promise<void> => {
  assert.deepEqual(recipients, ['taro@example.com'])
  assert.ok(source.split('\r\n').every((line) => line.length <= LINE_MAX && /^[\t\x20-\x7e]*$/.test(line)))
  const read = await PostalMime.parse(source)
  assert.deepEqual([read.bcc, read.cc, read.to?.length], [undefined, undefined, 1])
  assert.deepEqual([read.from?.address, read.to?.[0]?.address], ['receipts@pay.example.com', 'taro@example.com'])
  // What a reader sees is one line, and in the order in which it was written.
  for (const shown of [read.subject ?? '', read.from?.name ?? '', ...(read.replyTo ?? []).map(({ name }) => name)])
    assert.doesNotMatch(shown, /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u)
  assert.deepEqual(
    read.headers.map(({ key }) => key),
    usual,
  )
}

const headersOf = async ({ source }: SandboxMail): Promise<string[]> =>
  (await PostalMime.parse(source)).headers.map(({ key }) => key)

test('hostile names, subjects and addresses add no header and no recipient, and no line is longer than a server takes', async () => {
  const usual = letter({ mailId: 'usual' })
  const hostile = INJECTIONS.map((text, place) => ({
    ...letter(
      { mailId: `hostile ${place}`, facts: { ...claimed().facts, subject: text } },
      { shopName: text, shopAddress: text },
    ),
    subject: text,
  }))
  const receivedOf = await sendAll([usual, ...hostile])
  const headers = await headersOf(receivedOf(usual))
  for (const sent of hostile) await assertUnharmed(receivedOf(sent), headers)
})

test('a shop’s address that is not one address and nothing else is no Reply-To', async () => {
  const usual = letter({ mailId: 'no address' }, { shopEmail: '' })
  const addresses = [...INJECTIONS, 'shop@example.com, thief@example.com', 'shop@example.com\r\nBcc: a@b.example']
  const hostile = addresses.map((shopEmail, place) => letter({ mailId: `address ${place}` }, { shopEmail }))
  const receivedOf = await sendAll([usual, ...hostile])
  const headers = await headersOf(receivedOf(usual))
  assert.ok(!headers.includes('reply-to'))
  for (const sent of hostile) await assertUnharmed(receivedOf(sent), headers)
})

test('a recipient that is more than one address is refused, or is one address; nobody else ever gets the mail', async () => {
  const mailer = createMailer(configOf(sandbox.mailboxPort))
  const recipients = [
    ...INJECTIONS,
    'taro@example.com, thief@example.com',
    'taro@example.com; thief@example.com',
    'taro@example.com thief@example.com',
    'taro@example.com\r\nRCPT TO:<thief@example.com>',
    'taro@example.com>\r\nRCPT TO:<thief@example.com',
    '"taro@example.com" <thief@example.com',
    'taro@example.com\u2028thief@example.com',
    'Group: thief@example.com;',
    `${'a'.repeat(1000)}@example.com`,
    '',
  ]
  await Promise.all(recipients.map((recipient) => mailer.send(letter({ recipient }))))
  const reached = (await sandbox.mails()).flatMap((mail) => mail.recipients)
  assert.ok(!reached.includes('thief@example.com'))
})

test('a mail server that answers is well, and one that is away is told by a word; no mail is sent', async () => {
  const before = await sandbox.mails()
  assert.equal(await verifyMailServer(configOf(sandbox.mailboxPort), 1000), null)
  assert.equal(await verifyMailServer(configOf(1), 1000), 'ESOCKET')
  assert.deepEqual(await sandbox.mails(), before)
})

test('5xx about the recipient ends a mail, 4xx puts it off, and the answer that is kept does not name the recipient', async () => {
  const mailer = createMailer(configOf(sandbox.mailboxPort))
  assert.deepEqual(await mailer.send(letter({ recipient: 'refuse@example.com' })), {
    outcome: 'refused',
    answer: '550 5.1.1',
  })
  assert.deepEqual(await mailer.send(letter({ recipient: 'later@example.com' })), {
    outcome: 'later',
    answer: '451 4.7.1',
  })
})

test('a server that falls silent puts the mail off when its time is up', async () => {
  const mailer = createMailer(configOf(sandbox.mailboxPort), 300)
  const { outcome } = await mailer.send(letter({ recipient: 'silent@example.com' }))
  assert.equal(outcome, 'later')
})

test('no connection, a closed connection and a silent port put the mail off', async (t) => {
  const closed = await openServer(t, (server) => server.on('connection', (socket) => socket.destroy()))
  const silent = await openServer(t, (server) => server.on('connection', (socket) => t.after(() => socket.destroy())))
  for (const port of [1, closed, silent])
    assert.equal((await createMailer(configOf(port), 300).send(letter())).outcome, 'later', String(port))
})

test('a server without TLS gets no mail where TLS is required, and the mail waits', async () => {
  const before = await sandbox.mails()
  for (const tls of ['required', 'from the start'] as const)
    assert.equal((await createMailer(configOf(sandbox.mailboxPort, { tls }), 1000).send(letter())).outcome, 'later')
  assert.deepEqual(await sandbox.mails(), before)
})

test('a server whose certificate nobody vouches for gets no mail, and the mail waits', async (t) => {
  let taken = 0
  // It comes with a certificate that it has signed itself.
  const server = new SMTPServer({ logger: false, disabledCommands: ['AUTH'], onData: () => (taken += 1) })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  t.after(() => server.close())
  const { port } = server.server.address() as AddressInfo
  const { outcome } = await createMailer(configOf(port, { tls: 'required' }), 1000).send(letter())
  assert.deepEqual([outcome, taken], ['later', 0])
})

test('a login that is refused puts every mail off: it is the operator who must mend it', async (t) => {
  const port = await openServer(t, (server) =>
    server.on('connection', (socket) => {
      socket.write('220 here\r\n')
      socket.on('data', (data) => {
        const line = data.toString()
        if (line.startsWith('EHLO')) socket.write('250-here\r\n250 AUTH PLAIN\r\n')
        else socket.write(line.startsWith('AUTH') ? '535 5.7.8 wrong\r\n' : '250 ok\r\n')
      })
    }),
  )
  const login = { user: 'me', password: 'wrong' }
  assert.deepEqual(await createMailer(configOf(port, { login }), 10_000).send(letter()), {
    outcome: 'later',
    answer: '535 5.7.8',
  })
})

test('with a DKIM key the mail is signed for the domain it comes from', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' })
  const dkim = { selector: 'mail2026', privateKey: pem }
  await createMailer(configOf(sandbox.mailboxPort, { dkim })).send(letter())
  const [received] = await sandbox.mails()
  const signature = (await PostalMime.parse(received?.source ?? '')).headers.find(({ key }) => key === 'dkim-signature')
  assert.match(signature?.value ?? '', /d=pay\.example\.com;[^]*s=mail2026;/)
})
