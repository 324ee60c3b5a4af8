import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Gateway } from '#payment/ports.ts'
import { createSandboxGateway } from '../../server/gateways/sandbox/gateway.ts'
import type { ReconciliationGateway } from '../../server/operations/reconcile-second-pass.ts'
import type { Database } from '../../server/store/engine/database.ts'
import { startSandbox, type SandboxProcess } from '../harness/sandbox-process.ts'
import { onBothDatabases } from '../harness/databases.ts'
import { API_KEYS } from '../harness/test-merchants.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'
import type { AcquirerOrder } from './checkout-records.ts'
import { readStoredRecords } from './stored-records.ts'
import { brokenPromises } from './promises.ts'
import { reconciliationFaults } from './reconciliation.ts'

const CHARGED = '4242424242424242'
const DECLINED = '4100000000750001'
const DROPPED = '4100000000755000'
const AN_HOUR = 3_600_000
const LOST = { outcome: 'unknown', why: 'connection lost' } as const

interface Tampering {
  readonly name: string
  readonly tamper: string
  readonly mend: string
  readonly expected: RegExp
}

const inLedger = (yen: string): string =>
  `UPDATE ledger_lines SET amount_yen = amount_yen ${yen} WHERE account = 'acquirer' AND entry LIKE 'charge %'`

const TAMPERED: readonly Tampering[] = [
  {
    name: 'a yen too many on one line of the ledger',
    tamper: inLedger('+ 1'),
    mend: inLedger('- 1'),
    expected: /^the ledger is out of balance by 1 yen: charge /,
  },
  {
    name: 'a receipt under another name',
    tamper: `UPDATE mails SET kind = 'refund' WHERE kind = 'receipt'`,
    mend: `UPDATE mails SET kind = 'receipt' WHERE id LIKE '%.receipt'`,
    expected: /has 1 of "mail refund, \w+\.receipt", not 0$/,
  },
  {
    name: 'a decline that came after the page stopped waiting',
    tamper: `UPDATE changes SET at = at + ${AN_HOUR} WHERE moved_to = 'declined'`,
    mend: `UPDATE changes SET at = at - ${AN_HOUR} WHERE moved_to = 'declined'`,
    expected: /has 0 of "mail nothing_charged, \w+\.nothing_charged\.\w+", not 1$/,
  },
  {
    name: 'a mail about a doubt that no payment was in',
    tamper: `UPDATE changes SET moved_to = 'not ' || moved_to WHERE moved_to IN ('unknown', 'void')`,
    mend: `UPDATE changes SET moved_to = SUBSTR(moved_to, 5) WHERE moved_to LIKE 'not %'`,
    expected: /has 1 of "mail nothing_charged, \w+\.nothing_charged\.\w+", not 0$/,
  },
]

describe('our store against the acquirer’s record', { concurrency: 1 }, () => {
  onBothDatabases(({ open }) => {
    let sandbox: SandboxProcess
    let gateway: Gateway
    let database: Database
    let server: TestServer
    let acquirerOrders: readonly AcquirerOrder[]
    before(async () => {
      sandbox = await startSandbox()
      gateway = { ...createSandboxGateway(sandbox.origin, 10_000), ready: async () => 'ready' }
      database = await open()
      server = await openTestServer({ database, gateway })
      const paid = await payWith(CHARGED)
      await refund(paid, 'r1', 400)
      await refund(await payWith(CHARGED), 'r1', 1980)
      await payWith(DECLINED)
      const doubted = await payWith(DROPPED)
      server.clock.advance(AN_HOUR)
      assert.equal((await server.readCheckout(doubted)).json<{ paymentPending: boolean }>().paymentPending, false)
      acquirerOrders = await sandbox.ordersForPromises()
    })
    after(() => sandbox.stop())

    const payWith = async (number: string): Promise<string> => {
      const checkoutId = await server.createCheckout()
      await server.pay(checkoutId, await server.startAttempt(checkoutId, number))
      return checkoutId
    }
    const refund = async (checkoutId: string, refundId: string, amount: number): Promise<void> => {
      const url = `/merchant/v1/checkouts/${checkoutId}/refunds`
      const headers = { authorization: `Bearer ${API_KEYS.tea}` }
      const response = await server.sendRequest({ method: 'POST', url, headers, payload: { refundId, amount } })
      assert.equal(response.statusCode, 201)
    }
    const broken = async (): Promise<string[]> =>
      brokenPromises({ stored: await readStoredRecords(database), acquirerOrders }).map(
        ({ description }) => description,
      )

    test('no promise is broken, and the reconciliation agrees', async () => {
      assert.deepEqual(await broken(), [])
      assert.deepEqual(await reconciliationFaults(database, gateway, acquirerOrders), [])
      assert.deepEqual(
        acquirerOrders.map(({ status, amountYen, refunds }) => [status, amountYen, refunds]),
        [
          ['charged', 1980, [{ refundId: 'r1', amountYen: 400 }]],
          ['charged', 1980, [{ refundId: 'r1', amountYen: 1980 }]],
          ['declined', 1980, []],
          ['void', 0, []],
        ],
      )
    })

    test('an attempt’s doubt and the time to its decline or void are read from its history', async () => {
      const { attempts } = await readStoredRecords(database)
      const doubted = attempts.filter(({ wasInDoubt }) => wasInDoubt)
      assert.deepEqual(
        doubted.map(({ state }) => state),
        ['void'],
      )
      assert.ok(doubted.every(({ claimToEndMs }) => claimToEndMs >= AN_HOUR))
      assert.ok(attempts.filter(({ state }) => state === 'charged').every(({ claimToEndMs }) => claimToEndMs === 0))
    })

    for (const { name, tamper, mend, expected } of TAMPERED) {
      test(`${name} is found`, async () => {
        await database.rows(tamper)
        const found = await broken()
        await database.rows(mend)
        assert.ok(
          found.some((each) => expected.test(each)),
          JSON.stringify(found),
        )
        assert.deepEqual(await broken(), [], 'it was not mended')
      })
    }

    test('a reconciliation that finds a discrepancy, compares nothing or leaves a doubt is a fault', async () => {
      const faultsWith = (changed: Partial<ReconciliationGateway>) =>
        reconciliationFaults(database, { ...gateway, ...changed }, acquirerOrders)
      const emptyStatement: ReconciliationGateway['statement'] = async () => ({
        outcome: 'page',
        lines: [],
        after: null,
      })
      assert.deepEqual(await faultsWith({ statement: async () => LOST }), [
        'the two records could not be compared: connection lost',
      ])
      const unanswered = await faultsWith({
        statement: emptyStatement,
        inquire: async () => LOST,
        inquireRefund: async () => LOST,
      })
      assert.deepEqual(unanswered, [
        '4 movements of money could not be asked about',
        '0 of 2 charges agree',
        '0 of 2 refunds agree',
      ])
      const discrepancies = await faultsWith({
        statement: emptyStatement,
        inquire: async () => ({ outcome: 'not_found' }),
      })
      assert.equal(
        discrepancies.filter((fault) => /^a discrepancy: \{"kind":"missing at acquirer"/.test(fault)).length,
        2,
      )
      const [first] = acquirerOrders
      assert.ok(first !== undefined)
      const more = [...acquirerOrders, { ...first, orderCode: 'unheard of', refunds: [] }]
      assert.deepEqual(await reconciliationFaults(database, gateway, more), ['2 of 3 charges agree'])
    })
  })
})
