/** Simulated shopper: one tab that does what the page does, until it knows how the payment ended. */
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import type { SeededRandom } from '../harness/seeded-random.ts'
import { CARD } from '../harness/test-server.ts'
import type { VirtualTime } from './virtual-time.ts'

const SECOND = 1000

/** Response to a shopper's tab, or none: the connection broke on the way there or back. */
export type TabResponse = LightMyRequestResponse | 'no response'

/** Sends a request from a browser to the server. */
export type SendRequest = (options: InjectOptions) => Promise<TabResponse>

export type ShopperMessage = 'paid' | 'failed' | 'nothing charged' | 'cancelled' | 'confirming' | 'expired'

/** Message that one tab showed, as the page would show it. */
export interface ShownMessage {
  readonly checkoutId: string
  readonly tab: number
  readonly at: number
  readonly message: ShopperMessage
  readonly orderCode: string | null
}

type Cards = readonly [string, ...string[]]

const FRICTIONLESS = CARD.number
const CHALLENGED = '5555555555554444'
const NOT_ENROLLED = '5105105105105100'
const DECLINED = '4100000000750001'
const REFUSED = '4100000000300005'
const CHALLENGE_FAILED = '4100000000400003'

/** Cards that are charged. */
const GOOD_CARDS: Cards = [FRICTIONLESS, FRICTIONLESS, CHALLENGED, NOT_ENROLLED]

export interface ShopperBehaviour {
  readonly cards: Cards
  /** How often the form is sent before the shopper gives up. */
  readonly maxTries: number
  /** How often Cancel is pressed before a try. */
  readonly cancelRate: number
  /** How many times the confirming panel reads before the shopper closes the page; a mail follows. */
  readonly maxReadings: number
}

export const TYPICAL_SHOPPER: ShopperBehaviour = { cards: GOOD_CARDS, maxTries: 3, cancelRate: 0.02, maxReadings: 15 }

export const ERRATIC_SHOPPER: ShopperBehaviour = {
  cards: [FRICTIONLESS, FRICTIONLESS, CHALLENGED, CHALLENGED, NOT_ENROLLED, DECLINED, REFUSED, CHALLENGE_FAILED],
  maxTries: 6,
  cancelRate: 0.08,
  maxReadings: 15,
}

/** Wants to pay, and stays until the payment is done. */
export const PERSISTENT_SHOPPER: ShopperBehaviour = {
  cards: GOOD_CARDS,
  maxTries: 15,
  cancelRate: 0,
  maxReadings: 1000,
}

interface TabOptions {
  readonly checkoutId: string
  readonly behaviour: ShopperBehaviour
  readonly send: SendRequest
  readonly time: VirtualTime
  readonly random: SeededRandom
  readonly show: (message: ShopperMessage, orderCode: string | null) => void
}

interface CheckoutReading {
  readonly status?: string
  readonly paymentPending?: boolean
}

export const isOk = (response: TabResponse): response is LightMyRequestResponse =>
  response !== 'no response' && response.statusCode < 300

export const isRefused = (response: TabResponse): boolean => response !== 'no response' && response.statusCode === 400

/** The server was not ready: another one may have got the same request. */
const isUndecided = (response: LightMyRequestResponse): boolean =>
  response.statusCode === 503 && response.json<{ code?: string }>().code === 'unavailable'

/** The page's own schedule: it polls often at first, and less often when it takes long. */
const pollIntervalMs = (readings: number): number => (readings < 15 ? 2 * SECOND : 10 * SECOND)

/** Simulated tab: does what the page does, until it knows how the payment ended. */
export const simulateTab = async ({ checkoutId, behaviour, send, time, random, show }: TabOptions): Promise<void> => {
  const url = `/api/v1/checkouts/${checkoutId}`
  const pause = (maxMs: number): Promise<void> => time.sleep(random.between(0, maxMs))

  let unansweredOrderCode: string | null = null
  /** Reads the checkout. An order whose pay call got no response is given up first: the call may still arrive. */
  const readCheckout = async (): Promise<CheckoutReading> => {
    if (unansweredOrderCode !== null) {
      const givenUp = await send({ method: 'PATCH', url: `/api/v1/3ds/${unansweredOrderCode}/challenge-error` })
      if (givenUp === 'no response' || (givenUp.statusCode >= 300 && givenUp.statusCode !== 409)) return {}
      unansweredOrderCode = null
    }
    const response = await send({ method: 'GET', url })
    return isOk(response) ? response.json<CheckoutReading>() : {}
  }
  /** Shows how a closed checkout ended; false when it is open. */
  const showIfClosed = (reading: CheckoutReading): boolean => {
    if (reading.status === 'paid' || reading.status === 'refunded') show('paid', null)
    else if (reading.status === 'cancelled') show('cancelled', null)
    else if (reading.status === 'expired' || reading.status === 'failed') show('expired', null)
    else return false
    return true
  }
  /** Polls as the confirming panel does; true when the checkout is closed or the shopper leaves. */
  const readAfterFailure = async (orderCode: string | null, wasPay: boolean): Promise<boolean> => {
    let hasConfirmed = false
    for (let readings = 0; readings < behaviour.maxReadings; readings += 1) {
      const reading = await readCheckout()
      if (showIfClosed(reading)) return true
      if (reading.status === 'open' && reading.paymentPending !== true) {
        show(hasConfirmed ? 'nothing charged' : 'failed', orderCode)
        return false
      }
      if (reading.status === undefined && !wasPay && !hasConfirmed) return false
      show('confirming', orderCode)
      hasConfirmed = true
      await time.sleep(pollIntervalMs(readings))
    }
    // The shopper closes the page; a mail follows.
    return true
  }

  const authenticate = async (orderCode: string): Promise<boolean> => {
    await pause(3 * SECOND)
    const response = await send({ method: 'PATCH', url: `/api/v1/3ds/${orderCode}/authenticate` })
    if (!isOk(response)) return false
    if (response.json<{ threeDSType: string }>().threeDSType !== 'challenge') return true
    for (let polls = 0; polls < 20; polls += 1) {
      await time.sleep(SECOND)
      const answer = await send({ method: 'GET', url: `/api/v1/3ds/${orderCode}/monitor` })
      if (isOk(answer) && answer.json<{ event: string }>().event === 'AuthResultReady') return true
    }
    await send({ method: 'PATCH', url: `/api/v1/3ds/${orderCode}/challenge-error` })
    return false
  }

  for (let tries = 0; tries < behaviour.maxTries; tries += 1) {
    // Pauses get longer after a failure: two tabs without them would supersede each other until neither may start.
    await pause((1 + 4 * tries) * 5 * SECOND)
    if (random.chance(behaviour.cancelRate)) {
      const response = await send({ method: 'DELETE', url })
      if (isOk(response) && showIfClosed(response.json<CheckoutReading>())) return
      if (await readAfterFailure(null, false)) return
    }
    const card = { ...CARD, number: random.oneOf(behaviour.cards) }
    const started = await send({ method: 'POST', url: `${url}/3ds`, payload: { card } })
    if (!isOk(started)) {
      if (await readAfterFailure(null, false)) return
      continue
    }
    const { orderCode, threeDSRequired } = started.json<{ orderCode: string; threeDSRequired: boolean }>()
    if (threeDSRequired && !(await authenticate(orderCode))) {
      if (await readAfterFailure(orderCode, false)) return
      continue
    }
    await pause(SECOND)
    const payload = { cvc: CARD.cvc, locale: 'ja_JP', receiptEmail: CARD.email }
    const pay: InjectOptions = { method: 'PATCH', url: `${url}/3ds/${orderCode}/pay`, payload }
    // A double click, or a browser that repeats a request without a response.
    if (random.chance(0.15)) void send(pay)
    const paid = await send(pay)
    if (isOk(paid) && showIfClosed(paid.json<CheckoutReading>())) return
    if (paid === 'no response' || isUndecided(paid)) unansweredOrderCode = orderCode
    if (await readAfterFailure(orderCode, true)) return
  }
}
