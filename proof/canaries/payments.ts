import { MERCHANT_BASE, SHOPPER_BASE } from '#contract/paths.ts'
import { systemClock } from '../../server/parts.ts'
import {
  authenticate,
  JSON_TYPE,
  open,
  pay,
  prepare,
  settled,
  SHOPPER,
  start,
  tryStart,
  wordOf,
  type Flow,
  type Order,
  type World,
} from './shopper.ts'
import type { Canary } from './canary.ts'

const paid: Flow = {
  name: 'is paid',
  ends: 'paid',
  run: async (world, canary) => wordOf(await pay(world, canary, await prepare(world, canary))),
}

const paidTwice: Flow = {
  name: 'is paid by two clicks at once',
  ends: 'paid paid',
  run: async (world, canary) => {
    const order = await prepare(world, canary)
    const answers = await Promise.all([pay(world, canary, order), pay(world, canary, order)])
    return answers.map(wordOf).join(' ')
  },
}

const cancelled: Flow = {
  name: 'is cancelled with the card held',
  ends: 'cancelled cancelled',
  run: async (world, canary) => {
    const order = await prepare(world, canary)
    const path = `${SHOPPER_BASE}/checkouts/${order.checkoutId}`
    const cancel = await world.client.send({ method: 'DELETE', path, headers: SHOPPER })
    return [cancel, await pay(world, canary, order)].map(wordOf).join(' ')
  },
}

const superseded: Flow = {
  name: 'is begun anew and paid',
  ends: 'order_over paid',
  run: async (world, canary) => {
    const first = await prepare(world, canary)
    const { orderCode } = await start(world, canary, first.checkoutId)
    const before = await pay(world, canary, first)
    await authenticate(world, orderCode)
    return [before, await pay(world, canary, { ...first, orderCode })].map(wordOf).join(' ')
  },
}

const expired: Flow = {
  name: 'expires with the card held',
  ends: 'expired',
  run: async (world, canary) => {
    const order = await prepare(world, canary)
    // Moved rather than waited for: a slow machine would need longer to hold the card than any wait.
    const past = systemClock.now() - 1000
    await world.database.transact((sql) =>
      sql.rows('UPDATE checkouts SET valid_until = $1 WHERE id = $2', past, order.checkoutId),
    )
    return wordOf(await pay(world, canary, order))
  },
}

const refunded: Flow = {
  name: 'is paid and refunded',
  ends: 'paid 201',
  run: async (world, canary) => {
    const order = await prepare(world, canary)
    const word = wordOf(await pay(world, canary, order))
    const headers = { ...JSON_TYPE, authorization: `Bearer ${world.merchantKey}` }
    const path = `${MERCHANT_BASE}/checkouts/${order.checkoutId}/refunds`
    const { status } = await world.client.send({ method: 'POST', path, headers, body: '{"refundId":"r-1"}' })
    return `${word} ${status}`
  },
}

const reported: Flow = {
  name: 'is given up while collecting',
  ends: '200 order_over',
  run: async (world, canary) => {
    const checkoutId = await open(world, canary)
    const { orderCode } = await start(world, canary, checkoutId)
    const path = `${SHOPPER_BASE}/3ds/${orderCode}/collect-error`
    const { status } = await world.client.send({ method: 'PATCH', path, headers: SHOPPER })
    return `${status} ${wordOf(await pay(world, canary, { checkoutId, orderCode }))}`
  },
}

const unwelcome: Flow = {
  name: 'is of a brand that the shop does not take',
  ends: 'card_declined',
  run: async (world, canary) => {
    const brand = canary.number.startsWith('4') ? 'master' : 'visa'
    const checkoutId = await open(world, canary, { acceptedCardBrands: [brand] })
    return wordOf(await tryStart(world, canary, checkoutId))
  },
}

const challenge = async (
  world: World,
  canary: Canary,
  answer: (world: World, challengeUrl: string) => Promise<void>,
): Promise<string> => {
  const checkoutId = await open(world, canary)
  const { orderCode } = await start(world, canary, checkoutId)
  const { challengeUrl = '' } = await authenticate(world, orderCode)
  await answer(world, challengeUrl)
  return wordOf(await pay(world, canary, { checkoutId, orderCode }))
}

const challenged: Flow = {
  name: 'is paid after a challenge',
  ends: 'paid',
  number: '4100000000005000',
  run: (world, canary) =>
    challenge(world, canary, async ({ browser }, url) => {
      await browser.press(await browser.openChallenge(url), 'confirm', '123456')
    }),
}

const challengeFailed: Flow = {
  name: 'fails its challenge',
  ends: 'card_declined',
  number: '4100000000710005',
  run: (world, canary) =>
    challenge(world, canary, async ({ browser }, url) => {
      let page = await browser.openChallenge(url)
      for (let tries = 0; tries < 3; tries += 1) page = (await browser.press(page, 'confirm', canary.cvc)).page
    }),
}

const challengeCancelled: Flow = {
  name: 'is cancelled by its holder in the challenge',
  ends: 'card_declined',
  number: '4100000000711003',
  run: (world, canary) =>
    challenge(world, canary, async ({ browser }, url) => {
      await browser.press(await browser.openChallenge(url), 'cancel')
    }),
}

const collected: Flow = {
  name: 'is paid after its browser was looked at',
  ends: 'paid',
  number: '4100000000600008',
  run: async (world, canary) => {
    const checkoutId = await open(world, canary)
    const { orderCode, collectUrl = '' } = await start(world, canary, checkoutId)
    const monitoringUrl = collectUrl.replace('/collect/', '/watch/')
    await world.browser.collect({ collectUrl, monitoringUrl }, () => {})
    await authenticate(world, orderCode)
    return wordOf(await pay(world, canary, { checkoutId, orderCode }))
  },
}

const published = (number: string, name: string, ends: string): Flow => ({ ...paid, name, ends, number })

const unstarted: Flow = {
  name: 'cannot be authenticated because nobody answers',
  ends: 'authentication_unavailable',
  number: '4100000000730003',
  run: async (world, canary) => wordOf(await tryStart(world, canary, await open(world, canary))),
}

/** Each with how often it is run among 200 flows. */
export const PAYMENTS: readonly (readonly [count: number, flow: Flow])[] = [
  [16, paid],
  [4, paidTwice],
  [5, cancelled],
  [4, superseded],
  [4, expired],
  [4, refunded],
  [4, reported],
  [4, unwelcome],
  [4, challenged],
  [3, challengeFailed],
  [3, challengeCancelled],
  [3, collected],
  [2, unstarted],
  [2, published('5105105105105100', 'is paid outside 3-D Secure', 'paid')],
  [2, published('4100000000750001', 'is declined', 'card_declined')],
  [2, published('4100000000751009', 'is declined as expired', 'card_declined')],
  [2, published('4100000000752007', 'is declined as unsupported', 'card_declined')],
  [2, published('4100000000300005', 'fails its authentication', 'card_declined')],
  [2, published('4100000000500000', 'is rejected by its bank', 'card_declined')],
]

/** What the acquirer leaves in doubt, and how it is cleared up. */
export interface Doubt {
  readonly name: string
  readonly number: string
  readonly ends: string
}

export const DOUBTS: readonly (readonly [count: number, doubt: Doubt])[] = [
  [3, { number: '4100000000755000', name: 'is dropped by the acquirer', ends: 'payment_in_progress open' }],
  [3, { number: '4100000000756008', name: 'is booked and answered with 500', ends: 'payment_in_progress paid' }],
  [3, { number: '4100000000757006', name: 'is answered with 500', ends: 'payment_in_progress open' }],
  [2, { number: '4100000000754003', name: 'is booked in silence', ends: 'payment_in_progress paid' }],
  [2, { number: '4100000000753005', name: 'is booked late', ends: 'payment_in_progress paid' }],
]

/** Pays, is told that nobody knows yet, and reads until somebody does. */
export const payInDoubt = async (world: World, canary: Canary, order: Order): Promise<string> => {
  const word = wordOf(await pay(world, canary, order))
  return `${word} ${await settled(world, order.checkoutId)}`
}
