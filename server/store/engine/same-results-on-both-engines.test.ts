import assert from 'node:assert/strict'
import { HEALTHY_DISK_AND_CLOCK } from '../../../proof/harness/healthy-disk-and-clock.ts'
import { after, before, describe, test } from 'node:test'
import { isRefusal } from '#contract/errors.ts'
import type { AttemptState } from '#payment/attempt.ts'
import type { Taxes } from '#contract/invoice-figures.ts'
import { NOW } from '#payment/testing/records.ts'
import { authenticate } from '../../operations/authenticate.ts'
import { cancel } from '../../operations/cancel.ts'
import { createCardHold } from '../../card-hold/memory.ts'
import { monitor, reportError } from '../../operations/challenge.ts'
import { newCheckout } from '#payment/new-checkout.ts'
import { expire } from '../../operations/expire.ts'
import type { Dependencies } from '../../dependencies.ts'
import { pay } from '../../operations/pay.ts'
import { removePicture, replacePicture } from '../../operations/pictures.ts'
import { fixture } from '../../pictures/testing/fixtures.ts'
import { inquireRefundsIfDue, refund } from '../../operations/refund.ts'
import { recordOutcome } from '../../operations/record-outcome.ts'
import { inquireIfDue } from '../../operations/resolve-doubt.ts'
import { start } from '../../operations/start-payment.ts'
import { openSqliteInMemory, openPostgresDatabase } from '../../../proof/harness/databases.ts'
import { silentLog } from '../../../proof/harness/silent-log.ts'
import { freshAttempt, ALL_ATTEMPT_STATES } from '../../../proof/harness/fresh-records.ts'
import { seededRandom, seededId, type SeededRandom } from '../../../proof/harness/seeded-random.ts'
import { CARD } from '../../../proof/harness/test-server.ts'
import { MERCHANT_SETTINGS, TEA_MERCHANT, testKey } from '../../../proof/harness/test-merchants.ts'
import {
  dumpRows,
  deleteAllRows,
  comparableOutcome,
  sqliteTableNames,
  TABLES,
} from '../../../proof/harness/compare-databases.ts'
import { sharedAccount } from '../../../proof/promises/shared-account.ts'
import { randomExternalServices } from '../../../proof/harness/random-external-services.ts'
import { workOnce } from '../../background/worker.ts'
import { findByTicket, markChallengeShown, saveBrowserFacts, saveCollected } from '../checkout/authentications.ts'
import type { Database } from './database.ts'
import { ticketOf } from '../../ids.ts'
import { findPastDeadline, findInquiriesDue } from '../checkout/due-checkouts.ts'
import { bookingsWrite, refundBooking } from '../checkout/ledger.ts'
import { findKey, hashKey, insertKey, keyIdOf, saveExpiry, saveLastUse, saveRevocation } from '../merchant/keys.ts'
import { findKeyHolder } from '../merchant/callers.ts'
import { findMerchant, insertMerchant, type Merchant } from '../merchant/merchants.ts'
import { lockCheckout, saveTransitions } from '../checkout/transitions.ts'
import { refundsOfCheckout } from '../checkout/refunds.ts'
import { cardTestingDependencies, CLIENT_NETWORK } from '../../../proof/harness/card-testing-parts.ts'
import { WEBHOOK_PARTS } from '../../../proof/harness/webhook-parts.ts'
import { findCheckout, insertCheckout, saveAttempt, saveRefund } from '../../../proof/harness/save-records.ts'
import { readCheckoutSnapshot } from '../checkout/checkout-reads.ts'
import { createRecentMerchants } from '../merchant/recent-merchants.ts'
import { UNCOUNTED } from '../../../proof/harness/no-limits.ts'

const RUNS_AT_LEAST = 15
/** By their seeds, however fast the machine is. Each of these is reached long before the last. */
const RUNS_AT_MOST = 60
const MUST_BE_REACHED = ['paid', 'refunded', 'expired', 'cancelled'].map((status) => `${status} checkout`)
const OPERATIONS = 40
const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const merchants: readonly [Merchant, Merchant] = [
  TEA_MERCHANT,
  {
    id: 'books-id',
    label: 'books',
    settings: {
      ...MERCHANT_SETTINGS,
      allowExemption: false,
      requireFullAuthentication: true,
      registrationNumber: 'T1234567890123',
    },
    forcedChallengeUntil: { test: 0, live: 0 },
    closedAt: null,
  },
]
/** Of some checkouts, and of some refunds. */
const TAXED = {
  subject: '煎茶 ※と茶器',
  taxes: [{ rate: 8, amount: 980 } as const, { rate: 10, amount: 1000 } as const],
}
const TAXES_OF_100: Taxes = [{ rate: 8, amount: 100 }]
const browser = { acceptHeader: '*/*', userAgent: 'x', ip: '127.0.0.1', language: 'ja', screen: null }
const receipt = { email: 'taro@example.com', locale: 'ja_JP' }

/** The server's own functions on one database, with a clock, ids and external services that are the same on the other. */
interface EngineRun {
  readonly deps: Dependencies
  readonly madeIds: string[]
  readonly checkouts: { readonly merchant: Merchant; readonly id: string; readonly orders: string[] }[]
  advance(ms: number): void
}

const openEngineRun = (database: Database, seed: number): EngineRun => {
  let now = NOW
  const clock = {
    now: () => now,
    // Longer than asked: a call that waits until its timeout polls six times, not two hundred.
    sleep: async (ms: number) => {
      now += Math.max(ms, 5 * SECOND)
    },
  }
  const ids = seededRandom(seed)
  const madeIds: string[] = []
  const id = (): string => {
    const made = seededId(ids)
    madeIds.push(made)
    return made
  }
  const publicBase = new URL('http://localhost:3000')
  const cardHold = createCardHold(clock.now)
  const externalServices = randomExternalServices(seed)
  return {
    deps: {
      database,
      findMerchant: createRecentMerchants(database, clock.now),
      gateways: sharedAccount(database, externalServices.gateway),
      threeDSServer: externalServices.threeDSServer,
      cardHold,
      clock,
      elapsed: clock.now,
      random: { id },
      log: silentLog,
      gatewayTimeoutMs: 20_000,
      ...HEALTHY_DISK_AND_CLOCK,
      ...cardTestingDependencies(clock.now),
      ...WEBHOOK_PARTS,
      publicBase,
    },
    madeIds,
    checkouts: [],
    advance: (ms) => {
      now += ms
    },
  }
}

type Operation = (engineRun: EngineRun, random: SeededRandom) => Promise<unknown>
type OnCheckout = (
  engineRun: EngineRun,
  random: SeededRandom,
  target: { readonly merchant: Merchant; readonly id: string; readonly orders: string[]; readonly order: string },
) => Promise<unknown>

/** One of the last few checkouts and one of its orders; now and then one that does not exist. */
const onCheckout =
  (work: OnCheckout): Operation =>
  async (engineRun, random) => {
    const recent = engineRun.checkouts.slice(-4)
    const [merchant] = merchants
    const none = { merchant, id: 'a'.repeat(32), orders: [] }
    const target = recent[random.between(0, random.chance(0.03) ? recent.length : recent.length - 1)] ?? none
    const orders = target.orders.slice(-3)
    const order = random.chance(0.95) ? orders[random.between(0, orders.length - 1)] : undefined
    return work(engineRun, random, { ...target, order: order ?? 'b'.repeat(32) })
  }

const create: Operation = async ({ deps, checkouts }, random) => {
  const merchant = random.oneOf([...merchants])
  const id = deps.random.id()
  const now = deps.clock.now()
  const soon = new Date(now + random.oneOf([30 * SECOND, 10 * MINUTE, HOUR])).toISOString()
  const body = {
    amount: 1980,
    ...(random.chance(0.25) ? { validUntil: soon } : {}),
    ...(random.chance(0.5) ? TAXED : {}),
    metadata: { 注文: "A'1\\\0" },
  }
  const checkout = newCheckout(body, {
    merchantId: merchant.id,
    id,
    mode: 'test',
    linkId: null,
    now,
    settings: merchant.settings,
    acquirer: null,
    unicodeHost: (host) => host,
  })
  if (isRefusal(checkout)) return checkout
  checkouts.push({ merchant, id, orders: [] })
  return deps.database.transact((sql) => insertCheckout(sql, checkout))
}

const startPayment = onCheckout(async ({ deps }, random, { merchant, id, orders }) => {
  const number = random.oneOf([CARD.number, CARD.number, CARD.number, '4000000000000000'])
  const answer = await start(deps, merchant, id, {
    payload: { ...CARD, number },
    clientNetwork: CLIENT_NETWORK,
    countFirstCard: () => UNCOUNTED,
  })
  if (!isRefusal(answer)) orders.push(answer.orderCode)
  return answer
})

const payOrder = onCheckout(async ({ deps }, _random, { merchant, id, order }) =>
  pay(deps, merchant, { checkoutId: id, orderCode: order }, { cvc: '737', receipt }),
)

/** The usual way of a shopper, as far as acquirer and 3-D Secure allow. */
const buy: Operation = async (engineRun, random) => {
  await create(engineRun, random)
  const target = engineRun.checkouts.at(-1)
  if (target === undefined) return null
  const { deps } = engineRun
  const { merchant, id, orders } = target
  const started = await start(deps, merchant, id, {
    payload: CARD,
    clientNetwork: CLIENT_NETWORK,
    countFirstCard: () => UNCOUNTED,
  })
  if (isRefusal(started)) return started
  const { orderCode } = started
  orders.push(orderCode)
  const asked = started.threeDSRequired ? await authenticate(deps, merchant, orderCode, browser) : null
  const paid = await pay(deps, merchant, { checkoutId: id, orderCode }, { cvc: '737', receipt })
  const refundRequest = {
    refundId: 'r1',
    amountYen: random.oneOf([null, 100]),
    taxes: random.oneOf([null, TAXES_OF_100]),
    mode: 'test',
  } as const
  return [
    started,
    asked,
    paid,
    random.chance(0.5) ? await refund(deps, { merchantId: merchant.id, checkoutId: id }, refundRequest) : null,
  ]
}

/** Often: without them no checkout comes far. */
const common: readonly [Operation, ...Operation[]] = [
  buy,
  buy,
  startPayment,
  payOrder,
  onCheckout(async ({ deps }, _random, { merchant, order }) => authenticate(deps, merchant, order, browser)),
  onCheckout(async ({ deps }, random, { merchant, id }) => {
    const amountYen = random.oneOf([null, 100, 100, 1900])
    return refund(
      deps,
      { merchantId: merchant.id, checkoutId: id },
      { refundId: random.oneOf(['r1', 'R2', 'é', 'a b']), amountYen, taxes: null, mode: 'test' },
    )
  }),
  onCheckout(async ({ deps }, _random, { merchant, id }) => {
    const ref = { merchantId: merchant.id, checkoutId: id }
    await inquireIfDue(deps, await readCheckoutSnapshot(deps.database, ref))
    await inquireRefundsIfDue(deps, ref, await refundsOfCheckout(deps.database, ref))
    return [
      await readCheckoutSnapshot(deps.database, { merchantId: merchant.id, checkoutId: id }),
      await refundsOfCheckout(deps.database, { merchantId: merchant.id, checkoutId: id }),
    ]
  }),
  async ({ deps }) => workOnce(deps),
  async (engineRun, random) =>
    engineRun.advance(random.oneOf([SECOND, SECOND, 5 * SECOND, 40 * SECOND, 11 * MINUTE, HOUR, -MINUTE])),
]

/** Names that exist in both places, so that one is also released and named again. */
const changePicture: Operation = async ({ deps }, random) => {
  const { id } = random.oneOf(merchants)
  const place = random.oneOf(['logo', 'cover'] as const)
  return random.chance(0.3)
    ? removePicture(deps, id, place)
    : replacePicture(deps, id, place, fixture(random.oneOf(['canvas.png', 'gray.jpg', 'rgb.jpg', 'rotated.jpg'])))
}

const rare: readonly [Operation, ...Operation[]] = [
  create,
  changePicture,
  create,
  onCheckout(async ({ deps }, _random, { merchant, id }) => cancel(deps, { merchantId: merchant.id, checkoutId: id })),
  onCheckout(async ({ deps }, _random, { merchant, id }) => expire(deps, { merchantId: merchant.id, checkoutId: id })),
  onCheckout(async ({ deps }, _random, { merchant, order }) => monitor(deps, merchant, order)),
  onCheckout(async ({ deps }, random, { merchant, order }) =>
    reportError(deps, merchant, order, random.oneOf(['collect error', 'challenge error'])),
  ),
  onCheckout(async ({ deps }, random, { merchant, id, order }) => {
    const late = { outcome: 'charged', transactionId: 'late', approvedAt: 1, amountYen: 1980 } as const
    const answer = random.oneOf<Parameters<typeof recordOutcome>[2]>([
      late,
      { outcome: 'not_charged' },
      { outcome: 'pending' },
      { outcome: 'declined', reason: 'x' },
    ])
    const asked = { merchantId: merchant.id, checkoutId: id, orderCode: order, state: { receipt } }
    return recordOutcome(deps, asked, answer, { actor: 'inquiry' })
  }),
  // Whatever state an attempt is put into, the engines agree on what is stored and which constraint was violated.
  onCheckout(async ({ deps }, random, { merchant, id, orders, order }) => {
    const state: AttemptState | undefined = ALL_ATTEMPT_STATES[random.between(0, ALL_ATTEMPT_STATES.length - 1)]
    const isNew = random.chance(0.5)
    const orderCode = isNew ? deps.random.id() : order
    return deps.database.transact(async (sql) => {
      const locked = await lockCheckout(sql, { merchantId: merchant.id, checkoutId: id })
      if (locked === null || state === undefined) return locked
      const attempt = freshAttempt(locked.checkout, state, { orderCode })
      await saveTransitions(
        sql,
        locked,
        { attempts: [attempt] },
        { actor: 'worker', why: 'put', now: deps.clock.now() },
        'http://tea.localhost:3000',
      )
      if (isNew) orders.push(orderCode)
      return [locked, await lockCheckout(sql, { merchantId: merchant.id, checkoutId: id })]
    })
  }),
  async ({ deps, madeIds }, random) => {
    const id = madeIds[random.between(0, madeIds.length - 1)] ?? ''
    const findAll = () =>
      Promise.all(
        merchants.map(({ id: merchantId }) =>
          findByTicket(deps.database, { merchantId, ticket: ticketOf(merchantId, id) }),
        ),
      )
    for (const record of await findAll()) {
      if (record === null) continue
      await saveBrowserFacts(deps.database, record, browser)
      await saveCollected(deps.database, record, 'collected')
      await markChallengeShown(deps.database, record, deps.clock.now())
    }
    return findAll()
  },
  async ({ deps }) => {
    const now = deps.clock.now()
    return [
      await findInquiriesDue(deps.database, now, 2),
      await findInquiriesDue(deps.database, now, 50),
      await findPastDeadline(deps.database, now, 50),
    ]
  },
  // Keys, doubled and broken.
  async ({ deps }, random) => {
    const key = testKey(random.oneOf(['k1', 'k2']), random.oneOf(['tea-id', 'nobody']))
    const hash = hashKey(key.key)
    const now = deps.clock.now()
    const saved = await comparableOutcome(() => deps.database.transact((sql) => insertKey(sql, key, now)))
    const change = random.oneOf([saveLastUse, saveRevocation, saveExpiry])
    await change(deps.database, hash, now)
    return [saved, await findKeyHolder(deps.database, hash), await findKey(deps.database, keyIdOf({ hash }))]
  },
  async ({ deps }, random) => {
    const merchant = {
      id: random.oneOf(['tea-id', 'x']),
      label: random.oneOf(['tea', 'books', 'y']),
      settings: MERCHANT_SETTINGS,
    }
    const saved = await comparableOutcome(() => deps.database.transact((sql) => insertMerchant(sql, merchant, 1)))
    return [saved, await findMerchant(deps.database, merchant.label)]
  },
  onCheckout(async ({ deps }, random, { merchant, id, order }) => {
    const checkout = await findCheckout(deps.database, { merchantId: merchant.id, checkoutId: id })
    if (checkout === null) return null
    const money = { merchantId: merchant.id, checkoutId: id, refundId: 'r1', orderCode: order, taxes: null }
    const state = { name: 'refunded', refundedAt: 1 } as const
    const amountYen = random.oneOf([1, 0, 9_999_999, 10_000_000])
    const saving = random.oneOf<(sql: Parameters<typeof saveAttempt>[0]) => Promise<unknown>>([
      (sql) => insertCheckout(sql, checkout),
      (sql) => insertCheckout(sql, { ...checkout, id: deps.random.id(), amountYen }),
      (sql) => sql.writeAll(bookingsWrite([refundBooking({ ...money, amountYen, requestedAt: 1, state }, 1)], 'test')),
      (sql) => saveRefund(sql, { ...money, refundId: 'new', amountYen, requestedAt: 1, state }),
      (sql) =>
        saveAttempt(sql, freshAttempt({ ...checkout, id: 'nowhere' }, { name: 'challenged' }, { orderCode: order })),
    ])
    return deps.database.transact(saving)
  }),
]

describe('both engines', () => {
  let sqlite: Database
  let server: Awaited<ReturnType<typeof openPostgresDatabase>>
  before(async () => {
    sqlite = await openSqliteInMemory()
    server = await openPostgresDatabase()
  })
  after(async () => {
    await sqlite.close()
    await server.close()
  })

  /** Which states attempts, refunds and checkouts reached. */
  const reached = new Set<string>()

  /** One run from a seed: the same operations on both, every answer compared, at the end every row. */
  const run = async (seed: number): Promise<Record<'value' | 'conflict' | 'error', number>> => {
    const replay = `replay it: SEED=${seed} node --test server/store/engine/same-results-on-both-engines.test.ts`
    const databases = [sqlite, server.database] as const
    for (const database of databases) {
      await deleteAllRows(database)
      for (const merchant of merchants) await insertMerchant(database, merchant, 0)
    }
    const engineRuns = [openEngineRun(sqlite, seed), openEngineRun(server.database, seed)] as const
    const random = seededRandom(seed)
    const seen = { value: 0, conflict: 0, error: 0 }
    for (let turn = 0; turn < OPERATIONS; turn += 1) {
      const operation = turn === 0 ? create : random.oneOf(random.chance(0.7) ? common : rare)
      const choices = random.between(0, 2 ** 31)
      const [one, other] = [
        await comparableOutcome(() => operation(engineRuns[0], seededRandom(choices))),
        await comparableOutcome(() => operation(engineRuns[1], seededRandom(choices))),
      ]
      assert.deepEqual(other, one, `operation ${turn}, ${replay}`)
      for (const kind of ['value', 'conflict', 'error'] as const)
        if (typeof one === 'object' && one !== null && kind in one) seen[kind] += 1
    }
    const rows = await dumpRows(sqlite)
    assert.deepEqual(await dumpRows(server.database), rows, `the tables, ${replay}`)
    for (const line of rows['changes'] ?? [])
      reached.add(/"moved_to":"(\w+)","place":\d+,"subject":"(\w+)/.exec(line)?.slice(1).join(' ') ?? line)
    return seen
  }

  test('no table is left out of the comparison', async () => {
    assert.deepEqual((await sqliteTableNames(sqlite)).toSorted(), [...TABLES].toSorted())
  })

  test('give the same answers to the same operations, refuse the same with the same constraint names and end with the same rows', async (t) => {
    const asked = process.env['SEED']
    const isReached = (state: string): boolean => reached.has(state)
    const total = { runs: 0, value: 0, conflict: 0, error: 0 }
    for (let seed = Number(asked ?? 1); total.runs < RUNS_AT_LEAST || !MUST_BE_REACHED.every(isReached); seed += 1) {
      assert.ok(
        total.runs < RUNS_AT_MOST,
        `${MUST_BE_REACHED.filter((state) => !isReached(state)).join()} was never reached`,
      )
      const seen = await run(seed)
      total.runs += 1
      total.value += seen.value
      total.conflict += seen.conflict
      total.error += seen.error
      if (asked !== undefined) break
    }
    t.diagnostic(
      `${total.runs} runs: ${total.value} answers, ${total.conflict} conflicts, ${total.error} errors, all alike`,
    )
    t.diagnostic([...reached].toSorted().join(', '))
    if (asked !== undefined) return
    assert.ok(total.conflict > 0 && total.error > 0, 'runs without a conflict show little')
  })
})
