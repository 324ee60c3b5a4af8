import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CARD_TESTING_LIMITS } from '#payment/card-testing.ts'
import type { Row } from '../engine/database.ts'
import type { Reads } from './shop-velocity-rows.ts'
import { createShopVelocity, SHARES_OF_SEVERAL_SERVERS } from './shop-velocity.ts'

const SHOP = { merchantId: 'tea', mode: 'live' } as const
const orderOf = (number: number) => ({ ...SHOP, orderCode: `order-${number}` })
let orders = 1000
const newOrder = () => orderOf((orders += 1))
const LIMITS = CARD_TESTING_LIMITS.live

const rowWith = (unpaid: number): Row => ({ paid: 0, unpaid, history_paid: 0, history_unpaid: 0 })

test('a card that two payments read at the same moment is counted once', async () => {
  const velocity = createShopVelocity(() => 0)
  const answers: ((rows: Row[]) => void)[] = []
  const sql: Reads = {
    rows: () =>
      new Promise<Row[]>((resolve) => {
        answers.push(resolve)
      }),
  }
  const first = velocity.take(sql, orderOf(1), LIMITS, 0)
  const second = velocity.take(sql, orderOf(2), LIMITS, 0)
  answers[0]?.([rowWith(0)])
  assert.equal(await first, true)
  // The reading of the second ends later, and has the card of the first in it already.
  answers[1]?.([rowWith(1)])
  assert.equal(await second, true)
  let more = 0
  while (await velocity.take(sql, orderOf(3 + more), LIMITS, 0)) more += 1
  assert.equal(2 + more, LIMITS.shop.cardsPerHour)
})

test('three servers together let at most two eighths more cards be tried at a shop than one, and one of them alone lets as many', async () => {
  let [at, stored] = [0, 0]
  const sql: Reads = { rows: async () => [rowWith(stored)] }
  const openServer = () => createShopVelocity(() => at, SHARES_OF_SEVERAL_SERVERS)
  /** Each card is tried a while after the one before, and all within a minute of the first reading. */
  const tryCards = async (servers: readonly ReturnType<typeof openServer>[]): Promise<number> => {
    stored = 0
    for (let refusals = 0; refusals < servers.length;)
      for (const server of servers) {
        at += 20
        if (await server.take(sql, newOrder(), LIMITS, 0)) stored += 1
        else refusals += 1
      }
    return stored
  }
  const limit = LIMITS.shop.cardsPerHour
  const ofThree = await tryCards([openServer(), openServer(), openServer()])
  assert.ok(ofThree <= limit + 2 * Math.ceil(limit / SHARES_OF_SEVERAL_SERVERS), String(ofThree))
  // One whose cards come slowly enough to be stored is refused none before the limit.
  stored = 0
  const alone = openServer()
  while (await alone.take(sql, newOrder(), LIMITS, 0)) [at, stored] = [at + 4000, stored + 1]
  assert.equal(stored, limit)
})

test('a server whose share is not used up reads again within a minute, and then knows what the others have tried', async () => {
  let [at, stored] = [0, 0]
  const sql: Reads = { rows: async () => [rowWith(stored)] }
  const idle = createShopVelocity(() => at, SHARES_OF_SEVERAL_SERVERS)
  assert.equal(await idle.take(sql, newOrder(), LIMITS, 0), true)
  stored = LIMITS.shop.cardsPerHour
  at = 60_000
  assert.equal(await idle.take(sql, newOrder(), LIMITS, 0), false)
})

test('a card whose transaction runs again is counted once, also where it was the last one without a challenge', async () => {
  const velocity = createShopVelocity(() => 0)
  const sql: Reads = { rows: async () => [rowWith(LIMITS.shop.cardsPerHour - 1)] }
  for (let runs = 0; runs < 3; runs += 1) assert.equal(await velocity.take(sql, orderOf(1), LIMITS, 0), true)
  assert.equal(await velocity.take(sql, orderOf(2), LIMITS, 0), false)
})
