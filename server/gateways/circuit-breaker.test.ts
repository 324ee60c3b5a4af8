import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChargeOrder, ChargeOutcome, Gateway, SentOrder } from '#payment/ports.ts'
import { cardWithNumber } from '../../proof/harness/cards.ts'
import { cardTestingDependencies } from '../../proof/harness/card-testing-parts.ts'
import { silentLog } from '../../proof/harness/silent-log.ts'
import { virtualClock, type TestClock } from '../../proof/harness/test-clocks.ts'
import { gatewayNotConfigured } from './not-configured.ts'
import { wrapGateway } from './wrap-gateway.ts'

const { cardFingerprint } = cardTestingDependencies(() => 0)

const NUMBERS = ['4242424242424242', '5555555555554444', '3530111333300000', '378282246310005', '6011111111111117']

/** A charge with one of five cards: they take turns. */
const orderOf = (nth: number): ChargeOrder => ({
  orderCode: 'order',
  amountYen: 1980,
  card: cardWithNumber(NUMBERS[nth % NUMBERS.length] ?? assert.fail()),
  cvc: '737',
  clearance: { by: 'exemption', reason: 'not_enrolled' },
})

const SENT: SentOrder = { orderCode: 'order', amountYen: 1980, reference: 'order', startedAt: 0 }
const remember = async (): Promise<boolean> => true

const NO_ANSWER: ChargeOutcome = { outcome: 'unknown', why: 'no answer in time', isSilence: true }
const UNREADABLE: ChargeOutcome = { outcome: 'unknown', why: 'HTTP 400' }
const CHARGED: ChargeOutcome = { outcome: 'charged', transactionId: 'txn', approvedAt: 0, amountYen: 1980 }
const DECLINED: ChargeOutcome = { outcome: 'declined', reason: 'card_declined' }

interface BreakerUnderTest {
  readonly gateway: Gateway
  readonly clock: TestClock
  /** The acquirer's answer to the next charge. */
  chargeAnswer: ChargeOutcome
  isUp: boolean
  isSilent: boolean
  healthChecks: number
  inquiries: number
  charges: number
}

const openBreaker = (): BreakerUnderTest => {
  const clock = virtualClock()
  const acquirer: Gateway = {
    ...gatewayNotConfigured,
    ready: async () => {
      breaker.healthChecks += 1
      return breaker.isSilent ? 'silent' : breaker.isUp ? 'ready' : 'refused'
    },
    charge: async () => breaker.chargeAnswer,
    inquire: async () => {
      breaker.inquiries += 1
      return { outcome: 'pending' }
    },
    fence: async () => ({ outcome: 'fenced' }),
  }
  const gateway = wrapGateway(acquirer, { log: silentLog, elapsed: clock.now, cardFingerprint })
  const breaker: BreakerUnderTest = {
    gateway,
    clock,
    chargeAnswer: NO_ANSWER,
    isUp: true,
    isSilent: false,
    healthChecks: 0,
    inquiries: 0,
    charges: 0,
  }
  return breaker
}

const chargeWith = async (
  breaker: BreakerUnderTest,
  answer: ChargeOutcome,
  cards: readonly number[],
): Promise<void> => {
  breaker.chargeAnswer = answer
  for (const nth of cards) assert.deepEqual(await breaker.gateway.charge(orderOf(nth), remember), answer)
}

/** Each with another card than the one before. */
const charge = async (breaker: BreakerUnderTest, answer: ChargeOutcome, times = 1): Promise<void> => {
  const cards = Array.from({ length: times }, (_none, made) => breaker.charges + made)
  breaker.charges += times
  await chargeWith(breaker, answer, cards)
}

test('payments start while the acquirer is up and stop while it is down', async () => {
  const breaker = openBreaker()
  assert.equal(await breaker.gateway.ready(), 'ready')
  breaker.isUp = false
  breaker.clock.advance(2000)
  assert.equal(await breaker.gateway.ready(), 'refused')
})

test('a ready answer is kept for two seconds, so that many shoppers at once make one ready check', async () => {
  const breaker = openBreaker()
  await Promise.all(Array.from({ length: 50 }, () => breaker.gateway.ready()))
  breaker.clock.advance(1999)
  assert.equal(await breaker.gateway.ready(), 'ready')
  assert.equal(breaker.healthChecks, 1)
  breaker.clock.advance(1)
  await breaker.gateway.ready()
  assert.equal(breaker.healthChecks, 2)
})

test('after four charges in a row without an answer the circuit breaker stays closed, and the fifth opens it', async () => {
  const breaker = openBreaker()
  await charge(breaker, NO_ANSWER, 4)
  assert.equal(await breaker.gateway.ready(), 'ready')
  await charge(breaker, NO_ANSWER)
  assert.equal(await breaker.gateway.ready(), 'refused')
})

for (const answered of [CHARGED, DECLINED, { outcome: 'not_charged' } satisfies ChargeOutcome]) {
  test(`a charge that is ${answered.outcome} resets the count of missing answers`, async () => {
    const breaker = openBreaker()
    await charge(breaker, NO_ANSWER, 4)
    await charge(breaker, answered)
    await charge(breaker, NO_ANSWER, 4)
    assert.equal(await breaker.gateway.ready(), 'ready')
  })
}

test('charges that were given up after a silence, before any money could move, open the circuit breaker', async () => {
  const breaker = openBreaker()
  await chargeWith(breaker, { outcome: 'not_charged', isSilence: true }, [0, 1, 2, 3])
  assert.equal(await breaker.gateway.ready(), 'ready')
  await chargeWith(breaker, { outcome: 'not_charged', isSilence: true }, [4])
  assert.equal(await breaker.gateway.ready(), 'refused')
})

test('an answer without an outcome is no missing answer: charges refused as malformed do not open the circuit breaker', async () => {
  const breaker = openBreaker()
  await charge(breaker, UNREADABLE, 50)
  assert.equal(await breaker.gateway.ready(), 'ready')
})

test('an answer without an outcome neither raises the count of missing answers nor resets it', async () => {
  const breaker = openBreaker()
  await charge(breaker, NO_ANSWER, 4)
  await charge(breaker, UNREADABLE, 5)
  assert.equal(await breaker.gateway.ready(), 'ready')
  await charge(breaker, NO_ANSWER)
  assert.equal(await breaker.gateway.ready(), 'refused')
})

test('while the circuit breaker is open one payment goes through as a probe every thirty seconds', async () => {
  const breaker = openBreaker()
  await charge(breaker, NO_ANSWER, 5)
  breaker.clock.advance(29_999)
  assert.equal(await breaker.gateway.ready(), 'refused')
  breaker.clock.advance(1)
  assert.deepEqual(await Promise.all([breaker.gateway.ready(), breaker.gateway.ready(), breaker.gateway.ready()]), [
    'ready',
    'refused',
    'refused',
  ])
  await charge(breaker, NO_ANSWER)
  breaker.clock.advance(29_999)
  assert.equal(await breaker.gateway.ready(), 'refused')
  breaker.clock.advance(1)
  assert.equal(await breaker.gateway.ready(), 'ready')
})

test('a probe that is answered closes the circuit breaker', async () => {
  const breaker = openBreaker()
  await charge(breaker, NO_ANSWER, 5)
  breaker.clock.advance(30_000)
  assert.equal(await breaker.gateway.ready(), 'ready')
  await charge(breaker, DECLINED)
  assert.deepEqual(await Promise.all([breaker.gateway.ready(), breaker.gateway.ready()]), ['ready', 'ready'])
})

test('a probe that is never charged does not keep the circuit breaker open for ever', async () => {
  const breaker = openBreaker()
  await charge(breaker, NO_ANSWER, 5)
  breaker.clock.advance(30_000)
  assert.equal(await breaker.gateway.ready(), 'ready')
  breaker.clock.advance(30_000)
  assert.equal(await breaker.gateway.ready(), 'ready')
})

test('a probe does not go through to an acquirer that is down', async () => {
  const breaker = openBreaker()
  await charge(breaker, NO_ANSWER, 5)
  breaker.isUp = false
  breaker.clock.advance(30_000)
  assert.equal(await breaker.gateway.ready(), 'refused')
})

test('while the circuit breaker is open inquiries and fences still pass, because they end doubts', async () => {
  const breaker = openBreaker()
  await charge(breaker, NO_ANSWER, 5)
  assert.equal(await breaker.gateway.ready(), 'refused')
  assert.deepEqual(await breaker.gateway.inquire(SENT), { outcome: 'pending' })
  assert.deepEqual(await breaker.gateway.fence(SENT), { outcome: 'fenced' })
  assert.equal(breaker.inquiries, 1)
})

test('after four ready checks in a row without an answer payments still start, and the fifth opens the circuit breaker', async () => {
  const breaker = openBreaker()
  breaker.isSilent = true
  for (let checks = 0; checks < 4; checks += 1) {
    assert.equal(await breaker.gateway.ready(), 'silent')
    breaker.clock.advance(2000)
  }
  assert.equal(await breaker.gateway.ready(), 'refused')
  assert.equal(await breaker.gateway.ready(), 'refused')
})

/** Lets the kept ready answer expire and makes a new ready check. */
const checkReadyAgain = async (breaker: BreakerUnderTest, isSilent: boolean): Promise<string> => {
  breaker.isSilent = isSilent
  breaker.clock.advance(2000)
  return breaker.gateway.ready()
}

test('a ready answer resets the count of ready checks without an answer', async () => {
  const breaker = openBreaker()
  for (let checks = 0; checks < 4; checks += 1) await checkReadyAgain(breaker, true)
  assert.equal(await checkReadyAgain(breaker, false), 'ready')
  for (let checks = 0; checks < 4; checks += 1) assert.equal(await checkReadyAgain(breaker, true), 'silent')
  assert.equal(await checkReadyAgain(breaker, false), 'ready')
})

test('a ready answer does not reset the count of missing answers after a charge that got no answer, first or last in the row', async () => {
  for (const chargedAt of [0, 3]) {
    const breaker = openBreaker()
    for (let place = 0; place < 4; place += 1)
      if (place === chargedAt) await charge(breaker, NO_ANSWER)
      else await checkReadyAgain(breaker, true)
    assert.equal(await checkReadyAgain(breaker, false), 'ready')
    assert.equal(await checkReadyAgain(breaker, true), 'refused')
  }
})

test('a circuit breaker that was opened by ready checks without an answer is closed by the first ready answer', async () => {
  const breaker = openBreaker()
  for (let checks = 0; checks < 5; checks += 1) await checkReadyAgain(breaker, true)
  breaker.isSilent = false
  breaker.clock.advance(29_999)
  assert.equal(await breaker.gateway.ready(), 'refused')
  breaker.clock.advance(1)
  assert.deepEqual(await Promise.all([breaker.gateway.ready(), breaker.gateway.ready()]), ['ready', 'refused'])
  assert.equal(await breaker.gateway.ready(), 'ready')
})

test('a charge without an answer before the last reset does not keep a ready answer from resetting the next count', async () => {
  const breaker = openBreaker()
  await charge(breaker, NO_ANSWER)
  await charge(breaker, CHARGED)
  for (let checks = 0; checks < 4; checks += 1) await checkReadyAgain(breaker, true)
  assert.equal(await checkReadyAgain(breaker, false), 'ready')
  assert.equal(await checkReadyAgain(breaker, true), 'silent')
})

test('one card whose charges get no answer, sent fifty times, does not open the circuit breaker, and neither do two', async () => {
  const breaker = openBreaker()
  await chargeWith(
    breaker,
    NO_ANSWER,
    Array.from({ length: 50 }, () => 0),
  )
  assert.equal(await breaker.gateway.ready(), 'ready')
  await chargeWith(
    breaker,
    NO_ANSWER,
    Array.from({ length: 50 }, (_none, made) => made % 2),
  )
  assert.equal(await breaker.gateway.ready(), 'ready')
  await chargeWith(breaker, NO_ANSWER, [2])
  assert.equal(await breaker.gateway.ready(), 'refused')
})

test('each card counts twice at most: five charges with three cards open the circuit breaker, four with four do not', async () => {
  for (const [cards, answer] of [
    [[0, 1, 2, 3], 'ready'],
    [[0, 0, 1, 1, 2], 'refused'],
    [[0, 0, 0, 1, 2], 'ready'],
    [[0, 1, 2, 3, 4], 'refused'],
  ] as const) {
    const breaker = openBreaker()
    await chargeWith(breaker, NO_ANSWER, cards)
    assert.equal(await breaker.gateway.ready(), answer, cards.join(' '))
  }
})

test('a card that was wiped before its charge changes nothing about the outcome', async () => {
  const breaker = openBreaker()
  const order = orderOf(0)
  order.card.number.wipe()
  breaker.chargeAnswer = NO_ANSWER
  for (let made = 0; made < 10; made += 1) assert.deepEqual(await breaker.gateway.charge(order, remember), NO_ANSWER)
  assert.equal(await breaker.gateway.ready(), 'ready')
})

const throws = (): never => {
  throw new Error('a bug')
}

for (const [name, fail] of [
  ['throws', throws],
  ['rejects', async () => throws()],
] as const) {
  const open = (failing: Partial<Gateway>): BreakerUnderTest['gateway'] =>
    wrapGateway(
      { ...gatewayNotConfigured, ready: async () => 'ready', ...failing },
      {
        log: silentLog,
        elapsed: virtualClock().now,
        cardFingerprint,
      },
    )

  test(`an adapter whose charge ${name} five times in a row opens the circuit breaker`, async () => {
    const gateway = open({ charge: fail })
    for (let made = 0; made < 5; made += 1) {
      assert.equal(await gateway.ready(), 'ready')
      assert.equal((await gateway.charge(orderOf(made), remember)).outcome, 'unknown')
    }
    assert.equal(await gateway.ready(), 'refused')
  })

  test(`an adapter whose ready check ${name} is silent, and is silent five times before the circuit breaker opens`, async () => {
    const clock = virtualClock()
    const gateway = wrapGateway(
      { ...gatewayNotConfigured, ready: fail },
      {
        log: silentLog,
        elapsed: clock.now,
        cardFingerprint,
      },
    )
    for (let checks = 0; checks < 4; checks += 1) {
      assert.equal(await gateway.ready(), 'silent')
      clock.advance(2000)
    }
    assert.equal(await gateway.ready(), 'refused')
  })
}

test('the circuit breaker of one account at an acquirer says nothing of another account there', async () => {
  const acquirer: Gateway = { ...gatewayNotConfigured, ready: async () => 'ready', charge: async () => NO_ANSWER }
  const deps = { log: silentLog, elapsed: virtualClock().now, cardFingerprint }
  const [blocked, other] = [wrapGateway(acquirer, deps), wrapGateway(acquirer, deps)]
  for (let made = 0; made < 5; made += 1) await blocked.charge(orderOf(made), remember)
  assert.deepEqual([await blocked.ready(), await other.ready()], ['refused', 'ready'])
})
