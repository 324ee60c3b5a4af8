/** Payment flows: every way in which a payment with a canary card can go, each with how often it is run among all flows. */
import { systemClock } from '../../server/dependencies.ts'
import type { Canary } from './canary.ts'
import {
  canaryShopper,
  merchantCall,
  setMode,
  statusOrErrorCode,
  type CanaryShopper,
  type Flow,
  type FlowContext,
  type Order,
} from './shopper-requests.ts'

type RunFlow = (shopper: CanaryShopper, context: FlowContext, canary: Canary) => Promise<string>

const flow = (name: string, expected: string, run: RunFlow, number?: string): Flow => ({
  name,
  expected,
  ...(number === undefined ? {} : { number }),
  run: (context, canary) => run(canaryShopper(context, canary), context, canary),
})

const pay: RunFlow = async (shopper) => shopper.pay(await shopper.prepareOrder())

const payByTwoClicks: RunFlow = async (shopper) => {
  const order = await shopper.prepareOrder()
  return (await Promise.all([shopper.pay(order), shopper.pay(order)])).join(' ')
}

const cancel: RunFlow = async (shopper) => {
  const order = await shopper.prepareOrder()
  const cancelled = statusOrErrorCode(await shopper.call('DELETE', `/checkouts/${order.checkoutId}`))
  return `${cancelled} ${await shopper.pay(order)}`
}

const startAgainAndPay: RunFlow = async (shopper) => {
  const first = await shopper.prepareOrder()
  const { orderCode } = await shopper.start(first.checkoutId)
  const before = await shopper.pay(first)
  await shopper.authenticate(orderCode)
  return `${before} ${await shopper.pay({ ...first, orderCode })}`
}

const payAfterDeadline: RunFlow = async (shopper, { database }) => {
  const order = await shopper.prepareOrder()
  // The deadline is moved: were it waited for, a slow machine might pass it before the card is held.
  const past = systemClock.now() - 1000
  await database.transact((sql) =>
    sql.rows('UPDATE checkouts SET valid_until = $1 WHERE id = $2', past, order.checkoutId),
  )
  return shopper.pay(order)
}

const payAndRefund: RunFlow = async (shopper, context) => {
  const order = await shopper.prepareOrder()
  const outcome = await shopper.pay(order)
  await setMode(context, 'test', order.checkoutId)
  const refund = await merchantCall(context, `/checkouts/${order.checkoutId}/refunds`, { refundId: 'r-1' })
  return `${outcome} ${refund.status}`
}

const giveUpWhileCollecting: RunFlow = async (shopper) => {
  const checkoutId = await shopper.createCheckout()
  const { orderCode } = await shopper.start(checkoutId)
  const { status } = await shopper.call('PATCH', `/3ds/${orderCode}/collect-error`)
  return `${status} ${await shopper.pay({ checkoutId, orderCode })}`
}

const payWithRefusedBrand: RunFlow = async (shopper, _context, { number }) => {
  const acceptedCardBrands = [number.startsWith('4') ? 'master' : 'visa']
  return statusOrErrorCode(await shopper.sendStart(await shopper.createCheckout({ acceptedCardBrands })))
}

/** Starts, opens the bank's page, lets `answer` press its buttons, and pays. */
const payAfterChallenge =
  (answer: (context: FlowContext, challengeUrl: string, canary: Canary) => Promise<unknown>): RunFlow =>
  async (shopper, context, canary) => {
    const checkoutId = await shopper.createCheckout()
    const { orderCode } = await shopper.start(checkoutId)
    const { challengeUrl = '' } = await shopper.authenticate(orderCode)
    await answer(context, challengeUrl, canary)
    return shopper.pay({ checkoutId, orderCode })
  }

const passChallenge = payAfterChallenge(async ({ browser }, url) =>
  browser.pressButton(await browser.openChallenge(url), 'confirm', '123456'),
)
const failChallenge = payAfterChallenge(async ({ browser }, url, { cvc }) => {
  let page = await browser.openChallenge(url)
  for (let tries = 0; tries < 3; tries += 1) page = (await browser.pressButton(page, 'confirm', cvc)).page
})
const cancelChallenge = payAfterChallenge(async ({ browser }, url) =>
  browser.pressButton(await browser.openChallenge(url), 'cancel'),
)

const payAfterCollecting: RunFlow = async (shopper, { browser }) => {
  const checkoutId = await shopper.createCheckout()
  const { orderCode, collectUrl = '' } = await shopper.start(checkoutId)
  const monitoringUrl = collectUrl.replace('/collect/', '/watch/')
  await browser.runCollectFrames({ collectUrl, monitoringUrl }, () => {})
  await shopper.authenticate(orderCode)
  return shopper.pay({ checkoutId, orderCode })
}

const startOnly: RunFlow = async (shopper) => statusOrErrorCode(await shopper.sendStart(await shopper.createCheckout()))

export const PAYMENT_FLOWS: readonly (readonly [count: number, flow: Flow])[] = [
  [3, flow('is paid', 'paid', pay)],
  [4, flow('is paid by two clicks at once', 'paid paid', payByTwoClicks)],
  [5, flow('is cancelled with the card held', 'cancelled cancelled', cancel)],
  [4, flow('is begun anew and paid', 'order_over paid', startAgainAndPay)],
  [4, flow('expires with the card held', 'expired', payAfterDeadline)],
  [4, flow('is paid and refunded', 'paid 201', payAndRefund)],
  [4, flow('is given up while collecting', '200 order_over', giveUpWhileCollecting)],
  [4, flow('is of a brand that the shop does not take', 'card_declined', payWithRefusedBrand)],
  [4, flow('is paid after a challenge', 'paid', passChallenge, '4100000000005000')],
  [3, flow('fails its challenge', 'card_declined', failChallenge, '4100000000710005')],
  [
    3,
    flow(
      'is cancelled by its holder in the challenge',
      'authentication_unfinished',
      cancelChallenge,
      '4100000000711003',
    ),
  ],
  [3, flow('is paid after its browser was looked at', 'paid', payAfterCollecting, '4100000000600008')],
  [
    2,
    flow('cannot be authenticated because nobody answers', 'authentication_unavailable', startOnly, '4100000000730003'),
  ],
  [2, flow('is paid outside 3-D Secure', 'paid', pay, '4100000000740002')],
  [2, flow('is declined', 'card_declined', pay, '4100000000750001')],
  [2, flow('is declined as expired', 'card_declined', pay, '4100000000751009')],
  [2, flow('is declined as unsupported', 'card_declined', pay, '4100000000752007')],
  [2, flow('fails its authentication', 'card_declined', pay, '4100000000300005')],
  [2, flow('is rejected by its bank', 'card_declined', pay, '4100000000500000')],
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
export const payUntilDecided = async (shopper: CanaryShopper, order: Order): Promise<string> =>
  `${await shopper.pay(order)} ${await shopper.statusWhenDecided(order.checkoutId)}`
