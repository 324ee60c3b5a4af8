import { MERCHANT_BASE, SHOPPER_BASE } from '#contract/paths.ts'
import { systemClock } from '../../server/dependencies.ts'
import {
  authenticate,
  JSON_HEADERS,
  createCheckout,
  makeTest,
  pay,
  prepareOrder,
  waitUntilSettled,
  SHOPPER_HEADERS,
  startAttempt,
  sendStart,
  statusOrErrorCode,
  type Flow,
  type Order,
  type FlowContext,
} from './shopper-requests.ts'
import type { Canary } from './canary.ts'

const paid: Flow = {
  name: 'is paid',
  expected: 'paid',
  run: async (context, canary) => statusOrErrorCode(await pay(context, canary, await prepareOrder(context, canary))),
}

const paidByTwoClicks: Flow = {
  name: 'is paid by two clicks at once',
  expected: 'paid paid',
  run: async (context, canary) => {
    const order = await prepareOrder(context, canary)
    const answers = await Promise.all([pay(context, canary, order), pay(context, canary, order)])
    return answers.map(statusOrErrorCode).join(' ')
  },
}

const cancelled: Flow = {
  name: 'is cancelled with the card held',
  expected: 'cancelled cancelled',
  run: async (context, canary) => {
    const order = await prepareOrder(context, canary)
    const path = `${SHOPPER_BASE}/checkouts/${order.checkoutId}`
    const cancel = await context.client.send({ method: 'DELETE', path, headers: SHOPPER_HEADERS })
    return [cancel, await pay(context, canary, order)].map(statusOrErrorCode).join(' ')
  },
}

const superseded: Flow = {
  name: 'is begun anew and paid',
  expected: 'order_over paid',
  run: async (context, canary) => {
    const first = await prepareOrder(context, canary)
    const { orderCode } = await startAttempt(context, canary, first.checkoutId)
    const before = await pay(context, canary, first)
    await authenticate(context, orderCode)
    return [before, await pay(context, canary, { ...first, orderCode })].map(statusOrErrorCode).join(' ')
  },
}

const expired: Flow = {
  name: 'expires with the card held',
  expected: 'expired',
  run: async (context, canary) => {
    const order = await prepareOrder(context, canary)
    // The deadline is moved: were it waited for, a slow machine might pass it before the card is held.
    const past = systemClock.now() - 1000
    await context.database.transact((sql) =>
      sql.rows('UPDATE checkouts SET valid_until = $1 WHERE id = $2', past, order.checkoutId),
    )
    return statusOrErrorCode(await pay(context, canary, order))
  },
}

const refunded: Flow = {
  name: 'is paid and refunded',
  expected: 'paid 201',
  run: async (context, canary) => {
    const order = await prepareOrder(context, canary)
    const outcome = statusOrErrorCode(await pay(context, canary, order))
    await makeTest(context, order.checkoutId)
    const headers = { ...JSON_HEADERS, authorization: `Bearer ${context.merchantKey}` }
    const path = `${MERCHANT_BASE}/checkouts/${order.checkoutId}/refunds`
    const { status } = await context.client.send({ method: 'POST', path, headers, body: '{"refundId":"r-1"}' })
    return `${outcome} ${status}`
  },
}

const collectErrorReported: Flow = {
  name: 'is given up while collecting',
  expected: '200 order_over',
  run: async (context, canary) => {
    const checkoutId = await createCheckout(context, canary)
    const { orderCode } = await startAttempt(context, canary, checkoutId)
    const path = `${SHOPPER_BASE}/3ds/${orderCode}/collect-error`
    const { status } = await context.client.send({ method: 'PATCH', path, headers: SHOPPER_HEADERS })
    return `${status} ${statusOrErrorCode(await pay(context, canary, { checkoutId, orderCode }))}`
  },
}

const brandNotAccepted: Flow = {
  name: 'is of a brand that the shop does not take',
  expected: 'card_declined',
  run: async (context, canary) => {
    const brand = canary.number.startsWith('4') ? 'master' : 'visa'
    const checkoutId = await createCheckout(context, canary, { acceptedCardBrands: [brand] })
    return statusOrErrorCode(await sendStart(context, canary, checkoutId))
  },
}

const payAfterChallenge = async (
  context: FlowContext,
  canary: Canary,
  answer: (context: FlowContext, challengeUrl: string) => Promise<void>,
): Promise<string> => {
  const checkoutId = await createCheckout(context, canary)
  const { orderCode } = await startAttempt(context, canary, checkoutId)
  const { challengeUrl = '' } = await authenticate(context, orderCode)
  await answer(context, challengeUrl)
  return statusOrErrorCode(await pay(context, canary, { checkoutId, orderCode }))
}

const challenged: Flow = {
  name: 'is paid after a challenge',
  expected: 'paid',
  number: '4100000000005000',
  run: (context, canary) =>
    payAfterChallenge(context, canary, async ({ browser }, url) => {
      await browser.pressButton(await browser.openChallenge(url), 'confirm', '123456')
    }),
}

const challengeFailed: Flow = {
  name: 'fails its challenge',
  expected: 'card_declined',
  number: '4100000000710005',
  run: (context, canary) =>
    payAfterChallenge(context, canary, async ({ browser }, url) => {
      let page = await browser.openChallenge(url)
      for (let tries = 0; tries < 3; tries += 1) page = (await browser.pressButton(page, 'confirm', canary.cvc)).page
    }),
}

const challengeCancelled: Flow = {
  name: 'is cancelled by its holder in the challenge',
  expected: 'authentication_unfinished',
  number: '4100000000711003',
  run: (context, canary) =>
    payAfterChallenge(context, canary, async ({ browser }, url) => {
      await browser.pressButton(await browser.openChallenge(url), 'cancel')
    }),
}

const collected: Flow = {
  name: 'is paid after its browser was looked at',
  expected: 'paid',
  number: '4100000000600008',
  run: async (context, canary) => {
    const checkoutId = await createCheckout(context, canary)
    const { orderCode, collectUrl = '' } = await startAttempt(context, canary, checkoutId)
    const monitoringUrl = collectUrl.replace('/collect/', '/watch/')
    await context.browser.runCollectFrames({ collectUrl, monitoringUrl }, () => {})
    await authenticate(context, orderCode)
    return statusOrErrorCode(await pay(context, canary, { checkoutId, orderCode }))
  },
}

const paidWithTestCard = (number: string, name: string, expected: string): Flow => ({ ...paid, name, expected, number })

const threeDSServerDown: Flow = {
  name: 'cannot be authenticated because nobody answers',
  expected: 'authentication_unavailable',
  number: '4100000000730003',
  run: async (context, canary) =>
    statusOrErrorCode(await sendStart(context, canary, await createCheckout(context, canary))),
}

/** Payment flows: each with how often it is run among all flows. */
export const PAYMENT_FLOWS: readonly (readonly [count: number, flow: Flow])[] = [
  [3, paid],
  [4, paidByTwoClicks],
  [5, cancelled],
  [4, superseded],
  [4, expired],
  [4, refunded],
  [4, collectErrorReported],
  [4, brandNotAccepted],
  [4, challenged],
  [3, challengeFailed],
  [3, challengeCancelled],
  [3, collected],
  [2, threeDSServerDown],
  [2, paidWithTestCard('5105105105105100', 'is paid outside 3-D Secure', 'paid')],
  [2, paidWithTestCard('4100000000750001', 'is declined', 'card_declined')],
  [2, paidWithTestCard('4100000000751009', 'is declined as expired', 'card_declined')],
  [2, paidWithTestCard('4100000000752007', 'is declined as unsupported', 'card_declined')],
  [2, paidWithTestCard('4100000000300005', 'fails its authentication', 'card_declined')],
  [2, paidWithTestCard('4100000000500000', 'is rejected by its bank', 'card_declined')],
]

/** A card whose charge the acquirer leaves in doubt, and how the doubt is resolved. */
export interface PaymentInDoubt {
  readonly name: string
  readonly number: string
  readonly expected: string
}

export const PAYMENTS_IN_DOUBT: readonly (readonly [count: number, doubt: PaymentInDoubt])[] = [
  [3, { number: '4100000000755000', name: 'is dropped by the acquirer', expected: 'payment_in_progress open' }],
  [3, { number: '4100000000756008', name: 'is booked and answered with 500', expected: 'payment_in_progress paid' }],
  [3, { number: '4100000000757006', name: 'is answered with 500', expected: 'payment_in_progress open' }],
  [2, { number: '4100000000754003', name: 'is booked in silence', expected: 'payment_in_progress paid' }],
  [2, { number: '4100000000753005', name: 'is booked late', expected: 'payment_in_progress paid' }],
]

/** Pays, is answered that the payment is in progress, and reads until its outcome is known. */
export const payUntilSettled = async (context: FlowContext, canary: Canary, order: Order): Promise<string> => {
  const outcome = statusOrErrorCode(await pay(context, canary, order))
  return `${outcome} ${await waitUntilSettled(context, order.checkoutId)}`
}
