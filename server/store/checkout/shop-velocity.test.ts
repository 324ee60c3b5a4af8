import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CARD_TESTING_LIMITS } from '#payment/card-testing.ts'
import type { Row } from '../engine/database.ts'
import type { Reads } from './shop-velocity-rows.ts'
import { createShopVelocity } from './shop-velocity.ts'

const SHOP = { merchantId: 'tea', mode: 'live' } as const
const orderOf = (number: number) => ({ ...SHOP, orderCode: `order-${number}` })
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

test('a card whose transaction runs again is counted once, also where it was the last one without a challenge', async () => {
  const velocity = createShopVelocity(() => 0)
  const sql: Reads = { rows: async () => [rowWith(LIMITS.shop.cardsPerHour - 1)] }
  for (let runs = 0; runs < 3; runs += 1) assert.equal(await velocity.take(sql, orderOf(1), LIMITS, 0), true)
  assert.equal(await velocity.take(sql, orderOf(2), LIMITS, 0), false)
})
