import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { MerchantMode } from '#contract/access.ts'
import { DAY_MS, HOUR_MS } from '#contract/jst.ts'
import { ledgerEntryName } from '#payment/ledger-movement.ts'
import type { AcquirerDispute, DisputeMovement, Period, SentOrder, Statement, StatementLine } from '#payment/ports.ts'
import type { Discrepancy, Unresolved } from '#payment/reconcile.ts'
import { ATTEMPT_STATES } from '#payment/testing/records.ts'
import { onBothDatabases } from '../../proof/harness/databases.ts'
import { freshAttempt, freshCheckout } from '../../proof/harness/fresh-records.ts'
import { insertCheckout, saveAttempt, saveMerchant } from '../../proof/harness/save-records.ts'
import { MERCHANT_SETTINGS } from '../../proof/harness/test-merchants.ts'
import type { Database } from '../store/engine/database.ts'
import { accountOfAll } from '../../proof/promises/shared-account.ts'
import type { ReconciliationGateway } from './reconcile-second-pass.ts'
import { recentPeriod } from '#payment/reconciliation-period.ts'
import { reconcile, type ReconciledAccount, type Reconciliation } from './reconcile.ts'

const FROM = Date.parse('2026-11-01T00:00:00+09:00')
const TO = Date.parse('2026-11-02T00:00:00+09:00')
const PERIOD: Period = { from: FROM, to: TO }
const YEN = 1980

const charge = (orderCode: string, movedAt: number): StatementLine => ({
  kind: 'charge',
  orderCode,
  reference: `ref-${orderCode}`,
  amountYen: YEN,
  movedAt,
})

/** An acquirer that lists exactly what moved in the period that it is asked for, and keeps what it was asked. */
interface ListingAcquirer extends ReconciliationGateway {
  readonly periods: Period[]
  readonly asked: SentOrder[]
}
const acquirerWith = (lines: readonly StatementLine[], more: object = {}): ListingAcquirer => {
  const periods: Period[] = []
  const asked: SentOrder[] = []
  return {
    periods,
    asked,
    statement: async (period): Promise<Statement> => {
      periods.push(period)
      const listed = lines.filter(({ movedAt }) => movedAt >= period.from && movedAt < period.to)
      return { outcome: 'page', lines: listed, after: null, ...more }
    },
    inquire: async (order) => {
      asked.push(order)
      const isCharged = lines.some(({ kind, orderCode }) => kind === 'charge' && orderCode === order.orderCode)
      return isCharged
        ? { outcome: 'charged', transactionId: 't', approvedAt: 0, amountYen: YEN }
        : { outcome: 'not_found' }
    },
    inquireRefund: async () => assert.fail('no refund is asked about'),
    disputes: async () => ({ outcome: 'page', disputes: [], after: null }),
  }
}

describe('our ledger of a period compared with the acquirer’s statement of it', () => {
  onBothDatabases(({ open }) => {
    let database: Database
    beforeEach(async () => {
      database = await open()
      for (const id of ['tea', 'books']) await saveMerchant(database, { id, label: id, settings: MERCHANT_SETTINGS }, 0)
    })

    const bookLine = (
      orderCode: string,
      bookedAt: number,
      account: 'acquirer' | 'merchant',
      merchantId: string,
      mode: MerchantMode = 'test',
    ): Promise<unknown> =>
      database.rows(
        `INSERT INTO ledger_lines (merchant_id, entry, account, checkout_id, amount_yen, booked_at, mode)
         VALUES ($1, $2, $3, 'a-checkout', $4, $5, $6)`,
        merchantId,
        `charge ${orderCode}`,
        account,
        account === 'acquirer' ? YEN : 0 - YEN,
        bookedAt,
        mode,
      )
    const book = async (orderCode: string, bookedAt: number, merchantId = 'tea', mode: MerchantMode = 'test') => {
      await bookLine(orderCode, bookedAt, 'acquirer', merchantId, mode)
      await bookLine(orderCode, bookedAt, 'merchant', merchantId, mode)
    }
    /** An attempt without an entry in the ledger. */
    const attempted = async (merchantId: string, state: 'charged' | 'unknown', startedAt: number): Promise<string> => {
      const checkout = freshCheckout({ merchantId })
      await insertCheckout(database, checkout)
      const attempt = freshAttempt(checkout, ATTEMPT_STATES[state], { startedAt, reference: 'ref' })
      await saveAttempt(database, attempt)
      return attempt.orderCode
    }

    interface Compared {
      readonly result: Reconciliation
      readonly discrepancies: Discrepancy[]
      readonly unresolved: Unresolved[]
    }
    const compareAccounts = async (accounts: readonly ReconciledAccount[], period = PERIOD): Promise<Compared> => {
      const discrepancies: Discrepancy[] = []
      const unresolved: Unresolved[] = []
      const result = await reconcile(
        database,
        accounts,
        period,
        (found) => discrepancies.push(found),
        (open) => unresolved.push(open),
      )
      return { result, discrepancies, unresolved }
    }
    const compare = async (gateway: ReconciliationGateway, period = PERIOD): Promise<Compared> =>
      compareAccounts([await accountOfAll(database, gateway)], period)
    const agreed = (charges: number, chargebacks = 0): Reconciliation => ({
      outcome: 'compared',
      charges,
      refunds: 0,
      chargebacks,
      chargebackReversals: 0,
      discrepancies: 0,
      inDoubt: 0,
      unanswered: 0,
    })

    test('what moved from the first moment of the period and before its last is compared, and nothing else', async () => {
      const times = { before: FROM - 1, first: FROM, last: TO - 1, after: TO }
      for (const [orderCode, at] of Object.entries(times)) await book(orderCode, at)
      const acquirer = acquirerWith(Object.entries(times).map(([orderCode, at]) => charge(orderCode, at)))
      const { result, discrepancies } = await compare(acquirer)
      assert.deepEqual(discrepancies, [])
      assert.deepEqual(result, agreed(2))
      assert.deepEqual(acquirer.asked, [])
    })

    test('what only one side has outside of the period is no discrepancy, and within it is one on each side', async () => {
      for (const [orderCode, at] of [
        ['ours-before', FROM - 1],
        ['ours', FROM],
        ['ours-after', TO],
      ] as const)
        await book(orderCode, at)
      const lines = [charge('theirs-before', FROM - 1), charge('theirs', TO - 1), charge('theirs-after', TO)]
      const { discrepancies } = await compare(acquirerWith(lines))
      assert.deepEqual(
        discrepancies.map((found) => [found.kind, 'movement' in found ? found.movement.orderCode : found.entry]),
        [
          ['unknown order', 'theirs'],
          ['missing at acquirer', 'ours'],
        ],
      )
    })

    /** A chargeback in both lines, dated as the dispute says. */
    const bookChargeback = async (orderCode: string, bookedAt: number): Promise<void> => {
      for (const [account, sign] of [
        ['acquirer', -1],
        ['chargeback', 1],
      ] as const)
        await database.rows(
          `INSERT INTO ledger_lines (merchant_id, entry, account, checkout_id, amount_yen, booked_at, mode)
           VALUES ('tea', $1, $2, 'a-checkout', $3, $4, 'test')`,
          `chargeback ${orderCode} m`,
          account,
          sign * YEN,
          bookedAt,
        )
    }
    const chargeback = (orderCode: string, movedAt: number): StatementLine & DisputeMovement => ({
      kind: 'chargeback',
      orderCode,
      movementId: 'm',
      amountYen: YEN,
      movedAt,
    })
    const disputeOf = (orderCode: string, movedAt: number): AcquirerDispute => ({
      disputeId: `d-${orderCode}`,
      orderCode,
      status: 'lost',
      amountYen: YEN,
      reason: null,
      respondBy: null,
      openedAt: movedAt,
      movements: [{ kind: 'chargeback', movementId: 'm', amountYen: YEN, movedAt }],
    })

    test('chargebacks are counted for themselves, and one that a report dates days off, beyond an end of the period, agrees', async () => {
      for (const [orderCode, at] of [
        ['same', FROM + 1],
        ['reported-before', FROM],
        ['reported-after', TO - 1],
        ['booked-before', FROM - 3 * DAY_MS],
        ['booked-after', TO + 3 * DAY_MS],
      ] as const)
        await bookChargeback(orderCode, at)
      const lines = [
        chargeback('same', FROM + 2),
        chargeback('reported-before', FROM - 3 * DAY_MS),
        chargeback('reported-after', TO + 3 * DAY_MS),
        chargeback('booked-before', FROM),
        chargeback('booked-after', TO - 1),
      ]
      const asked: Period[] = []
      const acquirer: ReconciliationGateway = {
        ...acquirerWith(lines),
        disputes: async (openedIn) => {
          asked.push(openedIn)
          const disputes = [disputeOf('reported-before', FROM), disputeOf('reported-after', TO - 1)]
          return { outcome: 'page', disputes, after: null }
        },
      }
      const { result, discrepancies } = await compare(acquirer)
      assert.deepEqual([discrepancies, result], [[], agreed(0, 5)])
      assert.equal(asked.length, 1, 'read once for all of them')
      assert.ok((asked[0]?.from ?? TO) < FROM - 360 * DAY_MS && (asked[0]?.to ?? 0) > TO)
    })

    test('a chargeback that one side alone has, or with another amount, is named; of an order of ours it is missing in the ledger', async () => {
      const ours = await attempted('tea', 'charged', FROM - 400 * DAY_MS)
      await bookChargeback('ours-alone', FROM)
      await bookChargeback('amount', FROM)
      const lines = [
        chargeback(ours, FROM),
        chargeback('other-system', FROM),
        { ...chargeback('amount', FROM), amountYen: 1 },
      ]
      const { discrepancies } = await compare(acquirerWith(lines))
      const found = discrepancies.map(
        (each) => `${each.kind}: ${'movement' in each ? ledgerEntryName(each.movement) : each.entry}`,
      )
      assert.deepEqual(found.toSorted(), [
        'amounts differ: chargeback amount m',
        'missing at acquirer: chargeback ours-alone m',
        `missing in ledger: chargeback ${ours} m`,
        'unknown order: chargeback other-system m',
      ])
    })

    test('a chargeback that no statement has is unanswered while the account does not name its disputes', async () => {
      await bookChargeback('silent', FROM)
      const silent: ReconciliationGateway = {
        ...acquirerWith([]),
        disputes: async () => ({ outcome: 'unknown', why: 'HTTP 503' }),
      }
      const { discrepancies, unresolved } = await compare(silent)
      assert.deepEqual([discrepancies, unresolved.map(({ kind }) => kind)], [[], ['unanswered']])
    })

    test('a movement at an end of the period that the acquirer lists just outside of it agrees', async () => {
      await book('first', FROM)
      await book('last', TO - 1)
      const acquirer = acquirerWith([charge('first', FROM - HOUR_MS), charge('last', TO + HOUR_MS - 1)])
      const { result, discrepancies } = await compare(acquirer)
      assert.deepEqual([result, discrepancies], [agreed(2), []])
      assert.deepEqual(acquirer.asked, [], 'it matches without an inquiry')
      assert.deepEqual(acquirer.periods, [{ from: FROM - HOUR_MS, to: TO + HOUR_MS }])
    })

    test('a movement that our ledger has just outside of the period and the acquirer lists within it agrees', async () => {
      await book('first', FROM - 1)
      await book('last', TO)
      const { result, discrepancies } = await compare(acquirerWith([charge('first', FROM), charge('last', TO - 1)]))
      assert.deepEqual([result, discrepancies], [agreed(2), []])
    })

    test('what the acquirer has not listed completely yet is not compared, by the earliest time of all pages', async () => {
      const completeUntil = TO - HOUR_MS
      await book('early', completeUntil - 1)
      await book('late', completeUntil)
      const acquirer = acquirerWith([charge('early', completeUntil - 1), charge('unbooked', completeUntil)], {
        completeUntil,
      })
      const { result, discrepancies } = await compare(acquirer)
      assert.deepEqual(
        [result, discrepancies, acquirer.asked],
        [{ ...agreed(1), comparedUntil: completeUntil }, [], []],
      )

      const pages: Statement[] = [
        { outcome: 'page', lines: [charge('early', completeUntil - 1)], completeUntil, after: '1' },
        { outcome: 'page', lines: [], completeUntil: TO, after: null },
      ]
      const paged = { ...acquirer, statement: async () => pages.shift() ?? assert.fail('no page is left') }
      const { result: ofPages, discrepancies: found } = await compare(paged)
      assert.deepEqual([ofPages, found], [{ ...agreed(1), comparedUntil: completeUntil }, []])
    })

    test('an account without a statement is named, and keeps no other from being compared', async () => {
      await book('early', FROM)
      const silent = { ...acquirerWith([]), statement: async () => ({ outcome: 'unknown', why: 'no answer' }) as const }
      const other = { gateway: silent, scopes: [{ merchantId: 'elsewhere', mode: 'live' }] } as const
      const account = await accountOfAll(database, acquirerWith([charge('early', FROM)]))
      const { result } = await compareAccounts([other, account])
      assert.deepEqual(result, { ...agreed(1), silent: [{ scopes: other.scopes, why: 'no answer' }] })
      assert.equal((await compareAccounts([other])).result.outcome, 'unknown')
    })

    test('an entry of a merchant that nobody has created is unknown, in both modes, in the period alone', async () => {
      await book('test', FROM, 'nobody')
      await book('live', TO - 1, 'nobody', 'live')
      await book('other', FROM, 'no-one')
      await book('before', FROM - 1, 'nobody')
      await book('after', TO, 'nobody')
      const { discrepancies } = await compare(acquirerWith([]))
      const unknown = { kind: 'unknown entry', checkoutId: 'a-checkout', ourYen: YEN }
      assert.deepEqual(
        discrepancies,
        ['other', 'test', 'live'].map((orderCode) => ({ ...unknown, entry: `charge ${orderCode}` })),
      )
    })

    test('an account of one merchant is compared with the movements of that merchant and that mode alone', async () => {
      await book('of-tea', FROM)
      await book('of-tea-live', FROM, 'tea', 'live')
      await book('of-books', FROM, 'books')
      const doubts = { tea: await attempted('tea', 'unknown', FROM), books: await attempted('books', 'unknown', FROM) }
      const unbooked = {
        tea: await attempted('tea', 'charged', FROM),
        books: await attempted('books', 'charged', FROM),
      }
      for (const merchantId of ['tea', 'books'] as const) {
        const gateway = acquirerWith([charge(`of-${merchantId}`, FROM)])
        const account = { gateway, scopes: [{ merchantId, mode: 'test' }] } as const
        const { result, discrepancies, unresolved } = await compareAccounts([account])
        assert.deepEqual(result, { ...agreed(1), discrepancies: 1, inDoubt: 1 })
        const [found] = discrepancies
        assert.ok(found?.kind === 'missing on both sides' && found.movement.orderCode === unbooked[merchantId])
        assert.deepEqual(
          unresolved.map(({ movement }) => movement.orderCode),
          [doubts[merchantId]],
        )
        assert.deepEqual(
          gateway.asked.map(({ orderCode }) => orderCode),
          [unbooked[merchantId], doubts[merchantId]],
        )
      }
    })

    test('two accounts are compared each with its own merchants, and what both hold is added up', async () => {
      await book('of-tea', FROM)
      await book('of-books', FROM, 'books')
      const accountOf = (merchantId: string): ReconciledAccount & { readonly gateway: ListingAcquirer } => ({
        gateway: acquirerWith([charge(`of-${merchantId}`, FROM)]),
        scopes: [{ merchantId, mode: 'test' }],
      })
      const accounts = [accountOf('tea'), accountOf('books')]
      const { result, discrepancies } = await compareAccounts(accounts)
      assert.deepEqual([result, discrepancies], [agreed(2), []])
      for (const { gateway } of accounts) assert.deepEqual(gateway.asked, [])
    })

    test('a charge without an entry is found by the time at which it was started, up to seven days before it is booked', async () => {
      const within = [
        await attempted('tea', 'charged', FROM - 7 * DAY_MS),
        await attempted('tea', 'charged', TO - 1),
      ].toSorted()
      await attempted('tea', 'charged', FROM - 7 * DAY_MS - 1)
      await attempted('tea', 'charged', TO)
      const { discrepancies } = await compare(acquirerWith([]))
      assert.deepEqual(
        discrepancies.map((found) => ('movement' in found ? found.movement.orderCode : found.kind)).toSorted(),
        within,
      )
    })

    test('an entry whose line of the acquirer is missing does not add up', async () => {
      await bookLine('half', FROM, 'merchant', 'tea')
      await bookLine('other-half', FROM, 'acquirer', 'tea')
      await bookLine('unlisted', FROM, 'merchant', 'tea')
      const { discrepancies } = await compare(acquirerWith([charge('half', FROM), charge('other-half', FROM)]))
      const checkoutId = 'a-checkout'
      const unbalanced = { kind: 'unbalanced', checkoutId } as const
      assert.deepEqual(discrepancies, [
        { ...unbalanced, entry: 'charge half', balanceYen: 0 - YEN },
        { ...unbalanced, entry: 'charge other-half', balanceYen: YEN },
        { ...unbalanced, entry: 'charge unlisted', balanceYen: 0 - YEN },
        { kind: 'missing at acquirer', movement: { kind: 'charge', orderCode: 'unlisted' }, checkoutId, ourYen: 0 },
      ])
    })

    test('a charge that we know is asked about by our own reference, another by the one that the acquirer lists', async () => {
      const orderCode = await attempted('tea', 'charged', FROM)
      const acquirer = acquirerWith([charge(orderCode, FROM), charge('stranger', FROM)])
      await compare(acquirer)
      assert.deepEqual(
        acquirer.asked.map(({ reference }) => reference),
        ['ref', 'ref-stranger'],
      )
    })
  })

  test('the last 30 days are compared by default', () => {
    assert.deepEqual(recentPeriod(TO), { from: TO - 30 * DAY_MS, to: TO })
  })
})
