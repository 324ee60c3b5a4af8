import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Gateway } from '#payment/ports.ts'
import { createSandboxGateway } from '../../server/gateways/sandbox/gateway.ts'
import type { ReconciliationGateway } from '../../server/operations/reconcile.ts'
import type { Database } from '../../server/store/database.ts'
import { startAcquirer, type Acquirer } from '../harness/acquirer-process.ts'
import { onBothDatabases } from '../harness/databases.ts'
import { KEYS, openShop, type Shop } from '../harness/shop.ts'
import type { AcquirerOrder } from './both-sides.ts'
import { readFacts } from './facts.ts'
import { brokenPromises } from './promises.ts'
import { unreconciled } from './reconciled.ts'

const CHARGED = '4242424242424242'
const DECLINED = '4100000000750001'
const DROPPED = '4100000000755000'
const AN_HOUR = 3_600_000
const LOST = { outcome: 'unknown', why: 'connection lost' } as const

interface Tampering {
  readonly name: string
  readonly tamper: string
  readonly mend: string
  readonly line: RegExp
}

const inLedger = (yen: string): string =>
  `UPDATE ledger_lines SET amount_yen = amount_yen ${yen} WHERE account = 'acquirer' AND entry LIKE 'charge %'`

const TAMPERED: readonly Tampering[] = [
  {
    name: 'a yen too many on one line of the ledger',
    tamper: inLedger('+ 1'),
    mend: inLedger('- 1'),
    line: /^the ledger is out of balance by 1 yen: charge /,
  },
  {
    name: 'a receipt under another name',
    tamper: `UPDATE outbox SET event = 'greetings' WHERE event = 'receipt'`,
    mend: `UPDATE outbox SET event = 'receipt' WHERE event = 'greetings'`,
    line: /has 1 of "mail greetings, \w+\.receipt\.mail", not 0$/,
  },
  {
    name: 'a decline that came too late for whoever waited',
    tamper: `UPDATE changes SET at = at + ${AN_HOUR} WHERE moved_to = 'declined'`,
    mend: `UPDATE changes SET at = at - ${AN_HOUR} WHERE moved_to = 'declined'`,
    line: /has 0 of "mail nothing_charged, \w+\.nothing_charged\.\w+\.mail", not 1$/,
  },
  {
    name: 'a letter about a doubt that nobody was in',
    tamper: `UPDATE changes SET moved_to = 'not ' || moved_to WHERE moved_to IN ('unknown', 'void')`,
    mend: `UPDATE changes SET moved_to = SUBSTR(moved_to, 5) WHERE moved_to LIKE 'not %'`,
    line: /has 1 of "mail nothing_charged, \w+\.nothing_charged\.\w+\.mail", not 0$/,
  },
]

describe('what the store and the acquirer say of one honest day', { concurrency: 1 }, () => {
  onBothDatabases(({ open }) => {
    let acquirer: Acquirer
    let gateway: Gateway
    let database: Database
    let shop: Shop
    let witness: readonly AcquirerOrder[]
    before(async () => {
      acquirer = await startAcquirer()
      gateway = { ...createSandboxGateway(acquirer.origin, 10_000), ready: async () => 'ready' }
      database = await open()
      shop = await openShop({ database, gateway })
      const paid = await payWith(CHARGED)
      await giveBack(paid, 'r1', 400)
      await giveBack(await payWith(CHARGED), 'r1', 1980)
      await payWith(DECLINED)
      const doubted = await payWith(DROPPED)
      shop.clock.advance(AN_HOUR)
      assert.equal((await shop.read(doubted)).json<{ paymentPending: boolean }>().paymentPending, false)
      witness = await acquirer.books()
    })
    after(() => acquirer.stop())

    const payWith = async (number: string): Promise<string> => {
      const checkoutId = await shop.create()
      await shop.pay(checkoutId, await shop.start(checkoutId, number))
      return checkoutId
    }
    const giveBack = async (checkoutId: string, refundId: string, amount: number): Promise<void> => {
      const url = `/merchant/v1/checkouts/${checkoutId}/refunds`
      const headers = { authorization: `Bearer ${KEYS.tea}` }
      const answer = await shop.call({ method: 'POST', url, headers, payload: { refundId, amount } })
      assert.equal(answer.statusCode, 201)
    }
    const broken = async (): Promise<string[]> =>
      brokenPromises({ facts: await readFacts(database), books: witness }).map(({ line }) => line)

    test('no promise is broken, and the reconciliation agrees', async () => {
      assert.deepEqual(await broken(), [])
      assert.deepEqual(await unreconciled(database, gateway, witness), [])
      assert.deepEqual(
        witness.map(({ status, amountYen, refunds }) => [status, amountYen, refunds]),
        [
          ['charged', 1980, [{ refundId: 'r1', amountYen: 400 }]],
          ['charged', 1980, [{ refundId: 'r1', amountYen: 1980 }]],
          ['declined', 1980, []],
          ['void', 0, []],
        ],
      )
    })

    test('a doubt is read as one, and a decline with how long it took', async () => {
      const { attempts } = await readFacts(database)
      const doubted = attempts.filter(({ wasInDoubt }) => wasInDoubt)
      assert.deepEqual(
        doubted.map(({ state }) => state),
        ['void'],
      )
      assert.ok(doubted.every(({ flightMs }) => flightMs >= AN_HOUR))
      assert.ok(attempts.filter(({ state }) => state === 'charged').every(({ flightMs }) => flightMs === 0))
    })

    for (const { name, tamper, mend, line } of TAMPERED) {
      test(`${name} is named`, async () => {
        await database.rows(tamper)
        const lines = await broken()
        await database.rows(mend)
        assert.ok(
          lines.some((each) => line.test(each)),
          JSON.stringify(lines),
        )
        assert.deepEqual(await broken(), [], 'it was not mended')
      })
    }

    test('a reconciliation that finds a break, compares nothing or leaves something open is named', async () => {
      const said = (books: Partial<ReconciliationGateway>) => unreconciled(database, { ...gateway, ...books }, witness)
      const forgetful: ReconciliationGateway['statement'] = async () => ({ outcome: 'page', lines: [], after: null })
      assert.deepEqual(await said({ statement: async () => LOST }), [
        'the books could not be compared: connection lost',
      ])
      const silent = await said({ statement: forgetful, inquire: async () => LOST, inquireRefund: async () => LOST })
      assert.deepEqual(silent, [
        '4 movements of money could not be asked about',
        '0 of 2 charges agree',
        '0 of 2 refunds agree',
      ])
      const discrepancies = await said({ statement: forgetful, inquire: async () => ({ outcome: 'not_found' }) })
      assert.equal(
        discrepancies.filter((line) => /^a discrepancy: \{"kind":"missing at acquirer"/.test(line)).length,
        2,
      )
      const [first] = witness
      assert.ok(first !== undefined)
      const more = [...witness, { ...first, orderCode: 'unheard of', refunds: [] }]
      assert.deepEqual(await unreconciled(database, gateway, more), ['2 of 3 charges agree'])
    })
  })
})
