import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import { field, itemsOf, mainArguments, makeTemporaryFolder } from '../testing/acquirer.ts'
import { EVENT_URL } from '../testing/three-ds.ts'

const CERTIFICATES = join(import.meta.dirname, '..', '..', 'proof', 'harness', 'certificates')
const fileOf = (name: string): string => join(CERTIFICATES, name)
const tlsArguments = (change: Record<string, string> = {}): string[] => {
  const files = { 'tls-certificate': 'server.pem', 'tls-key': 'server-key.pem', 'tls-client-ca': 'ca.pem', ...change }
  return ['--tls-port', '0', ...Object.entries(files).flatMap(([name, file]) => [`--${name}`, fileOf(file)])]
}

const startWithTls = async (t: TestContext): Promise<{ port: number; tlsPort: number }> => {
  const given = [...mainArguments(makeTemporaryFolder(t), 0, { 'request-log': 'on' }), ...tlsArguments()]
  const child = spawn(process.execPath, given, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  t.after(() => child.kill('SIGKILL'))
  const [message]: unknown[] = await once(child, 'message')
  return { port: Number(field(message, 'port')), tlsPort: Number(field(message, 'tlsPort')) }
}

const INIT_FIELDS = {
  acctNumber: '4242424242424242',
  merchantId: 'merchant-1',
  threeDSRequestorTransID: '7f9c3c6e-5a44-4b8b-9d0e-2f6c1f7a1b11',
  eventCallbackUrl: EVENT_URL,
}

interface ClientCertificate {
  readonly pfx?: Buffer
  readonly passphrase?: string
}

const postInit = (
  port: number,
  path: string,
  certificate: ClientCertificate,
): Promise<{ status: number; body: unknown }> =>
  new Promise((resolve, reject) => {
    const sending = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: 'POST',
        ca: readFileSync(fileOf('ca.pem')),
        headers: { 'AS-Merchant-Token': 'token-1' },
        ...certificate,
      },
      (response) => {
        text(response)
          .then((answer) => resolve({ status: response.statusCode ?? 0, body: JSON.parse(answer) }))
          .catch(reject)
      },
    )
    sending.once('error', reject)
    sending.end(JSON.stringify(INIT_FIELDS))
  })

const readClientCertificate = (name: string): ClientCertificate => ({
  pfx: readFileSync(fileOf(name)),
  passphrase: 'kaikei-test',
})

test('the API with mutual TLS answers only certificates of its authority', async (t) => {
  const { port, tlsPort } = await startWithTls(t)
  const path = '/api/v2/auth/brw/init'
  const { status, body } = await postInit(tlsPort, path, readClientCertificate('client.p12'))
  assert.equal(status, 200)
  assert.match(String(field(body, 'authUrl')), new RegExp(`^https://127\\.0\\.0\\.1:${tlsPort}/api/v2/auth/brw\\?`))
  assert.match(String(field(body, 'monUrl')), new RegExp(`^http://3ds-server\\.localhost:${port}/watch\\?`))
  const refusedInHandshake = { code: /^(ERR_SSL_\w+|ECONNRESET|EPIPE)$/ }
  await assert.rejects(postInit(tlsPort, path, readClientCertificate('other-client.p12')), refusedInHandshake)
  await assert.rejects(postInit(tlsPort, path, {}), refusedInHandshake)

  const log = await fetch(`http://127.0.0.1:${port}/three-ds/v1/requests`)
  const entries = itemsOf({ body: await log.json() })
  assert.equal(entries.length, 1)
  assert.equal(field(entries[0], 'merchantToken'), 'token-1')
  for (const other of ['/acquirer/v1/orders', '/acquirer/v1/orders/a/charge', '/three-ds/v1/requests', '/']) {
    assert.equal((await postInit(tlsPort, other, readClientCertificate('client.p12'))).status, 404, other)
  }
})

test('certificates that cannot be read or do not belong together end the sandbox with one line', (t) => {
  const run = (change: Record<string, string>): string => {
    const given = [...mainArguments(makeTemporaryFolder(t)), ...tlsArguments(change)]
    const { status, stderr } = spawnSync(process.execPath, given, { encoding: 'utf8' })
    assert.equal(status, 1)
    return stderr
  }
  assert.match(
    run({ 'tls-key': 'none.pem' }),
    /^sandbox: --tls-key \S+none\.pem cannot be read \([^\n]+\); give a PEM file\n$/,
  )
  assert.match(
    run({ 'tls-certificate': 'other-ca.pem' }),
    /^sandbox: --tls-certificate, --tls-key and --tls-client-ca cannot be used \([^\n]+\); give PEM files[^\n]*\n$/,
  )
})
