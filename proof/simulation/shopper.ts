import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import type { Dice } from '../harness/seeded.ts'
import { CARD } from '../harness/shop.ts'
import type { VirtualTime } from './virtual-time.ts'

const SECOND = 1000

/** An answer, or none: the connection broke on the way there or back. */
export type Reply = LightMyRequestResponse | 'nothing'

/** The browser's way to the server. */
export type Send = (options: InjectOptions) => Promise<Reply>

export type Word = 'paid' | 'failed' | 'nothing charged' | 'cancelled' | 'confirming' | 'expired'

/** What a shopper was told in one tab, word for word what the page would show. */
export interface Told {
  readonly checkoutId: string
  readonly tab: number
  readonly at: number
  readonly word: Word
  readonly orderCode: string | null
}

type Cards = readonly [string, ...string[]]

const FRICTIONLESS = CARD.number
const CHALLENGED = '5555555555554444'
const NOT_ENROLLED = '5105105105105100'
const DECLINED = '4100000000750001'
const REFUSED = '4100000000300005'
const CHALLENGE_FAILED = '4100000000400003'

/** Cards with money on them. */
const GOOD_CARDS: Cards = [FRICTIONLESS, FRICTIONLESS, CHALLENGED, NOT_ENROLLED]

export interface Habits {
  readonly cards: Cards
  /** How often the form is sent before the shopper gives up. */
  readonly tries: number
  /** How often Cancel is pressed before a try. */
  readonly cancels: number
  /** How many times the confirming panel reads before the shopper closes the page: we will write. */
  readonly readings: number
}

export const PLAIN_HABITS: Habits = { cards: GOOD_CARDS, tries: 3, cancels: 0.02, readings: 15 }

export const WILD_HABITS: Habits = {
  cards: [FRICTIONLESS, FRICTIONLESS, CHALLENGED, CHALLENGED, NOT_ENROLLED, DECLINED, REFUSED, CHALLENGE_FAILED],
  tries: 6,
  cancels: 0.08,
  readings: 15,
}

/** Wants to pay, and stays until it is done. */
export const RESOLUTE_HABITS: Habits = { cards: GOOD_CARDS, tries: 15, cancels: 0, readings: 1000 }

interface TabOptions {
  readonly checkoutId: string
  readonly habits: Habits
  readonly send: Send
  readonly time: VirtualTime
  readonly dice: Dice
  readonly say: (word: Word, orderCode: string | null) => void
}

interface Reading {
  readonly status?: string
  readonly paymentPending?: boolean
}

export const isOk = (reply: Reply): reply is LightMyRequestResponse => reply !== 'nothing' && reply.statusCode < 300

export const isRefused = (reply: Reply): boolean => reply !== 'nothing' && reply.statusCode === 400

/** The page's own pace: it looks often at first, and more rarely when it takes long. */
const pauseAfter = (readings: number): number => (readings < 15 ? 2 * SECOND : 10 * SECOND)

/** One tab in a shopper's hand: does what the page does, again and again until it knows how the payment ended. */
export const shop = async ({ checkoutId, habits, send, time, dice, say }: TabOptions): Promise<void> => {
  const url = `/api/v1/checkouts/${checkoutId}`
  const pause = (most: number): Promise<void> => time.sleep(dice.between(0, most))

  let unanswered: string | null = null
  /** The page reads before it speaks. An order whose payment got no answer is given up first: it may yet arrive. */
  const read = async (): Promise<Reading> => {
    if (unanswered !== null) {
      const given = await send({ method: 'PATCH', url: `/api/v1/3ds/${unanswered}/challenge-error` })
      if (given === 'nothing' || (given.statusCode >= 300 && given.statusCode !== 409)) return {}
      unanswered = null
    }
    const reply = await send({ method: 'GET', url })
    return isOk(reply) ? reply.json<Reading>() : {}
  }
  const isOver = (reading: Reading): boolean => {
    if (reading.status === 'paid' || reading.status === 'refunded') say('paid', null)
    else if (reading.status === 'cancelled') say('cancelled', null)
    else if (reading.status === 'expired' || reading.status === 'failed') say('expired', null)
    else return false
    return true
  }
  /** True when the checkout is closed; the confirming panel waits as long as it takes. */
  const afterFailure = async (orderCode: string | null, wasPay: boolean): Promise<boolean> => {
    let hasConfirmed = false
    for (let readings = 0; readings < habits.readings; readings += 1) {
      const reading = await read()
      if (isOver(reading)) return true
      if (reading.status === 'open' && reading.paymentPending !== true) {
        say(hasConfirmed ? 'nothing charged' : 'failed', orderCode)
        return false
      }
      if (reading.status === undefined && !wasPay && !hasConfirmed) return false
      say('confirming', orderCode)
      hasConfirmed = true
      await time.sleep(pauseAfter(readings))
    }
    // A shopper may close the page; we will write.
    return true
  }

  const authenticate = async (orderCode: string): Promise<boolean> => {
    await pause(3 * SECOND)
    const reply = await send({ method: 'PATCH', url: `/api/v1/3ds/${orderCode}/authenticate` })
    if (!isOk(reply)) return false
    if (reply.json<{ threeDSType: string }>().threeDSType !== 'challenge') return true
    for (let polls = 0; polls < 20; polls += 1) {
      await time.sleep(SECOND)
      const answer = await send({ method: 'GET', url: `/api/v1/3ds/${orderCode}/monitor` })
      if (isOk(answer) && answer.json<{ event: string }>().event === 'AuthResultReady') return true
    }
    await send({ method: 'PATCH', url: `/api/v1/3ds/${orderCode}/challenge-error` })
    return false
  }

  for (let tries = 0; tries < habits.tries; tries += 1) {
    // Whoever was told that it failed takes a while: two tabs at once would supersede each other until neither may start.
    await pause((1 + 4 * tries) * 5 * SECOND)
    if (dice.chance(habits.cancels)) {
      const reply = await send({ method: 'DELETE', url })
      if (isOk(reply) && isOver(reply.json<Reading>())) return
      if (await afterFailure(null, false)) return
    }
    const card = { ...CARD, number: dice.oneOf(habits.cards) }
    const started = await send({ method: 'POST', url: `${url}/3ds`, payload: { card } })
    if (!isOk(started)) {
      if (await afterFailure(null, false)) return
      continue
    }
    const { orderCode, threeDSRequired } = started.json<{ orderCode: string; threeDSRequired: boolean }>()
    if (threeDSRequired && !(await authenticate(orderCode))) {
      if (await afterFailure(orderCode, false)) return
      continue
    }
    await pause(SECOND)
    const payload = { cvc: CARD.cvc, locale: 'ja_JP', receiptEmail: CARD.email }
    const pay: InjectOptions = { method: 'PATCH', url: `${url}/3ds/${orderCode}/pay`, payload }
    // A nervous finger, or a browser that sends again what it got no answer to.
    if (dice.chance(0.15)) void send(pay)
    const paid = await send(pay)
    if (isOk(paid) && isOver(paid.json<Reading>())) return
    if (paid === 'nothing') unanswered = orderCode
    if (await afterFailure(orderCode, true)) return
  }
}
