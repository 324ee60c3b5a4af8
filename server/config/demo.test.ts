import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './config.ts'

const LIVE = { DEMO_LIVE: 'stripe' }
const demoOf = (env: Record<string, string>) => {
  const reading = readConfig(env)
  return reading.ok ? reading.config.demo : assert.fail(reading.problem)
}
const problemOf = (env: Record<string, string>): string => {
  const reading = readConfig(env)
  return reading.ok ? assert.fail('the configuration was read') : reading.problem
}

test('a second demo shop, in live mode, is opened where it is asked for', () => {
  assert.deepEqual(demoOf({}), { merchantKey: null, isLiveAtStripe: false })
  assert.deepEqual(demoOf({ DEMO_LIVE: 'off' }), { merchantKey: null, isLiveAtStripe: false })
  assert.deepEqual(demoOf(LIVE), { merchantKey: null, isLiveAtStripe: true })
  assert.equal(demoOf({ ...LIVE, PUBLIC_BASE: 'http://pay.localhost:3000' })?.isLiveAtStripe, true)
  assert.equal(problemOf({ DEMO_LIVE: 'adyen' }), 'DEMO_LIVE is "adyen": set it to one of off, stripe.')
})

test('a live demo shop is refused where its shoppers, its acquirer or its 3-D Secure server are not on this machine', () => {
  const real = { THREE_DS_API_URL: 'http://127.0.0.1:4000', THREE_DS_MERCHANT_ID: '123456789012345' }
  for (const [env, why] of [
    [
      { PUBLIC_BASE: 'https://pay.example.com' },
      /PUBLIC_BASE is https:\/\/pay\.example\.com, which is not this machine/,
    ],
    [{ PUBLIC_BASE: 'https://localhost.example.com' }, /PUBLIC_BASE/],
    [{ SANDBOX: 'off' }, /SANDBOX is off/],
    [{ DEMO: 'off' }, /the demo is off \(DEMO\)/],
    [{ NODE_ENV: 'production', SANDBOX: 'on' }, /the demo is off \(DEMO\)/],
    [real, /THREE_DS_API_URL names a 3-D Secure server beside the sandbox/],
  ] as const) {
    const problem = problemOf({ ...LIVE, ...env })
    assert.match(problem, why)
    assert.match(
      problem,
      /^DEMO_LIVE is stripe, but .*: it opens a shop that pretends, for a start on this machine alone\.$/,
    )
  }
})
