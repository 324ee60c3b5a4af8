import { isRefusal } from '#contract/errors.ts'
import type { ChargeOutcome, RefundOutcome } from '#payment/ports.ts'
import { newCheckout } from '#payment/new-checkout.ts'
import { NOW } from '#payment/testing/records.ts'
import { authenticate } from '../../server/operations/authenticate.ts'
import { cancel } from '../../server/operations/cancel.ts'
import type { Parts } from '../../server/parts.ts'
import { pay } from '../../server/operations/pay.ts'
import { refund } from '../../server/operations/refund.ts'
import { start } from '../../server/operations/start.ts'
import { insertCheckout } from '../../server/store/checkouts.ts'
import { booked, operate, type Answers, type Process } from './cut-operations.ts'
import { CARD, TEA } from './shop.ts'
import { CHALLENGE_URL, decided } from './three-ds-stand-ins.ts'

const SECOND = 1000
export const BROWSER = { acceptHeader: '*/*', userAgent: 'x', ip: '127.0.0.1', language: 'ja', screen: null }
export const RECEIPT = { email: 'taro@example.com', locale: 'ja_JP' }

const SESSION = { requestorTransId: 'r', serverTransId: 's', authUrl: 'https://x.example/a', challenge: null }
const enrolled = { outcome: 'started', session: SESSION, collectUrl: null, watchUrl: null } as const
const challenge = { outcome: 'challenge', session: SESSION, challengeUrl: CHALLENGE_URL } as const
const unknown = { outcome: 'unknown', why: 'no answer in time' } as const
const declined = { outcome: 'declined', reason: 'no' } as const

/** A checkout that real calls have brought to some state, with the calls to the acquirer that have no answer yet. */
export interface Prepared {
  readonly checkoutId: string
  /** Its orders, the latest last. */
  readonly orders: string[]
  answerCharge?: (said: ChargeOutcome) => Promise<unknown>
  answerRefund?: (said: RefundOutcome) => Promise<unknown>
}

interface Making extends Prepared {
  does(answers: Answers, work: (parts: Parts) => Promise<unknown>): Promise<unknown>
  begin(answers?: Answers): Promise<void>
  pays(charge: ChargeOutcome): Promise<unknown>
  refunds(refunded: RefundOutcome, amountYen: number | null): Promise<unknown>
  later(ms: number): void
}

const payLast = (parts: Parts, { checkoutId, orders }: Prepared): Promise<unknown> =>
  pay(parts, TEA, { checkoutId, orderCode: orders.at(-1) ?? '' }, { cvc: '737', receipt: RECEIPT })

/** A call that the acquirer is asked for and answers when it is told to. */
const hanging = <T>(): { readonly asked: Promise<void>; answer(said: T): void; call(): Promise<T> } => {
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  const { promise, resolve } = Promise.withResolvers<T>()
  const call = (): Promise<T> => {
    ask()
    return promise
  }
  return { asked, answer: resolve, call }
}

const hangCharge = async (making: Making): Promise<void> => {
  const { asked, answer, call } = hanging<ChargeOutcome>()
  const paying = making.does({ charge: call }, (parts) => payLast(parts, making))
  making.answerCharge = (said) => {
    answer(said)
    return paying
  }
  await asked
}

const hangRefund = async (making: Making): Promise<void> => {
  const { asked, answer, call } = hanging<RefundOutcome>()
  const wish = { refundId: 'r1', amountYen: 980 }
  const refunding = making.does({ refund: call }, (parts) =>
    refund(parts, { merchantId: TEA.id, checkoutId: making.checkoutId }, wish),
  )
  making.answerRefund = (said) => {
    answer(said)
    return refunding
  }
  await asked
}

const paid = async (making: Making): Promise<void> => {
  await making.begin()
  await making.pays(booked(1980))
}
const refunded = (amountYen: number): RefundOutcome => ({ outcome: 'refunded', amountYen, refundedAt: 1 })

/** The states a checkout can be found in when two operations meet on it. */
export const PREPARATIONS: Readonly<Record<string, (making: Making) => Promise<void> | void>> = {
  open: () => undefined,
  started: (making) => making.begin(),
  'started anew': async (making) => {
    await making.begin()
    await making.begin({ start: enrolled })
  },
  'waiting for the issuer': (making) => making.begin({ start: enrolled }),
  authenticated: async (making) => {
    await making.begin({ start: enrolled })
    await making.does({ authenticate: decided('Y') }, (parts) =>
      authenticate(parts, TEA, making.orders.at(-1) ?? '', BROWSER),
    )
  },
  'started beside a challenge': async (making) => {
    await making.begin({ start: enrolled })
    await making.does({ authenticate: challenge }, (parts) =>
      authenticate(parts, TEA, making.orders.at(-1) ?? '', BROWSER),
    )
    await making.begin()
  },
  'four declines and a start': async (making) => {
    for (let each = 0; each < 4; each += 1) {
      await making.begin()
      await making.pays(declined)
    }
    await making.begin()
  },
  'charging after four declines': async (making) => {
    for (let each = 0; each < 4; each += 1) {
      await making.begin()
      await making.pays(declined)
    }
    await making.begin()
    await hangCharge(making)
  },
  charging: async (making) => {
    await making.begin()
    await hangCharge(making)
  },
  'charging past its lease': async (making) => {
    await making.begin()
    await hangCharge(making)
    making.later(60 * SECOND)
  },
  'in doubt': async (making) => {
    await making.begin()
    await making.pays(unknown)
  },
  'in doubt, and an inquiry is due': async (making) => {
    await making.begin()
    await making.pays(unknown)
    making.later(60 * SECOND)
  },
  'past its deadline': async (making) => {
    await making.begin()
    making.later(700 * SECOND)
  },
  'in doubt past its deadline': async (making) => {
    await making.begin()
    await making.pays(unknown)
    making.later(700 * SECOND)
  },
  paid,
  'partly refunded': async (making) => {
    await paid(making)
    await making.refunds(refunded(980), 980)
  },
  'being refunded': async (making) => {
    await paid(making)
    await hangRefund(making)
  },
  'a refund in doubt, and an inquiry is due': async (making) => {
    await paid(making)
    await making.refunds(unknown, 980)
    making.later(60 * SECOND)
  },
  cancelled: async (making) => {
    await making.does({}, (parts) => cancel(parts, { merchantId: TEA.id, checkoutId: making.checkoutId }))
  },
}

/** Brings a new checkout to the named state. The same seed gives the same ids, times and rows. */
export const prepare = async (process: Process, seed: number, name: string): Promise<Prepared> => {
  process.now = NOW
  let calls = 0
  const does: Making['does'] = (answers, work) => {
    calls += 1
    return operate(process, seed * 1000 + calls, answers, work)
  }
  const orders: string[] = []
  let checkoutId = ''
  await does({}, async ({ database, random, clock }) => {
    const validUntil = new Date(NOW + 600 * SECOND).toISOString()
    const facts = { merchantId: TEA.id, id: random.id(), mode: 'test', now: clock.now() } as const
    const checkout = newCheckout({ amount: 1980, validUntil }, facts)
    if (isRefusal(checkout)) throw new Error('a checkout was not created')
    checkoutId = checkout.id
    await database.transact((sql) => insertCheckout(sql, checkout))
  })
  const making: Making = {
    checkoutId,
    orders,
    does,
    begin: async (answers = { start: { outcome: 'not_enrolled' } }) => {
      await does(answers, async (parts) => {
        const answer = await start(parts, TEA, checkoutId, CARD)
        if (isRefusal(answer)) throw new Error('an attempt was not started')
        orders.push(answer.orderCode)
      })
    },
    pays: (charge) => does({ charge: () => charge }, (parts) => payLast(parts, making)),
    refunds: (said, amountYen) =>
      does({ refund: () => said }, (parts) =>
        refund(parts, { merchantId: TEA.id, checkoutId }, { refundId: 'r1', amountYen }),
      ),
    later: (ms) => {
      process.now += ms
    },
  }
  await PREPARATIONS[name]?.(making)
  return making
}
