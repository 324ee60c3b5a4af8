import assert from 'node:assert/strict'
import { test } from 'node:test'
import { threeDSCredentialsFor } from './account-credentials.ts'

const configOf = (isSandbox: boolean, base: string) => ({
  publicBase: new URL(base),
  threeDS: {
    server: {
      apiUrl: new URL('http://127.0.0.1:3001'),
      merchantId: 'configured',
      merchantToken: 'configured-token',
      clientCertificate: null,
      caPath: null,
      timeoutMs: 1000,
      isSandbox,
    },
    messageDomains: [],
  },
})
const REAL = configOf(false, 'https://pay.example.com')
const OWN = { merchantId: 'tea-3ds', merchantToken: null }
const CONFIGURED = { merchantId: 'configured', merchantToken: 'configured-token' }
const accountOf = (mode: 'test' | 'live', own: typeof OWN | null, apiBase: string | null = null) => ({
  mode,
  own,
  apiBase,
})

test('a card is authenticated in the name of its merchant; in test mode one without an id has that of the configuration', () => {
  assert.deepEqual(threeDSCredentialsFor('live', accountOf('live', OWN), REAL), OWN)
  assert.deepEqual(threeDSCredentialsFor('test', accountOf('test', OWN), REAL), OWN)
  assert.deepEqual(threeDSCredentialsFor('test', accountOf('test', null), REAL), CONFIGURED)
  assert.deepEqual(threeDSCredentialsFor('test', null, REAL), CONFIGURED)
  assert.match(JSON.stringify(threeDSCredentialsFor('live', accountOf('live', null), REAL)), /no merchant id/)
  assert.match(JSON.stringify(threeDSCredentialsFor('live', null, REAL)), /no live account/)
  const none = { ...REAL, threeDS: { ...REAL.threeDS, server: null } }
  assert.match(JSON.stringify(threeDSCredentialsFor('test', null, none)), /no 3-D Secure server is configured/)
})

test('the sandbox authenticates a live card only where both our address and the acquirer’s are of this machine', () => {
  const [here, world] = [configOf(true, 'http://localhost:3000'), configOf(true, 'https://pay.example.com')]
  const double = 'http://127.0.0.1:3003/stripe'
  assert.deepEqual(threeDSCredentialsFor('live', accountOf('live', null, double), here), CONFIGURED)
  assert.deepEqual(threeDSCredentialsFor('live', accountOf('live', OWN, double), here), OWN)
  for (const [config, apiBase] of [
    [here, null],
    [here, 'https://api.stripe.com'],
    [here, 'https://localhost.example.com'],
    [world, double],
    [world, null],
  ] as const)
    assert.match(
      JSON.stringify(threeDSCredentialsFor('live', accountOf('live', OWN, apiBase), config)),
      /the sandbox authenticates no real cards/,
      `${config.publicBase.href} ${apiBase}`,
    )
  assert.deepEqual(threeDSCredentialsFor('test', null, world), CONFIGURED)
})
