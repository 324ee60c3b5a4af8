import type { Static, TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { SHOPPER_BASE } from '#contract/paths.ts'
import { CheckoutAnswer } from '#contract/checkout.ts'
import { AuthenticateAnswer, StartAnswer } from '#contract/three-ds.ts'
import type { Dice } from '../harness/seeded.ts'
import { CARD } from '../harness/shop.ts'
import type { Acknowledged } from './audit.ts'
import type { Line, Reply } from './line.ts'

export interface Scene {
  readonly line: Line
  readonly dice: Dice
  readonly sleep: (ms: number) => Promise<void>
  /** Remembers what an answer said, for the day of the audit. */
  readonly note: (word: Acknowledged) => void
  /** Called when there is nothing to do but to wait for what became of a charge. */
  readonly park: () => void
  /** True when nobody waits any longer. */
  readonly isOver: () => boolean
}

const CARDS: readonly [string, ...string[]] = [
  // Charged at once; the last of them without 3-D Secure.
  '4242424242424242',
  '4242424242424242',
  '4111111111111111',
  '5555555555554444',
  '5555555555554444',
  '5105105105105100',
  '5105105105105100',
  // Declined; answered late; booked in silence; dropped; failed though booked; failed; booked late unless fenced.
  '4100000000750001',
  '4100000000753005',
  '4100000000754003',
  '4100000000755000',
  '4100000000756008',
  '4100000000757006',
  '4100000000758004',
]

const TRIES = 6
const LOOK_AGAIN_MS = 250

/** The body of a 2xx answer. One that is not what the contract says is a fault of the server, not of the network. */
export const answered = <S extends TSchema>(reply: Reply, schema: S): Static<S> | undefined => {
  if (reply === 'nothing' || reply.status >= 300) return undefined
  const { status, body } = reply
  if (!Check(schema, body)) throw new Error(`an answer of ${status} breaks the contract: ${JSON.stringify(body)}`)
  return body
}

/** One tab in a shopper's hand. It does what the page does: after a failed call it reads before it believes anything. */
export const shop = async ({ line, dice, sleep, note, park, isOver }: Scene, checkoutId: string): Promise<void> => {
  const path = `${SHOPPER_BASE}/checkouts/${checkoutId}`

  /** True when the checkout is closed, which is noted. */
  const isClosed = ({ status, transactionId }: CheckoutAnswer): boolean => {
    if (transactionId !== undefined) note({ said: 'paid', checkoutId, transactionId })
    if (status === 'cancelled') note({ said: 'cancelled', checkoutId })
    return status !== 'open'
  }

  /** Reads until a server answers that no money is moving; true when the checkout is closed. */
  const read = async (orderCode: string | null): Promise<boolean> => {
    while (!isOver()) {
      const reply = await line.send({ name: 'read', method: 'GET', path })
      if (reply !== 'nothing' && reply.status === 404)
        throw new Error(`checkout ${checkoutId} was created, and a reader is told that there is none`)
      const reading = answered(reply, CheckoutAnswer)
      if (reading !== undefined && isClosed(reading)) return true
      if (reading?.paymentPending === false) {
        if (orderCode !== null) note({ said: 'nothing charged', orderCode })
        return false
      }
      if (reading?.paymentPending === true) park()
      await sleep(LOOK_AGAIN_MS)
    }
    return true
  }

  const start = async (): Promise<StartAnswer | undefined> => {
    const body = { card: { ...CARD, number: dice.oneOf(CARDS) } }
    const started = answered(await line.send({ name: 'start', method: 'POST', path: `${path}/3ds`, body }), StartAnswer)
    if (started !== undefined) note({ said: 'started', checkoutId, orderCode: started.orderCode })
    return started
  }

  const isAuthenticated = async (orderCode: string): Promise<boolean> => {
    const where = `${SHOPPER_BASE}/3ds/${orderCode}/authenticate`
    const reply = await line.send({ name: 'authenticate', method: 'PATCH', path: where })
    const answer = answered(reply, AuthenticateAnswer)
    if (answer !== undefined) note({ said: 'authenticated', orderCode, checkCode: answer.checkCode })
    return answer !== undefined
  }

  /** True when an answer says that the checkout is closed. */
  const pay = async (orderCode: string): Promise<boolean> => {
    const body = { cvc: CARD.cvc, locale: 'ja_JP', receiptEmail: CARD.email }
    const where = `${path}/3ds/${orderCode}/pay`
    const paid = answered(await line.send({ name: 'pay', method: 'PATCH', path: where, body }), CheckoutAnswer)
    return paid !== undefined && isClosed(paid)
  }

  const cancel = async (): Promise<boolean> => {
    const answer = answered(await line.send({ name: 'cancel', method: 'DELETE', path }), CheckoutAnswer)
    return answer !== undefined && isClosed(answer)
  }

  for (let tries = 0; tries < TRIES && !isOver(); tries += 1) {
    if (dice.chance(0.06) && (await cancel())) return
    const started = await start()
    if (started === undefined) {
      if (await read(null)) return
      continue
    }
    const { orderCode, threeDSRequired } = started
    if (threeDSRequired && !(await isAuthenticated(orderCode))) {
      if (await read(orderCode)) return
      continue
    }
    // A nervous finger; and a second thought in another tab.
    const [twice, regret] = [dice.chance(0.25), dice.chance(0.08)]
    const ends = [pay(orderCode), ...(twice ? [pay(orderCode)] : []), ...(regret ? [cancel()] : [])]
    if ((await Promise.all(ends)).some(Boolean)) return
    if (await read(orderCode)) return
  }
}
