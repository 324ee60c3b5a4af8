import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandError } from '../../tools/command-error.mjs'
import { figuresOf, type ProxyReport } from './prove.ts'

const REPORT: ProxyReport = {
  nginxVersion: '1.22.1',
  payments: 8,
  paymentsPastTheProxy: 2,
  charges: 10,
  forgedHeaders: 370,
  findings: [{ what: 'address of the shopper', expected: '127.0.0.2', found: '127.0.0.2' }],
  hostsTried: 31,
  reached: [],
}

test('payments, forged headers and hosts are counted, and none of the headers was believed', () => {
  assert.deepEqual(figuresOf(REPORT), {
    nginx: '1.22.1',
    payments: 8,
    paymentsPastTheProxy: 2,
    forgedHeaders: 370,
    facts: 1,
    believed: 0,
    hostsTried: 31,
  })
})

const FORGED = { what: 'address of the shopper', expected: '127.0.0.2', found: '203.0.113.66' }

const UNPROVEN: Readonly<Record<string, [changes: Partial<ProxyReport>, line: string]>> = {
  'a forged address that was believed': [
    { findings: [...REPORT.findings, FORGED] },
    '1 of 2 facts are not the true ones, see above',
  ],
  "a host by which the acquirer's API was reached": [
    { reached: ['/acquirer/v1/orders of bank.pay.test answered 200'] },
    "1 calls reached the sandbox's APIs, see above",
  ],
  'a payment that was not charged': [{ charges: 9 }, '10 payments, but 9 charges at the acquirer'],
  'a payment that was charged twice': [{ charges: 11 }, '10 payments, but 11 charges at the acquirer'],
  'no payment': [{ payments: 0, charges: 2 }, 'nothing was paid, forged or tried, which shows nothing'],
  'no payment past the proxy': [
    { paymentsPastTheProxy: 0, charges: 8 },
    'nothing was paid, forged or tried, which shows nothing',
  ],
  'no forged header': [{ forgedHeaders: 0 }, 'nothing was paid, forged or tried, which shows nothing'],
  'no host that was tried': [{ hostsTried: 0 }, 'nothing was paid, forged or tried, which shows nothing'],
}

for (const [what, [changes, line]] of Object.entries(UNPROVEN)) {
  test(`${what} fails the proof`, () => {
    assert.throws(() => figuresOf({ ...REPORT, ...changes }), new CommandError(line))
  })
}
