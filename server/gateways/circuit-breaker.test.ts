import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChargeOrder, ChargeOutcome, Gateway } from '#payment/ports.ts'
import { cardOf } from '../../proof/harness/cards.ts'
import { virtualClock, type VirtualClock } from '../../proof/harness/virtual-clock.ts'
import { absentGateway } from './absent.ts'
import { withCircuitBreaker } from './circuit-breaker.ts'

const ORDER: ChargeOrder = {
  orderCode: 'order',
  amountYen: 1980,
  card: cardOf('4242424242424242'),
  cvc: '737',
  clearance: { by: 'exemption', reason: 'not_enrolled' },
}

const DOUBT: ChargeOutcome = { outcome: 'unknown', why: 'no answer in time', isSilence: true }
const UNREADABLE: ChargeOutcome = { outcome: 'unknown', why: 'HTTP 400' }
const CHARGED: ChargeOutcome = { outcome: 'charged', transactionId: 'txn', approvedAt: 0, amountYen: 1980 }
const DECLINED: ChargeOutcome = { outcome: 'declined', reason: 'card_declined' }

interface Tried {
  readonly gateway: Gateway
  readonly clock: VirtualClock
  /** What the acquirer says to the next charge. */
  says: ChargeOutcome
  isUp: boolean
  isSilent: boolean
  healthChecks: number
  inquiries: number
}

const open = (): Tried => {
  const clock = virtualClock()
  const acquirer: Gateway = {
    ...absentGateway,
    ready: async () => {
      tried.healthChecks += 1
      return tried.isSilent ? 'silent' : tried.isUp ? 'ready' : 'refused'
    },
    charge: async () => tried.says,
    inquire: async () => {
      tried.inquiries += 1
      return { outcome: 'pending' }
    },
    fence: async () => ({ outcome: 'fenced' }),
  }
  const gateway = withCircuitBreaker(acquirer, clock.now)
  const tried: Tried = { gateway, clock, says: DOUBT, isUp: true, isSilent: false, healthChecks: 0, inquiries: 0 }
  return tried
}

const charge = async (tried: Tried, says: ChargeOutcome, times = 1): Promise<void> => {
  tried.says = says
  for (let made = 0; made < times; made += 1) assert.deepEqual(await tried.gateway.charge(ORDER), says)
}

test('payments start while the acquirer is up and stop while it is down', async () => {
  const tried = open()
  assert.equal(await tried.gateway.ready(), 'ready')
  tried.isUp = false
  tried.clock.advance(2000)
  assert.equal(await tried.gateway.ready(), 'refused')
})

test('a word about being up is kept for two seconds, so that a rush of shoppers asks once', async () => {
  const tried = open()
  await Promise.all(Array.from({ length: 50 }, () => tried.gateway.ready()))
  tried.clock.advance(1999)
  assert.equal(await tried.gateway.ready(), 'ready')
  assert.equal(tried.healthChecks, 1)
  tried.clock.advance(1)
  await tried.gateway.ready()
  assert.equal(tried.healthChecks, 2)
})

test('four payments in doubt keep the door open and the fifth in a row shuts it', async () => {
  const tried = open()
  await charge(tried, DOUBT, 4)
  assert.equal(await tried.gateway.ready(), 'ready')
  await charge(tried, DOUBT)
  assert.equal(await tried.gateway.ready(), 'refused')
})

for (const clear of [CHARGED, DECLINED, { outcome: 'void' } satisfies ChargeOutcome]) {
  test(`a payment that is ${clear.outcome} ends the row of doubts`, async () => {
    const tried = open()
    await charge(tried, DOUBT, 4)
    await charge(tried, clear)
    await charge(tried, DOUBT, 4)
    assert.equal(await tried.gateway.ready(), 'ready')
  })
}

test('an answer that decides nothing is no silence: payments refused as malformed keep the door open', async () => {
  const tried = open()
  await charge(tried, UNREADABLE, 50)
  assert.equal(await tried.gateway.ready(), 'ready')
})

test('an answer that decides nothing neither lengthens a row of doubts nor ends it', async () => {
  const tried = open()
  await charge(tried, DOUBT, 4)
  await charge(tried, UNREADABLE, 5)
  assert.equal(await tried.gateway.ready(), 'ready')
  await charge(tried, DOUBT)
  assert.equal(await tried.gateway.ready(), 'refused')
})

test('behind the shut door one payment goes through as a probe every thirty seconds', async () => {
  const tried = open()
  await charge(tried, DOUBT, 5)
  tried.clock.advance(29_999)
  assert.equal(await tried.gateway.ready(), 'refused')
  tried.clock.advance(1)
  assert.deepEqual(await Promise.all([tried.gateway.ready(), tried.gateway.ready(), tried.gateway.ready()]), [
    'ready',
    'refused',
    'refused',
  ])
  await charge(tried, DOUBT)
  tried.clock.advance(29_999)
  assert.equal(await tried.gateway.ready(), 'refused')
  tried.clock.advance(1)
  assert.equal(await tried.gateway.ready(), 'ready')
})

test('a probe that is answered opens the door for everybody', async () => {
  const tried = open()
  await charge(tried, DOUBT, 5)
  tried.clock.advance(30_000)
  assert.equal(await tried.gateway.ready(), 'ready')
  await charge(tried, DECLINED)
  assert.deepEqual(await Promise.all([tried.gateway.ready(), tried.gateway.ready()]), ['ready', 'ready'])
})

test('a probe that nobody paid with does not shut the door for ever', async () => {
  const tried = open()
  await charge(tried, DOUBT, 5)
  tried.clock.advance(30_000)
  assert.equal(await tried.gateway.ready(), 'ready')
  tried.clock.advance(30_000)
  assert.equal(await tried.gateway.ready(), 'ready')
})

test('a probe does not go through to an acquirer that is down', async () => {
  const tried = open()
  await charge(tried, DOUBT, 5)
  tried.isUp = false
  tried.clock.advance(30_000)
  assert.equal(await tried.gateway.ready(), 'refused')
})

test('behind the shut door inquiries and fences still pass, for they are how doubts end', async () => {
  const tried = open()
  await charge(tried, DOUBT, 5)
  assert.equal(await tried.gateway.ready(), 'refused')
  assert.deepEqual(await tried.gateway.inquire('order'), { outcome: 'pending' })
  assert.deepEqual(await tried.gateway.fence('order'), { outcome: 'fenced' })
  assert.equal(tried.inquiries, 1)
})

test('an acquirer that does not answer in time once is still tried; the fifth silence in a row shuts the door', async () => {
  const tried = open()
  tried.isSilent = true
  for (let asked = 0; asked < 4; asked += 1) {
    assert.equal(await tried.gateway.ready(), 'silent')
    tried.clock.advance(2000)
  }
  assert.equal(await tried.gateway.ready(), 'refused')
  assert.equal(await tried.gateway.ready(), 'refused')
})

/** Lets the kept word lapse and asks anew. */
const askAnew = async (tried: Tried, isSilent: boolean): Promise<string> => {
  tried.isSilent = isSilent
  tried.clock.advance(2000)
  return tried.gateway.ready()
}

test('an acquirer that says it is up ends a row of silences to that very question', async () => {
  const tried = open()
  for (let asked = 0; asked < 4; asked += 1) await askAnew(tried, true)
  assert.equal(await askAnew(tried, false), 'ready')
  for (let asked = 0; asked < 4; asked += 1) assert.equal(await askAnew(tried, true), 'silent')
  assert.equal(await askAnew(tried, false), 'ready')
})

test('a word of being up does not end a row that has a silent charge in it, wherever it stands', async () => {
  for (const chargedAt of [0, 3]) {
    const tried = open()
    for (let place = 0; place < 4; place += 1)
      if (place === chargedAt) await charge(tried, DOUBT)
      else await askAnew(tried, true)
    assert.equal(await askAnew(tried, false), 'ready')
    assert.equal(await askAnew(tried, true), 'refused')
  }
})

test('a door that was shut because nobody answered whether they are up opens for everybody with the first who does', async () => {
  const tried = open()
  for (let asked = 0; asked < 5; asked += 1) await askAnew(tried, true)
  tried.isSilent = false
  tried.clock.advance(29_999)
  assert.equal(await tried.gateway.ready(), 'refused')
  tried.clock.advance(1)
  assert.deepEqual(await Promise.all([tried.gateway.ready(), tried.gateway.ready()]), ['ready', 'refused'])
  assert.equal(await tried.gateway.ready(), 'ready')
})

test('a silent charge of an earlier row does not keep a word of being up from ending the next', async () => {
  const tried = open()
  await charge(tried, DOUBT)
  await charge(tried, CHARGED)
  for (let asked = 0; asked < 4; asked += 1) await askAnew(tried, true)
  assert.equal(await askAnew(tried, false), 'ready')
  assert.equal(await askAnew(tried, true), 'silent')
})
