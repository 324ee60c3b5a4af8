import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig, type Config } from './config.ts'
import { webhookRules } from './webhook-rules.ts'

const configOf = (env: Record<string, string>): Config => {
  const reading = readConfig(env)
  return reading.ok ? reading.config : assert.fail(reading.problem)
}
const problemOf = (env: Record<string, string>): string => {
  const reading = readConfig(env)
  return reading.ok ? assert.fail(`${JSON.stringify(env)} was accepted`) : reading.problem
}

test('a server that is led to another’s sandbox asks its acquirer, its 3-D Secure server and its mailbox', () => {
  const config = configOf({ PORT: '3100', SANDBOX_URL: 'http://localhost:3001/', METRICS_PORT: '3101' })
  const { sandbox, threeDS, mail } = config
  assert.deepEqual([sandbox?.origin, sandbox?.own, sandbox?.mailboxPort], ['http://localhost:3001', null, 3002])
  assert.deepEqual([threeDS.server?.apiUrl.origin, threeDS.server?.isSandbox], ['http://localhost:3001', true])
  assert.deepEqual([mail?.host, mail?.port, mail?.isSandbox], ['127.0.0.1', 3002, true])
  assert.deepEqual(webhookRules(config).ownPorts, [3100, 3001, 3002, 3101])
})

test('card numbers travel to a sandbox on another machine over https alone, and its mailbox takes none of our mails', () => {
  const { sandbox, mail, threeDS } = configOf({ SANDBOX_URL: 'https://sandbox.example' })
  assert.deepEqual([sandbox?.origin, sandbox?.mailboxPort, mail], ['https://sandbox.example', null, null])
  assert.equal(threeDS.server?.isSandbox, true)
  assert.match(
    problemOf({ SANDBOX_URL: 'http://sandbox.example:3001' }),
    /^SANDBOX_URL is "http:\/\/sandbox\.example:3001": card numbers travel there, .* must begin with https:\/\/\.$/,
  )
  for (const wrong of [
    'sandbox.example',
    'ftp://sandbox.example',
    'https://sandbox.example/x',
    'https://u@sandbox.example',
  ])
    assert.match(problemOf({ SANDBOX_URL: wrong }), /^SANDBOX_URL is "/)
})

test('a sandbox of another process is refused beside one that is started here, and where there is to be none', () => {
  const url = 'http://127.0.0.1:3001'
  assert.match(problemOf({ SANDBOX_URL: url, SANDBOX_PORT: '3001' }), /^SANDBOX_URL and SANDBOX_PORT are both set: /)
  assert.match(problemOf({ SANDBOX_URL: url, SANDBOX: 'off' }), /^SANDBOX_URL is set, but SANDBOX is off/)
  assert.match(problemOf({ SANDBOX_URL: url, NODE_ENV: 'production' }), /^SANDBOX is not set: /)
})

test('no real card goes by the word of another’s sandbox, also where THREE_DS_API_URL names it', () => {
  const threeDS = { THREE_DS_MERCHANT_ID: 'm', THREE_DS_CLIENT_CERTIFICATE: 'x.p12' }
  const isSandbox = (sandbox: string, api: string) =>
    configOf({ ...threeDS, SANDBOX_URL: sandbox, THREE_DS_API_URL: api }).threeDS.server?.isSandbox
  assert.equal(isSandbox('https://sandbox.example', 'https://SANDBOX.example:443'), true)
  assert.equal(isSandbox('http://127.0.0.1:3001', 'http://localhost:3001'), true)
  assert.equal(isSandbox('https://sandbox.example', 'https://3ds.example'), false)
})

test('the live demo shop needs a sandbox on this machine', () => {
  assert.equal(configOf({ DEMO_LIVE: 'stripe', SANDBOX_URL: 'http://127.0.0.1:3001' }).demo?.isLiveAtStripe, true)
  assert.match(
    problemOf({ DEMO_LIVE: 'stripe', SANDBOX_URL: 'https://sandbox.example' }),
    /^DEMO_LIVE is stripe, but SANDBOX_URL is https:\/\/sandbox\.example, which is not this machine/,
  )
})
