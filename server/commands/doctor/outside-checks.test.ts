import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { listenDuring } from '../../../proof/harness/end-server.ts'
import { readConfig, type Config } from '../../config/config.ts'
import { judgeAcquirer, judgeThreeDS, lookAtAcquirer, lookAtThreeDS } from './outside-checks.ts'

const configOf = (env: Record<string, string>): Config => {
  const reading = readConfig(env)
  return reading.ok ? reading.config : assert.fail(reading.problem)
}

test('a 3-D Secure server that answers anything can be reached; one that has faults is to think of', () => {
  const replied = (status: number): string =>
    judgeThreeDS('x', { ok: true, reply: { status, body: null } }, false).state
  assert.deepEqual([replied(200), replied(404), replied(499), replied(500)], ['ok', 'ok', 'ok', 'warn'])
})

test('why a 3-D Secure server cannot be reached says what to mend', () => {
  const mendOf = (failure: Extract<Parameters<typeof judgeThreeDS>[1], { ok: false }>['failure']): string => {
    const finding = judgeThreeDS('x', { ok: false, failure }, false)
    assert.equal(finding.state, 'fail')
    return 'mend' in finding ? finding.mend : ''
  }
  assert.match(mendOf({ kind: 'timeout' }), /THREE_DS_API_URL/)
  assert.match(mendOf({ kind: 'untrusted', code: 'SELF_SIGNED' }), /THREE_DS_CA/)
  assert.match(mendOf({ kind: 'unwelcome', code: 'x' }), /THREE_DS_CLIENT_CERTIFICATE/)
  assert.match(mendOf({ kind: 'hung up' }), /THREE_DS_CLIENT_CERTIFICATE/)
})

test('the 3-D Secure server is asked where the settings have it', async (t) => {
  const server = createServer((_request, response) => response.writeHead(404).end())
  const port = await listenDuring(t, server)
  const env = { PORT: '1', SANDBOX_PORT: String(port) }
  const found = await lookAtThreeDS(configOf(env))
  assert.equal(found.state, 'ok')
  assert.match(found.says, /^the sandbox's, simulated, at 127\.0\.0\.1:\d+, answers$/)
  const own = { SANDBOX: 'off', THREE_DS_API_URL: `http://127.0.0.1:${port}`, THREE_DS_MERCHANT_ID: 'm' }
  assert.equal((await lookAtThreeDS(configOf(own))).says, `127.0.0.1:${port} answers`)
  await new Promise((resolve) => {
    server.close(resolve)
    server.closeAllConnections()
  })
  const gone = await lookAtThreeDS(configOf(env))
  assert.match(gone.says, /cannot be reached \((refused|broken)\)$/)
  assert.match('mend' in gone ? gone.mend : '', /^start it with npm start/)
  assert.equal((await lookAtThreeDS(configOf({ SANDBOX: 'off' }))).state, 'warn')
})

test('a client certificate that cannot be read is told', async () => {
  const env = {
    SANDBOX: 'off',
    THREE_DS_API_URL: 'https://three-ds.invalid',
    THREE_DS_MERCHANT_ID: 'm',
    THREE_DS_CLIENT_CERTIFICATE: '/nowhere.p12',
  }
  const finding = await lookAtThreeDS(configOf(env))
  assert.equal(finding.state, 'fail')
  assert.match(finding.says, /^our certificate cannot be used \(ENOENT/)
})

test('a simulated acquirer is to think of in production, and one that is not there has failed', async () => {
  const stateOf = (readiness: 'ready' | 'refused' | 'silent', isProduction: boolean): string =>
    judgeAcquirer({ sandbox: '127.0.0.1:3001', readiness, isProduction, hasAccounts: false }).state
  assert.deepEqual([stateOf('ready', false), stateOf('ready', true)], ['ok', 'warn'])
  assert.deepEqual([stateOf('refused', false), stateOf('silent', true)], ['fail', 'fail'])
  const without = (hasAccounts: boolean): string =>
    judgeAcquirer({ sandbox: null, readiness: 'refused', isProduction: true, hasAccounts }).state
  assert.deepEqual([without(false), without(true)], ['warn', 'ok'])
  const finding = await lookAtAcquirer({ ready: async () => 'refused' }, configOf({}), false, Promise.resolve(false))
  assert.equal(finding.says, 'the sandbox at 127.0.0.1:3001 is not there')
})
