/** Beside payments: work that may wait runs one unit at a time, and rests after each, so that payments have most of the time. */

/** It rests three times as long as its last unit took: it has a quarter of the time at most. */
const REST_TIMES = 3
/** So long after a payment's last step the next one may come. Later nothing rests: a backlog of the night is worked off by the morning. */
const PAYMENTS_FOR_MS = 250

type Work<T> = () => Promise<T>

export interface TimePorts {
  readonly elapsed: () => number
  readonly sleep: (ms: number) => Promise<unknown>
}

/** Runs one after another. What fails is told to its caller alone. */
export const oneAfterAnother = () => {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: Work<T>): Promise<T> => {
    const running = last.then(work)
    last = running.catch(() => undefined)
    return running
  }
}

export interface BesidePayments {
  notePayment(): void
  /** `begin` waits for a turn among all others and then runs what it is given; only that counts as the time of the unit. */
  run<T>(work: Work<T>, begin: (timed: Work<T>) => Promise<T>): Promise<T>
}

/**
 * One unit at a time stands among the payments, so that each waits for one of them at most, and however many payments there are,
 * the others go on.
 */
export const createBesidePayments = ({ elapsed, sleep: rest }: TimePorts): BesidePayments => {
  const inOrder = oneAfterAnother()
  let paymentAt = Number.NEGATIVE_INFINITY
  let restsUntil = Number.NEGATIVE_INFINITY
  const restMs = (): number => Math.min(restsUntil, paymentAt + PAYMENTS_FOR_MS) - elapsed()

  return {
    notePayment: () => {
      paymentAt = elapsed()
    },
    run: (work, begin) =>
      inOrder(async () => {
        for (let ms = restMs(); ms > 0; ms = restMs()) await rest(ms)
        return begin(async () => {
          const began = elapsed()
          try {
            return await work()
          } finally {
            restsUntil = elapsed() + REST_TIMES * (elapsed() - began)
          }
        })
      }),
  }
}
