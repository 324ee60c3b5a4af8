import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import type { Dice } from './seeded.ts'
import type { VirtualTime } from './virtual-time.ts'

const SECOND = 1000

const CARDS: readonly [string, ...string[]] = [
  '4242424242424242',
  '4242424242424242',
  '5555555555554444',
  '4100000000750001',
  '4100000000300005',
  '5105105105105100',
]

/** An answer, or none: the connection broke on the way there or back. */
export type Reply = LightMyRequestResponse | 'nothing'

/** The browser's way to the server. */
export type Send = (options: InjectOptions) => Promise<Reply>

/** What a shopper was told, word for word what the page would show. */
export interface Told {
  readonly checkoutId: string
  readonly word: 'paid' | 'failed' | 'nothing charged' | 'cancelled' | 'confirming' | 'expired'
  readonly orderCode: string | null
}

interface ShopperOptions {
  readonly checkoutId: string
  readonly send: Send
  readonly time: VirtualTime
  readonly dice: Dice
  readonly tell: (told: Told) => void
}

interface Reading {
  readonly status?: string
  readonly paymentPending?: boolean
}

const isOk = (reply: Reply): reply is LightMyRequestResponse => reply !== 'nothing' && reply.statusCode < 300

/** One tab in a shopper's hand: does what the page does, again and again until it knows how the payment ended. */
export const shop = async ({ checkoutId, send, time, dice, tell }: ShopperOptions): Promise<void> => {
  const url = `/api/v1/checkouts/${checkoutId}`
  const say = (word: Told['word'], orderCode: string | null = null): void => tell({ checkoutId, word, orderCode })
  const pause = (most: number): Promise<void> => time.sleep(dice.between(0, most))

  /** The page reads before it speaks. */
  const read = async (): Promise<Reading> => {
    const reply = await send({ method: 'GET', url })
    return isOk(reply) ? reply.json<Reading>() : {}
  }
  const isOver = (reading: Reading): boolean => {
    if (reading.status === 'paid' || reading.status === 'refunded') say('paid')
    else if (reading.status === 'cancelled') say('cancelled')
    else if (reading.status === 'expired' || reading.status === 'failed') say('expired')
    else return false
    return true
  }
  /** True when the checkout is closed; the confirming panel waits as long as it takes. */
  const afterFailure = async (orderCode: string | null, wasPay: boolean): Promise<boolean> => {
    let hasConfirmed = false
    for (let readings = 0; readings < 60; readings += 1) {
      const reading = await read()
      if (isOver(reading)) return true
      if (reading.status === 'open' && reading.paymentPending !== true) {
        say(hasConfirmed ? 'nothing charged' : 'failed', orderCode)
        return false
      }
      if (reading.status === undefined && !wasPay) return false
      if (!hasConfirmed) say('confirming', orderCode)
      hasConfirmed = true
      await time.sleep(readings < 30 ? 2 * SECOND : 10 * SECOND)
    }
    // A shopper may close the page; we will write.
    return true
  }

  const authenticate = async (orderCode: string): Promise<boolean> => {
    await pause(3 * SECOND)
    const reply = await send({ method: 'PATCH', url: `/api/v1/3ds/${orderCode}/authenticate` })
    if (!isOk(reply)) return false
    if (reply.json<{ threeDSType: string }>().threeDSType !== 'challenge') return true
    for (let polls = 0; polls < 40; polls += 1) {
      await time.sleep(SECOND)
      const answer = await send({ method: 'GET', url: `/api/v1/3ds/${orderCode}/monitor` })
      if (isOk(answer) && answer.json<{ event: string }>().event === 'AuthResultReady') return true
    }
    await send({ method: 'PATCH', url: `/api/v1/3ds/${orderCode}/challenge-error` })
    return false
  }

  for (let tries = 0; tries < 6; tries += 1) {
    await pause(5 * SECOND)
    if (dice.chance(0.08)) {
      const reply = await send({ method: 'DELETE', url })
      if (isOk(reply) && isOver(reply.json<Reading>())) return
      if (await afterFailure(null, false)) return
    }
    const card = {
      number: dice.oneOf(CARDS),
      expiryMonth: 12,
      expiryYear: 2099,
      cvc: '737',
      email: 'taro@example.com',
      name: 'TARO YAMADA',
    }
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
    const payload = { cvc: '737', locale: 'ja_JP', receiptEmail: 'taro@example.com' }
    const pay: InjectOptions = { method: 'PATCH', url: `${url}/3ds/${orderCode}/pay`, payload }
    // A nervous finger, or a browser that sends again what it got no answer to.
    if (dice.chance(0.15)) void send(pay)
    const paid = await send(pay)
    if (isOk(paid) && isOver(paid.json<Reading>())) return
    if (await afterFailure(orderCode, true)) return
  }
}
