import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '#contract/jst.ts'
import { createInstallationWatch } from './installation-watch.ts'
import type { CertificateFacts } from './network.ts'

const NOW = Date.parse('2026-11-18T00:00:00Z')

const watchWith = (certificate: CertificateFacts | Error, more: object = {}) =>
  createInstallationWatch({
    clock: { now: () => NOW, sleep: async () => undefined },
    clockCheck: { isConfirmed: () => true, differenceMs: () => 0 },
    writeProbe: { takesWrites: async () => true, refuseWhileFull: () => undefined },
    publicBase: new URL('https://pay.example.com'),
    skewMs: () => null,
    network: {
      resolve: async () => ['192.0.2.1'],
      certificate: async () => {
        if (certificate instanceof Error) throw certificate
        return certificate
      },
    },
    ...more,
  })

const TRUSTED = { untrusted: null, validTo: NOW + 60 * DAY_MS }

test('an operator is warned of a certificate that ends within two weeks, or that a browser refuses', async () => {
  const warnings = async (facts: CertificateFacts | Error) => {
    const watch = watchWith(facts)
    assert.deepEqual(await watch.warnings(), [])
    await watch.look()
    return watch.warnings()
  }
  assert.deepEqual(await warnings(TRUSTED), [])
  assert.deepEqual(await warnings({ untrusted: null, validTo: NOW + 13 * DAY_MS }), [
    { kind: 'certificate_expires', host: 'pay.example.com', validTo: '2026-12-01T00:00:00.000Z' },
  ])
  assert.deepEqual(await warnings({ ...TRUSTED, untrusted: 'CERT_HAS_EXPIRED' }), [
    { kind: 'certificate_refused', host: 'pay.example.com', why: 'CERT_HAS_EXPIRED' },
  ])
  assert.deepEqual(await warnings(new Error('unreachable')), [], 'a server behind a router may not reach itself')
})

test('an operator is warned of a clock that nobody confirms or that is too far off, and of a database that takes no writes', async () => {
  const watch = watchWith(TRUSTED, {
    clockCheck: { isConfirmed: () => false },
    writeProbe: { takesWrites: async () => false, refuseWhileFull: () => undefined },
    skewMs: () => 9000,
  })
  assert.deepEqual(await watch.warnings(), [
    { kind: 'database_not_writable' },
    { kind: 'clock_not_confirmed' },
    { kind: 'clock_skew', aheadMs: 9000 },
  ])
  assert.deepEqual(await watchWith(TRUSTED, { skewMs: () => 10 }).warnings(), [])
})
