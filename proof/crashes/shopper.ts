/** Shopper of the crash proof: one tab that does what the page does, and keeps what its responses confirmed. */
import type { Static, TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { jstMoment } from '#contract/jst.ts'
import { SHOPPER_BASE } from '#contract/paths.ts'
import { CheckoutAnswer } from '#contract/checkout.ts'
import { AuthenticateAnswer, StartAnswer } from '#contract/three-ds.ts'
import { systemClock } from '../../server/dependencies.ts'
import type { SeededRandom } from '../harness/seeded-random.ts'
import { CARD } from '../harness/test-server.ts'
import type { Acknowledgement } from './audit.ts'
import type { ApiClient, ApiResponse } from './api-client.ts'

/** What a shopper and a merchant share. */
export interface ShopperContext {
  readonly api: ApiClient
  readonly random: SeededRandom
  /** Keeps what a response confirmed, for the audit. */
  readonly acknowledge: (acknowledgement: Acknowledgement) => void
  /** Called when all that is left to do is to wait for the outcome of a charge. */
  readonly onWaiting: () => void
  /** True when nobody waits any longer for an outcome. */
  readonly isTimeUp: () => boolean
  /** The numbers that shoppers pay with. */
  readonly cards: readonly [string, ...string[]]
}

/** Every outcome that the sandbox has. */
export const CARDS: ShopperContext['cards'] = [
  // Charged at once; the last of them without 3-D Secure.
  '4242424242424242',
  '4242424242424242',
  '4111111111111111',
  '5555555555554444',
  '5555555555554444',
  '5105105105105100',
  '5105105105105100',
  // Declined; answered late; charged, no answer; dropped; HTTP 500 though charged; HTTP 500; charged late unless fenced.
  '4100000000750001',
  '4100000000753005',
  '4100000000754003',
  '4100000000755000',
  '4100000000756008',
  '4100000000757006',
  '4100000000758004',
]

/** An acquirer may refuse a card that expires in the far future. */
const EXPIRY_YEAR = jstMoment(systemClock.now()).year + 3

const MAX_TRIES = 6
const POLL_INTERVAL_MS = 250

/** The body of a 2xx response. One that breaks the contract is a fault of the server, not of the network. */
export const successBody = <S extends TSchema>(response: ApiResponse, schema: S): Static<S> | undefined => {
  if (response === 'no response' || response.status >= 300) return undefined
  const { status, body } = response
  if (!Check(schema, body)) throw new Error(`an answer of ${status} breaks the contract: ${JSON.stringify(body)}`)
  return body
}

/** After a failed call the tab reads the checkout before it shows anything. */
export const runShopperTab = async (
  { api, random, acknowledge, onWaiting, isTimeUp, cards }: ShopperContext,
  checkoutId: string,
): Promise<void> => {
  const path = `${SHOPPER_BASE}/checkouts/${checkoutId}`

  /** True when the checkout is closed, which is acknowledged. */
  const acknowledgeIfClosed = ({ status, transactionId }: CheckoutAnswer): boolean => {
    if (transactionId !== undefined) acknowledge({ event: 'paid', checkoutId, transactionId })
    if (status === 'cancelled') acknowledge({ event: 'cancelled', checkoutId })
    return status !== 'open'
  }

  /** Reads until a response says that no money is moving; true when the checkout is closed. */
  const readUntilSettled = async (orderCode: string | null): Promise<boolean> => {
    while (!isTimeUp()) {
      const response = await api.send({ name: 'read', method: 'GET', path })
      if (response !== 'no response' && response.status === 404)
        throw new Error(`checkout ${checkoutId} was created, and a reader is told that there is none`)
      const reading = successBody(response, CheckoutAnswer)
      if (reading !== undefined && acknowledgeIfClosed(reading)) return true
      if (reading?.paymentPending === false) {
        if (orderCode !== null) acknowledge({ event: 'nothing charged', orderCode })
        return false
      }
      if (reading?.paymentPending === true) onWaiting()
      await systemClock.sleep(POLL_INTERVAL_MS)
    }
    return true
  }

  const start = async (): Promise<StartAnswer | undefined> => {
    const body = { card: { ...CARD, expiryYear: EXPIRY_YEAR, number: random.oneOf(cards) } }
    const started = successBody(
      await api.send({ name: 'start', method: 'POST', path: `${path}/3ds`, body }),
      StartAnswer,
    )
    if (started !== undefined) acknowledge({ event: 'started', checkoutId, orderCode: started.orderCode })
    return started
  }

  const isAuthenticated = async (orderCode: string): Promise<boolean> => {
    const callPath = `${SHOPPER_BASE}/3ds/${orderCode}/authenticate`
    const response = await api.send({ name: 'authenticate', method: 'PATCH', path: callPath })
    const answer = successBody(response, AuthenticateAnswer)
    if (answer !== undefined) acknowledge({ event: 'authenticated', orderCode, checkCode: answer.checkCode })
    return answer !== undefined
  }

  /** True when a response says that the checkout is closed. */
  const pay = async (orderCode: string): Promise<boolean> => {
    const body = { cvc: CARD.cvc, locale: 'ja_JP', receiptEmail: CARD.email }
    const callPath = `${path}/3ds/${orderCode}/pay`
    const paid = successBody(await api.send({ name: 'pay', method: 'PATCH', path: callPath, body }), CheckoutAnswer)
    return paid !== undefined && acknowledgeIfClosed(paid)
  }

  const cancel = async (): Promise<boolean> => {
    const answer = successBody(await api.send({ name: 'cancel', method: 'DELETE', path }), CheckoutAnswer)
    return answer !== undefined && acknowledgeIfClosed(answer)
  }

  for (let tries = 0; tries < MAX_TRIES && !isTimeUp(); tries += 1) {
    if (random.chance(0.06) && (await cancel())) return
    const started = await start()
    if (started === undefined) {
      if (await readUntilSettled(null)) return
      continue
    }
    const { orderCode, threeDSRequired } = started
    if (threeDSRequired && !(await isAuthenticated(orderCode))) {
      if (await readUntilSettled(orderCode)) return
      continue
    }
    // A double click, and a cancel in another tab.
    const [paysTwice, cancels] = [random.chance(0.25), random.chance(0.08)]
    const closings = [pay(orderCode), ...(paysTwice ? [pay(orderCode)] : []), ...(cancels ? [cancel()] : [])]
    if ((await Promise.all(closings)).some(Boolean)) return
    if (await readUntilSettled(orderCode)) return
  }
}
