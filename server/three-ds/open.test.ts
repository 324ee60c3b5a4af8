import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'node:test'
import { testOrder } from '../../proof/harness/fake-active-server.ts'
import type { ThreeDSConfig } from '../config/three-ds.ts'
import { openThreeDSServer } from './open.ts'

type ConfiguredServer = NonNullable<ThreeDSConfig['server']>

const certificate = (name: string): string =>
  fileURLToPath(new URL(`../../proof/harness/certificates/${name}`, import.meta.url))

const server = {
  apiUrl: new URL('https://as.example.com:7443'),
  merchantId: 'm',
  merchantToken: null,
  clientCertificate: { path: certificate('client.p12'), passphrase: 'kaikei-test' },
  caPath: certificate('ca.pem'),
  timeoutMs: 1000,
  isSandbox: false,
}
const openedWith = async (more: Partial<ConfiguredServer>): Promise<string> => {
  const opened = await openThreeDSServer({ server: { ...server, ...more }, messageDomains: [] })
  return 'problem' in opened ? opened.problem : 'opened'
}

test('a certificate that its passphrase opens is accepted, with its certificate authority', async () => {
  assert.equal(await openedWith({}), 'opened')
})

test('without a 3-D Secure server no card can be authenticated', async () => {
  const opened = await openThreeDSServer({ server: null, messageDomains: [] })
  assert.ok('connectThreeDSServer' in opened)
  const server = opened.connectThreeDSServer(async () => assert.fail('nobody is asked'))
  assert.equal((await server.start(testOrder())).outcome, 'unavailable')
})

test('a wrong passphrase, a file that is missing and a file that is no certificate are named at start', async () => {
  const { path } = server.clientCertificate
  for (const clientCertificate of [
    { path, passphrase: 'wrong' },
    { path: certificate('missing.p12'), passphrase: 'kaikei-test' },
    { path: certificate('ca.pem'), passphrase: 'kaikei-test' },
  ])
    assert.match(
      await openedWith({ clientCertificate }),
      /^The 3-D Secure server cannot be set up \(.*THREE_DS_CLIENT_CERTIFICATE/s,
    )
  for (const caPath of ['missing.pem', 'README.md'])
    assert.match(await openedWith({ caPath: certificate(caPath) }), /THREE_DS_CA/)
})

test('an empty file of certificate authorities is refused: it would mean that all are trusted', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kaikei-ca-'))
  const caPath = join(folder, 'ca.pem')
  await writeFile(caPath, '')
  assert.match(await openedWith({ caPath }), /THREE_DS_CA/)
  await rm(folder, { recursive: true })
})

test('a token that no header can hold is named at start', async () => {
  assert.match(await openedWith({ merchantToken: 'a\nb' }), /THREE_DS_MERCHANT_TOKEN/)
  assert.equal(await openedWith({ merchantToken: 'tok_1' }), 'opened')
})
