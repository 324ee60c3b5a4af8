import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import type { MailConfig } from '../../config/mail.ts'
import { judgeDkim, judgeDmarc, judgeSpf, mailChecks, type MailOutside } from './mail-checks.ts'

const privateKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
})
const published = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64')
const dkim = { selector: 'mail2026', privateKey }

const MAIL: MailConfig = {
  host: 'smtp.example.com',
  port: 465,
  tls: 'from the start',
  login: null,
  from: 'receipts@pay.example.com',
  dkim,
  isSandbox: false,
}

/** A resolver of our own: these names, and no others. */
const outsideOf = (names: Readonly<Record<string, readonly string[]>>, why: string | null = null): MailOutside => ({
  verify: async () => why,
  textRecords: async (name) => names[name] ?? [],
})
const reportOf = async (mail: MailConfig | null, outside: MailOutside): Promise<string[]> =>
  Promise.all(mailChecks({ mail }, outside).map(async ({ name, look }) => `${name} ${(await look()).state}`))

const GOOD = {
  'pay.example.com': ['v=spf1 include:_spf.example.com -all', 'something else'],
  'mail2026._domainkey.pay.example.com': [`v=DKIM1; k=rsa; p=${published}`],
  '_dmarc.pay.example.com': ['v=DMARC1; p=reject'],
}

test('a domain that says who may send for it, with which key, and what to do with others is well', async () => {
  assert.deepEqual(await reportOf(MAIL, outsideOf(GOOD)), ['mail server ok', 'SPF ok', 'DKIM ok', 'DMARC ok'])
})

test('a domain that says nothing is warned of, and a key that nobody can look up fails', async () => {
  assert.deepEqual(await reportOf(MAIL, outsideOf({}, '535 5.7.8')), [
    'mail server fail',
    'SPF warn',
    'DKIM fail',
    'DMARC warn',
  ])
  assert.equal((await reportOf({ ...MAIL, dkim: null }, outsideOf({})))[2], 'DKIM warn')
})

test('the policy of the domain above holds, up to the last that can have one', async () => {
  const above = { ...GOOD, '_dmarc.pay.example.com': [], '_dmarc.example.com': ['v=DMARC1; p=quarantine'] }
  assert.equal((await reportOf(MAIL, outsideOf(above)))[3], 'DMARC ok')
  const top = { ...GOOD, '_dmarc.pay.example.com': [], '_dmarc.com': ['v=DMARC1; p=reject'] }
  assert.equal((await reportOf(MAIL, outsideOf(top)))[3], 'DMARC warn')
})

test('SPF: two records count as none, and one that lets everybody send is worse than none', () => {
  const stateOf = (...records: string[]) => judgeSpf('example.com', records).state
  assert.equal(stateOf('v=spf1 mx ~all'), 'ok')
  assert.equal(stateOf('v=spf1 mx -all', 'v=spf1 -all'), 'fail')
  assert.equal(stateOf('v=spf1 +all'), 'fail')
  assert.equal(stateOf('v=spf1 all'), 'fail')
  assert.equal(stateOf('v=spf10 -all'), 'warn')
})

test('DKIM: the published key must be the one that signs, however it is broken into lines', () => {
  const stateOf = (...records: string[]) => judgeDkim(dkim, 'x', records).state
  assert.equal(stateOf(`v=DKIM1; p=${published.slice(0, 100)} ${published.slice(100)}; t=s`), 'ok')
  assert.equal(stateOf('v=DKIM1; p='), 'fail')
  assert.equal(stateOf(`v=DKIM1; p=${published.slice(1)}`), 'fail')
})

test('DMARC: a policy that only watches is warned of', () => {
  assert.equal(judgeDmarc('example.com', ['v=DMARC1; p=none; rua=mailto:a@example.com']).state, 'warn')
  assert.equal(judgeDmarc('example.com', ['v=DMARC1;p=reject']).state, 'ok')
  assert.equal(judgeDmarc('example.com', ['v=DMARC1; sp=reject']).state, 'warn')
})

test('in the sandbox only its mailbox is looked at, and without a mail server that is said', async () => {
  assert.deepEqual(await reportOf({ ...MAIL, isSandbox: true }, outsideOf({})), ['mail server ok'])
  assert.deepEqual(await reportOf(null, outsideOf({})), ['mail server warn'])
})
