import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AcquirerDispute, Period } from '#payment/ports.ts'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { storeNotifications } from '../../store/merchant/acquirer-notifications.ts'
import { readDisputes, type DisputeNotice } from './disputes.ts'
import { DISPUTE_EVENTS } from './dispute-events.ts'
import { openAdyenInbox } from './inbox.ts'
import { readNotifications } from './parse-notification.ts'
import { accountAt, bodyOf, itemOf, notice, ORDER, PSP, STARTED_AT } from './testing/adyen-fixtures.ts'

const DISPUTE = 'QFQTPCQ8HXSKGK82'
const ALL_TIME: Period = { from: 0, to: Number.MAX_SAFE_INTEGER }

const told = (event: string, more: Partial<DisputeNotice> = {}): DisputeNotice => ({
  ...notice({ event, pspReference: DISPUTE, occurredAt: STARTED_AT }),
  originalReference: PSP,
  respondBy: null,
  ...more,
})

/** What all these notices say of one dispute. */
const pageOf = (...notices: readonly DisputeNotice[]) =>
  readDisputes({ disputes: async () => ({ disputes: [notices], after: null }) }, ALL_TIME, null, 100)
const disputeOf = async (...notices: readonly DisputeNotice[]): Promise<AcquirerDispute> => {
  const page = await pageOf(...notices)
  if (page.outcome === 'unknown') assert.fail(page.why)
  return page.disputes[0] ?? assert.fail('no dispute')
}
const statusOf = async (...events: readonly string[]): Promise<string> =>
  (await disputeOf(...events.map((event) => told(event)))).status

test('each event leads a dispute on, in whatever order the events arrive', async () => {
  const cases = {
    inquiry: [
      ['REQUEST_FOR_INFORMATION'],
      ['REQUEST_FOR_INFORMATION', 'INFORMATION_SUPPLIED', 'DISPUTE_DEFENSE_PERIOD_ENDED'],
    ],
    open: [
      ['NOTIFICATION_OF_CHARGEBACK'],
      ['NOTIFICATION_OF_CHARGEBACK', 'DISPUTE_DEFENSE_PERIOD_ENDED'],
      ['REQUEST_FOR_INFORMATION', 'NOTIFICATION_OF_CHARGEBACK', 'CHARGEBACK'],
      ['CHARGEBACK', 'INFORMATION_SUPPLIED', 'DISPUTE_DEFENSE_PERIOD_ENDED', 'ISSUER_COMMENTS'],
      ['CHARGEBACK', 'CHARGEBACK_REVERSED', 'PREARBITRATION_OPEN'],
    ],
    won: [
      ['CHARGEBACK', 'CHARGEBACK_REVERSED'],
      ['CHARGEBACK', 'CHARGEBACK_REVERSED', 'ISSUER_RESPONSE_TIMEFRAME_EXPIRED'],
      ['CHARGEBACK', 'CHARGEBACK_REVERSED', 'PREARBITRATION_OPEN', 'PREARBITRATION_WON'],
      ['CHARGEBACK', 'CHARGEBACK_REVERSED', 'SECOND_CHARGEBACK', 'SCHEME_ARBITRATION_WON'],
    ],
    lost: [
      ['CHARGEBACK', 'DISPUTE_DEFENSE_PERIOD_ENDED'],
      ['CHARGEBACK', 'CHARGEBACK_REVERSED', 'SECOND_CHARGEBACK'],
      ['CHARGEBACK', 'CHARGEBACK_REVERSED', 'PREARBITRATION_OPEN', 'PREARBITRATION_LOST'],
      ['CHARGEBACK', 'CHARGEBACK_REVERSED', 'SCHEME_ARBITRATION_LOST', 'SECOND_CHARGEBACK'],
    ],
  }
  for (const [status, histories] of Object.entries(cases))
    for (const events of histories) {
      assert.equal(await statusOf(...events), status, events.join())
      assert.equal(await statusOf(...events.toReversed()), status, events.toReversed().join())
    }
  const shown = new Set(Object.values(cases).flat(2))
  assert.deepEqual(
    DISPUTE_EVENTS.filter((event) => !shown.has(event)),
    [],
    'every event of the table is in a history',
  )
})

test('a dispute is told with its order, its money, its reason and the time until which the shop can answer', async () => {
  const dispute = await disputeOf(
    told('CHARGEBACK', { occurredAt: STARTED_AT + 5, respondBy: STARTED_AT + 9, reason: 'other_fraud_card_absent' }),
    told('NOTIFICATION_OF_CHARGEBACK', { respondBy: STARTED_AT + 8 }),
  )
  assert.deepEqual(dispute, {
    disputeId: DISPUTE,
    orderCode: ORDER,
    status: 'open',
    amountYen: 1980,
    reason: 'other_fraud_card_absent',
    respondBy: STARTED_AT + 9,
    openedAt: STARTED_AT,
    movements: [{ kind: 'chargeback', movementId: DISPUTE, amountYen: 1980, movedAt: STARTED_AT + 5 }],
  })
  const answered = await disputeOf(told('CHARGEBACK', { respondBy: STARTED_AT + 9 }), told('INFORMATION_SUPPLIED'))
  assert.equal(answered.respondBy, null)
})

test('money that is taken, given back and taken again are three movements, and an event that is told twice is one', async () => {
  const { movements } = await disputeOf(
    told('SECOND_CHARGEBACK', { amountYen: 2480, occurredAt: STARTED_AT + 3 }),
    told('CHARGEBACK', { amountYen: 1 }),
    told('CHARGEBACK', { occurredAt: STARTED_AT + 1 }),
    told('CHARGEBACK_REVERSED', { occurredAt: STARTED_AT + 2 }),
  )
  assert.deepEqual(movements, [
    { kind: 'chargeback', movementId: DISPUTE, amountYen: 1980, movedAt: STARTED_AT + 1 },
    { kind: 'chargeback_reversal', movementId: `${DISPUTE}-reversed`, amountYen: 1980, movedAt: STARTED_AT + 2 },
    { kind: 'chargeback', movementId: `${DISPUTE}-second`, amountYen: 2480, movedAt: STARTED_AT + 3 },
  ])
})

test('the dispute of a payment of another system is told by Adyen’s id of the payment, and left out in another currency', async () => {
  assert.equal((await disputeOf(told('CHARGEBACK', { orderCode: null }))).orderCode, PSP)
  assert.equal((await disputeOf(told('CHARGEBACK', { orderCode: 'k3v6wq2mk3v6wq2', refundId: 'r1' }))).orderCode, PSP)
  const inDollars = await pageOf(told('CHARGEBACK', { orderCode: null, amountYen: null }))
  assert.deepEqual(inDollars, { outcome: 'page', disputes: [], unreadable: [], after: null })
})

test('a dispute of ours that cannot be read is named by itself, and hides no other of its page', async () => {
  const good = [told('CHARGEBACK', { pspReference: 'RFQTPCQ8HXSKGK82' })]
  const many = Array.from({ length: 101 }, (_, place) => told('CHARGEBACK', { amountYen: place }))
  for (const [disputeId, ...broken] of [
    [DISPUTE, told('CHARGEBACK', { amountYen: null })],
    [null, told('CHARGEBACK', { pspReference: '4111111111111111' })],
    [DISPUTE, told('CHARGEBACK', { originalReference: '4111111111111111' })],
    [DISPUTE, ...many],
  ] as const) {
    const inbox = { disputes: async () => ({ disputes: [broken, good], after: null }) }
    const page = await readDisputes(inbox, ALL_TIME, null, 100)
    if (page.outcome === 'unknown') assert.fail(page.why)
    assert.deepEqual(
      page.disputes.map((each) => each.disputeId),
      ['RFQTPCQ8HXSKGK82'],
    )
    assert.deepEqual(
      page.unreadable?.map((each) => [each.disputeId, each.orderCode]),
      [[disputeId, ORDER]],
    )
  }
  const never = { disputes: async () => assert.fail('the inbox is not read') }
  for (const cursor of ['', '1/a', '1.a b', 'A'.repeat(201)])
    assert.equal((await readDisputes(never, ALL_TIME, cursor, 100)).outcome, 'unknown')
})

test('a reversal without its chargeback is no movement yet: it waits until the chargeback is told', async () => {
  const reversed = told('CHARGEBACK_REVERSED', { occurredAt: STARTED_AT + 2 })
  for (const more of [[], [told('NOTIFICATION_OF_CHARGEBACK')], [told('SECOND_CHARGEBACK')]]) {
    const page = await pageOf(reversed, ...more)
    assert.deepEqual(page, {
      outcome: 'page',
      disputes: [],
      unreadable: [
        {
          disputeId: DISPUTE,
          orderCode: ORDER,
          why: 'its money was given back, and no notification says that it was taken',
        },
      ],
      after: null,
    })
  }
  const { movements } = await disputeOf(reversed, told('CHARGEBACK'))
  assert.deepEqual(
    movements.map(({ kind }) => kind),
    ['chargeback', 'chargeback_reversal'],
  )
  const elsewhere = await pageOf({ ...reversed, orderCode: null })
  assert.deepEqual(elsewhere, { outcome: 'page', disputes: [], unreadable: [], after: null })
})

onBothDatabases((engine) => {
  test('disputes of a time are listed by their first notification, each once with all that was told of it, page by page', async () => {
    const database = await engine.open()
    const account = { merchantId: 'm1', mode: 'test', account: accountAt('https://ca-test.adyen.com') } as const
    const at = (second: number): number => Date.parse('2026-11-15T12:00:00+09:00') + second * 1000
    const tell = async (dispute: string, eventCode: string, second: number, mode: 'test' | 'live' = 'test') => {
      const item = itemOf({
        pspReference: `${dispute}FQTPCQ8HXSKGK82`,
        eventCode,
        merchantReference: ORDER,
        eventDate: new Date(at(second)).toISOString(),
      })
      const read = readNotifications(bodyOf([item]), account, at(1000))
      if (read.is !== 'ours') assert.fail(read.is)
      const notifications = read.notifications.map((each) => ({ ...each, mode }))
      await storeNotifications(database, notifications)
      await storeNotifications(database, notifications)
    }
    await tell('A', 'CHARGEBACK', 20)
    await tell('B', 'CHARGEBACK', 10)
    await tell('A', 'NOTIFICATION_OF_CHARGEBACK', 5)
    await tell('C', 'CHARGEBACK', 10)
    await tell('A', 'CHARGEBACK_REVERSED', 30)
    await tell('B', 'REFUND', 1)
    await tell('D', 'CHARGEBACK', 11, 'live')
    const inbox = openAdyenInbox(database, account)
    const list = async (openedIn: Period, limit: number): Promise<string[][]> => {
      const pages: string[][] = []
      for (let after: string | null = null, count = 0; count < 9; count += 1) {
        const page = await readDisputes(inbox, openedIn, after, limit)
        if (page.outcome === 'unknown') assert.fail(page.why)
        pages.push(page.disputes.map(({ disputeId, status }) => `${disputeId[0]} ${status}`))
        if (page.after === null) return pages
        ;({ after } = page)
      }
      return assert.fail('a list without an end')
    }
    const all = { from: at(0), to: at(100) }
    assert.deepEqual(await list(all, 100), [['A won', 'B open', 'C open']])
    assert.deepEqual(await list(all, 1), [['A won'], ['B open'], ['C open'], []])
    assert.deepEqual(await list(all, 2), [['A won', 'B open'], ['C open']])
    // Money of the first one moved in this time, and it was opened before.
    assert.deepEqual(await list({ from: at(10), to: at(100) }, 100), [['B open', 'C open']])
    assert.deepEqual(await list({ from: at(10), to: at(100) }, 1), [[], ['B open'], ['C open'], []])
    assert.deepEqual(await list({ from: at(5), to: at(10) }, 100), [['A won']])
  })
})
