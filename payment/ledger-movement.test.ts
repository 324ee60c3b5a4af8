import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ledgerEntryName, parseLedgerEntryName, type LedgerMovement } from './ledger-movement.ts'

const CODE = 'k3v6wq2mk3v6wq2mk3v6wq2mk3v6wq2m'

test('the name of a ledger entry is parsed back to its charge, refund or chargeback', () => {
  const movements: readonly [LedgerMovement, string][] = [
    [{ kind: 'charge', orderCode: CODE }, `charge ${CODE}`],
    [{ kind: 'refund', orderCode: CODE, refundId: 'R_1-a' }, `refund ${CODE} R_1-a`],
    [{ kind: 'chargeback', orderCode: CODE, movementId: 'txn_1' }, `chargeback ${CODE} txn_1`],
    [{ kind: 'chargeback_reversal', orderCode: CODE, movementId: 'txn_1' }, `chargeback_reversal ${CODE} txn_1`],
  ]
  for (const [movement, name] of movements) {
    assert.equal(ledgerEntryName(movement), name)
    assert.deepEqual(parseLedgerEntryName(name), movement)
  }
})

test('a name that no charge, no refund and no chargeback has is parsed as no movement', () => {
  const strange = ['', 'charge', 'charge ', `charge ${CODE} r`, `charge  ${CODE}`, `refund ${CODE}`, `refund ${CODE} `]
  for (const name of [
    ...strange,
    `refund ${CODE} a b`,
    `Charge ${CODE}`,
    `charge ${CODE}\n`,
    ` charge ${CODE}`,
    `fee ${CODE}`,
    `chargeback ${CODE}`,
    `chargeback_reversal ${CODE} a b`,
  ])
    assert.equal(parseLedgerEntryName(name), null, name)
})
