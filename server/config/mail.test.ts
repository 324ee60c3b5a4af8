import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from './config.ts'
import { isMailAddress, type MailConfig } from './mail.ts'

type Environment = Record<string, string>

const mailOf = (env: Environment): MailConfig | null => {
  const reading = readConfig(env)
  return reading.ok ? reading.config.mail : assert.fail(reading.problem)
}
const problemOf = (env: Environment): string => {
  const reading = readConfig(env)
  return reading.ok ? assert.fail('accepted') : reading.problem
}
const FROM = { MAIL_FROM: 'receipts@example.com' }

test('in the sandbox mails go to its mailbox, outside it nowhere, and with SMTP_URL to that server', () => {
  assert.deepEqual([mailOf({})?.isSandbox, mailOf({})?.port], [true, 3002])
  assert.equal(mailOf({ SANDBOX: 'off' }), null)
  const named = mailOf({ SMTP_URL: 'smtps://user:p%40ss@smtp.example.com', ...FROM })
  assert.deepEqual(named, {
    host: 'smtp.example.com',
    port: 465,
    tls: 'from the start',
    login: { user: 'user', password: 'p@ss' },
    from: 'receipts@example.com',
    dkim: null,
    isSandbox: false,
  })
})

test('a mail server elsewhere must speak TLS; one on this machine need not', () => {
  const tlsOf = (url: string) => {
    const { tls, port } = mailOf({ SMTP_URL: url, ...FROM }) ?? assert.fail()
    return [tls, port]
  }
  assert.deepEqual(tlsOf('smtp://smtp.example.com'), ['required', 587])
  assert.deepEqual(tlsOf('smtp://smtp.example.com:25'), ['required', 25])
  assert.deepEqual(tlsOf('smtp://127.0.0.1:2525'), ['none', 2525])
  assert.deepEqual(tlsOf('smtp://[::1]:2525'), ['none', 2525])
  assert.deepEqual(tlsOf('smtps://localhost'), ['from the start', 465])
})

test('what cannot be read is refused in one line with the mend, and without the password', () => {
  const wrong: [url: string, hint: RegExp][] = [
    ['smtp.example.com', /^SMTP_URL cannot be read: set it to smtps:/],
    ['https://smtp.example.com', /^SMTP_URL cannot be read: set it to smtps:/],
    ['smtps://', /^SMTP_URL cannot be read/],
    ['smtps://u:hunter2@smtp.example.com/path', /^SMTP_URL has a path or options/],
    ['smtps://u:hunter2@smtp.example.com?pool=true', /^SMTP_URL has a path or options/],
    ['smtps://me@smtp.example.com', /^SMTP_URL has a user without a password/],
    ['smtps://me:100%@smtp.example.com', /write % as %25\.$/],
  ]
  for (const [url, hint] of wrong) {
    const problem = problemOf({ SMTP_URL: url, ...FROM })
    assert.match(problem, hint, url)
    assert.doesNotMatch(problem, /hunter2|\n/)
  }
})

test('MAIL_FROM is needed beside SMTP_URL, and is an address and nothing else', () => {
  const SMTP_URL = 'smtps://smtp.example.com'
  assert.match(problemOf({ SMTP_URL }), /^MAIL_FROM is not set: set it to/)
  for (const from of ['Tea <tea@example.com>', 'tea', 'a@b@c', 'tea@example.com, b@example.com', 'té@example.com'])
    assert.match(problemOf({ SMTP_URL, MAIL_FROM: from }), /^MAIL_FROM is ".*": set it to an address alone/)
})

test('an address has up to 64 characters before the @, and no break, comma or bracket', () => {
  assert.ok(isMailAddress(`${'a'.repeat(64)}@example.com`))
  assert.ok(!isMailAddress(`${'a'.repeat(65)}@example.com`))
  for (const text of ['', '@', 'a@', '@b', 'a b@c', 'a@b\r\nBcc: c@d', 'a@b,c@d', '<a@b>', 'a@-b..c'])
    assert.equal(isMailAddress(text), false, text)
})

test('the DKIM key is a private key in a file, with its selector', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'kaikei-dkim-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'key.pem')
  const pemOf = ({ privateKey }: { readonly privateKey: KeyObject }): string =>
    privateKey.export({ type: 'pkcs8', format: 'pem' })
  const pem = pemOf(generateKeyPairSync('rsa', { modulusLength: 2048 }))
  writeFileSync(path, pem)
  assert.deepEqual(mailOf({ DKIM_KEY: path, DKIM_SELECTOR: 'mail2026' })?.dkim, {
    selector: 'mail2026',
    privateKey: pem,
  })
  assert.match(problemOf({ DKIM_KEY: path }), /^DKIM_KEY and DKIM_SELECTOR belong together/)
  assert.match(problemOf({ DKIM_SELECTOR: 'a' }), /^DKIM_KEY and DKIM_SELECTOR belong together/)
  assert.match(problemOf({ DKIM_KEY: path, DKIM_SELECTOR: 'a b' }), /^DKIM_SELECTOR is "a b": set it to the label/)
  // The library signs with RSA alone: with another key every mail would fail.
  writeFileSync(path, pemOf(generateKeyPairSync('ed25519')))
  assert.match(problemOf({ DKIM_KEY: path, DKIM_SELECTOR: 'a' }), /set it to the path of a private RSA key/)
  writeFileSync(path, 'no key')
  for (const wrong of [path, join(folder, 'none')])
    assert.match(problemOf({ DKIM_KEY: wrong, DKIM_SELECTOR: 'a' }), /^DKIM_KEY is ".*": set it to the path of/)
})
