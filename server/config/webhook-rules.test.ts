import assert from 'node:assert/strict'
import { isIP } from 'node:net'
import { test } from 'node:test'
import { readConfig } from './config.ts'
import { webhookRules } from './webhook-rules.ts'

const rulesOf = (env: Readonly<Record<string, string>>) => {
  const reading = readConfig(env)
  return reading.ok ? webhookRules(reading.config) : assert.fail(reading.problem)
}

test('this machine may be reached by webhooks only where PUBLIC_BASE is on it', () => {
  assert.equal(rulesOf({}).isLoopbackAllowed, true)
  assert.equal(rulesOf({ PUBLIC_BASE: 'https://pay.localhost:3000' }).isLoopbackAllowed, true)
  const production = { NODE_ENV: 'production', SANDBOX: 'on', PUBLIC_BASE: 'https://pay.example.com' }
  assert.equal(rulesOf(production).isLoopbackAllowed, false)
})

test('server, sandbox, mailbox, metrics and database have ports of our own', () => {
  assert.deepEqual(rulesOf({}).ownPorts, [3000, 3001, 3002])
  const all = { PORT: '4000', SANDBOX_PORT: '5000', METRICS_PORT: '6000', DATABASE_URL: 'postgresql://a@b/c' }
  assert.deepEqual(rulesOf(all).ownPorts, [4000, 5000, 5001, 6000, 5432])
  assert.deepEqual(rulesOf({ SANDBOX: 'off', DATABASE_URL: 'postgresql://a@b:7000/c' }).ownPorts, [3000, 7000])
})

test('the addresses of this machine are known, without their zones', () => {
  const { ownAddresses } = rulesOf({})
  assert.ok(ownAddresses.includes('127.0.0.1'), ownAddresses.join())
  assert.deepEqual(
    ownAddresses.filter((address) => isIP(address) === 0),
    [],
  )
})

test('WEBHOOK_DENY is a list of addresses and ranges, and anything else is refused', () => {
  assert.deepEqual(rulesOf({ WEBHOOK_DENY: '168.63.129.16, 2600::/16' }).denied, ['168.63.129.16', '2600::/16'])
  const wrong = readConfig({ WEBHOOK_DENY: '10.0.0.0/33' })
  assert.match(wrong.ok ? '' : wrong.problem, /^WEBHOOK_DENY holds "10\.0\.0\.0\/33"/)
})
