/** Dispute contract: what an adapter must tell of the disputes of an account before a shop can rely on hearing of a chargeback. */
import assert from 'node:assert/strict'
import { before, describe, test, type TestContext } from 'node:test'
import type { Instant } from '#contract/jst.ts'
import { ledgerEntryName } from '#payment/ledger-movement.ts'
import type { AcquirerDispute, DisputeMovement, Gateway, Period, StatementLine } from '#payment/ports.ts'
import { systemClock } from '../../server/dependencies.ts'
import {
  AMOUNT_YEN,
  charge,
  chargeNewOrder,
  connect,
  orderWithCard,
  type AcquirerUnderTest,
  type DisputeControl,
} from './gateway-under-test.ts'
import { STATEMENT_PAGE_SIZE } from './statement-contract.ts'

/** Pages that one list of these tests has at most: a list that never ends would otherwise be read for ever. */
const PAGES_MAX = 50
/** The acquirer's clock may be behind ours, or set forward by the test. */
const CLOCKS_DIFFER_MS = 10_000
const LATER_MS = 3_600_000

const readPages = async <Item>(
  read: (after: string | null) => Promise<{ readonly items: readonly Item[]; readonly after: string | null }>,
): Promise<Item[][]> => {
  const pages: Item[][] = []
  for (let cursor: string | null = null; pages.length < PAGES_MAX;) {
    const page: Awaited<ReturnType<typeof read>> = await read(cursor)
    pages.push([...page.items])
    if (page.after === null) return pages
    cursor = page.after
  }
  return assert.fail('a list without an end')
}

const disputePages = (gateway: Gateway, period: Period): Promise<AcquirerDispute[][]> =>
  readPages(async (cursor) => {
    const page = await gateway.disputes(period, cursor)
    return page.outcome === 'unknown' ? assert.fail(page.why) : { ...page, items: page.disputes }
  })

const statementLines = async (gateway: Gateway, period: Period): Promise<StatementLine[]> => {
  const pages = await readPages(async (cursor) => {
    const page = await gateway.statement(period, cursor)
    return page.outcome === 'unknown' ? assert.fail(page.why) : { ...page, items: page.lines }
  })
  return pages.flat()
}

/** As our ledger would name it. */
const named = (orderCode: string, { kind, movementId, amountYen }: DisputeMovement): string =>
  `${ledgerEntryName({ kind, orderCode, movementId })} ${amountYen}`

export const testDisputeContract = (name: string, opened: () => AcquirerUnderTest): void => {
  // One test after another: each builds on what was disputed before.
  describe(`the disputes of ${name}`, { concurrency: false }, () => {
    let acquirer: AcquirerUnderTest
    let from: Instant
    before(() => {
      acquirer = opened()
      from = systemClock.now() - CLOCKS_DIFFER_MS
    })

    const openedIn = (): Period => ({ from, to: systemClock.now() + LATER_MS })
    /** Null: they cannot be tried here, and the test says why. */
    const controlIn = (t: TestContext): DisputeControl | null => {
      const { disputes } = acquirer
      if (typeof disputes !== 'string') return disputes
      t.diagnostic(`${name} was not asked about disputes: ${disputes}`)
      return null
    }
    const ofOrder = async (gateway: Gateway, orderCode: string): Promise<AcquirerDispute[]> =>
      (await disputePages(gateway, openedIn())).flat().filter((dispute) => dispute.orderCode === orderCode)
    /** The movements of a dispute as the list and as the statement name them. */
    const assertSameMovements = async (gateway: Gateway, orderCode: string): Promise<void> => {
      const to = (await acquirer.settle?.()) ?? systemClock.now() + LATER_MS
      const lines = (await statementLines(gateway, { from, to })).flatMap((line) =>
        line.kind !== 'charge' && line.kind !== 'refund' && line.orderCode === orderCode
          ? [named(orderCode, line)]
          : [],
      )
      const disputes = await ofOrder(gateway, orderCode)
      const told = disputes.flatMap(({ movements }) => movements.map((movement) => named(orderCode, movement)))
      assert.deepEqual(lines.toSorted(), told.toSorted())
    }

    test('a payment that nobody disputes is in no list', async (t) => {
      const connection = await connect(t, acquirer)
      const sent = await chargeNewOrder(connection, acquirer)
      assert.deepEqual(await ofOrder(connection.gateway, sent.orderCode), [])
    })

    test('a dispute that is opened is listed once, open, with its chargeback in the statement under the same id', async (t) => {
      const control = controlIn(t)
      if (control === null) return
      const connection = await connect(t, acquirer)
      const sent = await chargeNewOrder(connection, acquirer)
      const disputeId = await control.open(sent)
      const [dispute, ...others] = await ofOrder(connection.gateway, sent.orderCode)
      assert.deepEqual(others, [])
      assert.partialDeepStrictEqual(dispute, {
        disputeId,
        status: 'open',
        amountYen: AMOUNT_YEN,
        movements: [{ kind: 'chargeback', amountYen: AMOUNT_YEN }],
      })
      assert.equal(dispute?.movements.length, 1)
      assert.ok(dispute.respondBy !== null && dispute.respondBy > dispute.openedAt)
      await assertSameMovements(connection.gateway, sent.orderCode)
    })

    for (const ending of ['won', 'lost'] as const)
      test(`a dispute that is ${ending} ${ending === 'won' ? 'gives the money back, as a movement of its own' : 'keeps the money'}`, async (t) => {
        const control = controlIn(t)
        if (control === null) return
        const connection = await connect(t, acquirer)
        const sent = await chargeNewOrder(connection, acquirer)
        const disputeId = await control.open(sent)
        await control.end(disputeId, ending)
        const [dispute, ...others] = await ofOrder(connection.gateway, sent.orderCode)
        assert.deepEqual(others, [])
        assert.partialDeepStrictEqual(dispute, { disputeId, status: ending, respondBy: null })
        const kinds = dispute?.movements.map(({ kind }) => kind)
        assert.deepEqual(kinds, ending === 'won' ? ['chargeback', 'chargeback_reversal'] : ['chargeback'])
        await assertSameMovements(connection.gateway, sent.orderCode)
      })

    test('the dispute of a payment of another system on the same account is told by a reference of that payment', async (t) => {
      const control = controlIn(t)
      if (control === null) return
      const connection = await connect(t, acquirer)
      const order = { ...orderWithCard(acquirer.cards.charged), orderCode: 'INV-7' }
      const { sent } = await charge(connection, order)
      const { reference } = sent
      if (reference === null) assert.fail('charged without a reference')
      const disputeId = await control.open({ orderCode: order.orderCode, reference })
      const told = (await disputePages(connection.gateway, openedIn())).flat()
      const found = told.filter((dispute) => dispute.disputeId === disputeId)
      assert.deepEqual(
        found.map(({ orderCode }) => orderCode),
        [reference],
      )
    })

    test('disputes are listed page by page, each once, in the time in which they were opened', async (t) => {
      const control = controlIn(t)
      if (control === null) return
      const connection = await connect(t, acquirer)
      const disputed: string[] = []
      for (let count = 0; count <= STATEMENT_PAGE_SIZE; count += 1)
        disputed.push(await control.open(await chargeNewOrder(connection, acquirer)))
      const pages = await disputePages(connection.gateway, openedIn())
      assert.ok(pages.length > 1, 'one page shows nothing about paging')
      const listed = pages.flat().map(({ disputeId }) => disputeId)
      assert.equal(new Set(listed).size, listed.length)
      for (const disputeId of disputed) assert.ok(listed.includes(disputeId), disputeId)
      const times = pages.flat().map(({ openedAt }) => openedAt)
      for (const at of new Set(times)) {
        const earlier = (await disputePages(connection.gateway, { from, to: at })).flat()
        const later = (await disputePages(connection.gateway, { ...openedIn(), from: at })).flat()
        assert.deepEqual([...earlier, ...later].map(({ disputeId }) => disputeId).toSorted(), listed.toSorted())
        assert.ok(earlier.every(({ openedAt }) => openedAt < at) && later.every(({ openedAt }) => openedAt >= at))
      }
    })

    test('a page that fails is unknown, and is the same page when it is asked for again', async (t) => {
      const kept = acquirer.keeps['disputes are asked for at the acquirer']
      if (kept !== true) return t.diagnostic(`${name} does not keep "disputes are asked for at the acquirer": ${kept}`)
      if (controlIn(t) === null) return
      const { gateway, faults } = await connect(t, acquirer)
      const period = openedIn()
      const [first] = await disputePages(gateway, period)
      for (const fault of ['dropped before the acquirer', 'answer swallowed', '5xx before booking'] as const) {
        faults.meetNext(() => true, fault)
        const failed = await gateway.disputes(period, null)
        assert.ok(faults.isMet(), 'the page was not asked for')
        assert.partialDeepStrictEqual(failed, { outcome: 'unknown', isSilence: true }, fault)
        assert.deepEqual((await disputePages(gateway, period))[0], first)
      }
    })
  })
}
