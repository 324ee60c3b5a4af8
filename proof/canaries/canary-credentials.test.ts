import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { createCredentials, secretsOf } from './canary-credentials.ts'
import { watchProcesses } from './processes.ts'
import { createScanner } from './scanner.ts'
import { textOutput } from './server-outputs.ts'

const credentials = createCredentials()
const SECRET_KEY = '0123456789abcdef'.repeat(4)
const secrets = secretsOf(credentials, SECRET_KEY, /, secret-key$/)
const scanner = createScanner([], secrets)
const foundIn = (text: string, place = 'logs'): (string | undefined)[] => [
  ...new Set(scanner.scan(textOutput(place, text)).map(({ around }) => around)),
]

const LEAKS: Readonly<Record<string, (secret: string) => string>> = {
  plain: (secret) => secret,
  'in a header of a request': (secret) => `authorization: Bearer ${secret}\r\n`,
  'as JSON in JSON': (secret) => JSON.stringify(JSON.stringify({ apiKey: secret })),
  'its first half': (secret) => secret.slice(0, secret.length / 2 + 4),
  'its last half': (secret) => `…${secret.slice(-20)}`,
  'in base64': (secret) => Buffer.from(`key ${secret}`).toString('base64'),
  'in hex': (secret) => Buffer.from(secret).toString('hex'),
  'in UTF-16': (secret) => Buffer.from(secret, 'utf16le').toString('latin1'),
}

for (const { name, text } of secrets)
  test(`a credential that leaks is found in every form: ${name}`, () => {
    for (const [form, write] of Object.entries(LEAKS)) assert.deepEqual(foundIn(write(text)), [name], form)
  })

test('the HMAC key is found as its bytes and in base64 too', () => {
  const bytes = Buffer.from(credentials.hmacKey, 'hex')
  assert.deepEqual(foundIn(`key: ${bytes.toString('base64')}`), ['hmacKey'])
  const output = { place: 'a file', kind: 'bytes', bytes: Buffer.concat([Buffer.from('x'), bytes]) } as const
  assert.deepEqual(
    scanner.scan(output).map(({ around }) => around),
    ['hmacKey'],
  )
})

test('the last four characters of a key are no leak, and the secret key may stand in its own file', () => {
  for (const { text } of secrets) assert.deepEqual(foundIn(`key: …${text.slice(-4)}, begins with rk_live_`), [])
  assert.deepEqual(foundIn(SECRET_KEY, 'data folder, secret-key'), [])
  assert.deepEqual(foundIn(SECRET_KEY, 'data folder, backup'), ['SECRET_KEY'])
})

test(
  'a secret in the arguments or the environment of a process is seen',
  { skip: process.platform !== 'linux' },
  async () => {
    const folder = `/nowhere/${credentials.reportKey.slice(-8)}`
    const args = ['-e', 'process.stdin.resume()', folder, credentials.stripeKey]
    const child = spawn(process.execPath, args, {
      env: { TOKEN: credentials.threeDSToken },
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    await once(child, 'spawn')
    const seen = await watchProcesses(folder).stop()
    child.stdin.end()
    await once(child, 'exit')
    const hits = seen.flatMap((output) => scanner.scan(output)).map(({ place, around }) => `${place}: ${around}`)
    assert.deepEqual(hits.toSorted(), ['command lines: stripeKey', 'environments: threeDSToken'])
  },
)
