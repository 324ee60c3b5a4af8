import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { readConfig } from './config.ts'
import type { ThreeDSConfig } from './three-ds.ts'

type Environment = Record<string, string>

const threeDSOf = (env: Environment): ThreeDSConfig => {
  const reading = readConfig(env)
  if (!reading.ok) assert.fail(reading.problem)
  return reading.config.threeDS
}
const problemOf = (env: Environment): string => {
  const reading = readConfig(env)
  if (reading.ok) assert.fail(`${JSON.stringify(env)} was accepted`)
  return reading.problem
}

const REAL = {
  SANDBOX: 'off',
  PUBLIC_BASE: 'https://pay.example.com',
  THREE_DS_API_URL: 'https://api.as.example.com:7443',
  THREE_DS_MERCHANT_ID: '123456789012345',
  THREE_DS_CLIENT_CERTIFICATE: 'secrets/client.p12',
  THREE_DS_CLIENT_PASSPHRASE: 'secret words',
  THREE_DS_CA: 'secrets/ca.pem',
  THREE_DS_MERCHANT_TOKEN: 'token-1',
}

test('a 3-D Secure server is named with its certificate, its authority, its merchant and its token', () => {
  assert.deepEqual(threeDSOf(REAL), {
    server: {
      apiUrl: new URL('https://api.as.example.com:7443'),
      merchantId: '123456789012345',
      merchantToken: 'token-1',
      clientCertificate: { path: resolve('secrets/client.p12'), passphrase: 'secret words' },
      caPath: resolve('secrets/ca.pem'),
      timeoutMs: 10_000,
      isSandbox: false,
    },
    messageDomains: ['https://3ds.pay.example.com'],
  })
})

test('without the sandbox and without an address there is no 3-D Secure server', () => {
  assert.equal(threeDSOf({ SANDBOX: 'off' }).server, null)
})

test('card numbers travel to a 3-D Secure server over TLS with a certificate of ours, or stay on this machine', () => {
  assert.match(problemOf({ ...REAL, THREE_DS_API_URL: 'http://api.as.example.com' }), /^THREE_DS_API_URL.*https:/)
  assert.match(problemOf({ ...REAL, THREE_DS_CLIENT_CERTIFICATE: '' }), /^THREE_DS_CLIENT_CERTIFICATE is not set/)
  for (const host of ['127.0.0.1:3001', '[::1]:3001', 'localhost:3001']) {
    const local = { ...REAL, THREE_DS_API_URL: `http://${host}`, THREE_DS_CLIENT_CERTIFICATE: '' }
    assert.equal(threeDSOf(local).server?.clientCertificate, null)
  }
})

test('the address of a 3-D Secure server is an origin alone', () => {
  for (const rest of ['/api', '/?a=b', '/#x'])
    assert.match(problemOf({ ...REAL, THREE_DS_API_URL: `https://as.example.com${rest}` }), /^THREE_DS_API_URL/)
  assert.match(problemOf({ ...REAL, THREE_DS_API_URL: 'as.example.com' }), /^THREE_DS_API_URL/)
})

test('a merchant id has 1 to 35 characters', () => {
  assert.equal(threeDSOf({ ...REAL, THREE_DS_MERCHANT_ID: 'a' }).server?.merchantId, 'a')
  assert.equal(threeDSOf({ ...REAL, THREE_DS_MERCHANT_ID: 'a'.repeat(35) }).server?.merchantId, 'a'.repeat(35))
  for (const id of ['', 'a'.repeat(36)])
    assert.match(problemOf({ ...REAL, THREE_DS_MERCHANT_ID: id }), /^THREE_DS_MERCHANT_ID/)
})

test('the timeout of a 3-D Secure call is accepted from one end of its range to the other', () => {
  for (const ms of ['100', '15000'])
    assert.equal(threeDSOf({ ...REAL, THREE_DS_TIMEOUT_MS: ms }).server?.timeoutMs, Number(ms))
  for (const ms of ['99', '15001', 'soon'])
    assert.match(problemOf({ ...REAL, THREE_DS_TIMEOUT_MS: ms }), /^THREE_DS_TIMEOUT_MS/)
})

test('messages are accepted from one or two hosts, with the scheme of the page', () => {
  const domains = (hosts: string): readonly string[] =>
    threeDSOf({ ...REAL, THREE_DS_MESSAGE_DOMAINS: hosts }).messageDomains
  assert.deepEqual(domains('3ds.pay.example.com'), ['https://3ds.pay.example.com'])
  assert.deepEqual(domains('3DS.pay.example.com, auth.example.net:8443'), [
    'https://3ds.pay.example.com',
    'https://auth.example.net:8443',
  ])
  assert.match(problemOf({ ...REAL, THREE_DS_MESSAGE_DOMAINS: 'a.b,c.d,e.f' }), /at most 2/)
  for (const wrong of ['https://a.b', 'a b.c', 'localhost', 'a.b/c', 'a.b,', '999.999.999.999', 'a.b:99999'])
    assert.match(problemOf({ ...REAL, THREE_DS_MESSAGE_DOMAINS: wrong }), /^THREE_DS_MESSAGE_DOMAINS holds/)
})

test('a list that leaves out the bridge is refused: the page would accept no message', () => {
  assert.match(
    problemOf({ ...REAL, THREE_DS_MESSAGE_DOMAINS: 'auth.example.net' }),
    /leaves out 3ds\.pay\.example\.com/,
  )
})

test('a host at or above the merchants’ own is refused: messages of their pages would be accepted as the bridge’s', () => {
  for (const host of ['pay.example.com', 'example.com'])
    assert.match(problemOf({ ...REAL, THREE_DS_MESSAGE_DOMAINS: host }), /all merchants live/)
})

test('the sandbox’s 3-D Secure server is known as such, also by its address', () => {
  assert.equal(threeDSOf({}).server?.isSandbox, true)
  const local = { THREE_DS_MERCHANT_ID: 'm', SANDBOX_PORT: '3001' }
  assert.equal(threeDSOf({ ...local, THREE_DS_API_URL: 'http://127.0.0.1:3001' }).server?.isSandbox, true)
  assert.equal(threeDSOf({ ...local, THREE_DS_API_URL: 'http://127.0.0.1:7443' }).server?.isSandbox, false)
})
