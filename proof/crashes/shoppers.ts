import type { SeededRandom } from '../harness/seeded-random.ts'
import type { Acknowledgement } from './audit.ts'
import type { ApiClient } from './api-client.ts'
import { runCheckout } from './merchant.ts'

/** Shoppers in parallel, each at a different call. A new one starts as soon as another has ended or can only wait. */
export interface RunningShoppers {
  /** All that the responses confirmed. */
  readonly acknowledgements: readonly Acknowledgement[]
  /** What no server may do and a shopper met: a response that breaks the contract, a checkout that is gone. */
  readonly shopperErrors: readonly string[]
  /** Starts no more checkouts; resolves when every shopper knows how the payment ended. */
  stop(): Promise<void>
}

interface ShoppersOptions {
  readonly size: number
  readonly api: ApiClient
  readonly random: SeededRandom
  readonly sleep: (ms: number) => Promise<void>
  /** True when nobody waits any longer for an outcome. */
  readonly isTimeUp: () => boolean
}

const PAUSE_MS = 100

export const startShoppers = ({ size, api, random, sleep, isTimeUp }: ShoppersOptions): RunningShoppers => {
  const acknowledgements: Acknowledgement[] = []
  const shopperErrors: string[] = []
  const checkouts: Promise<void>[] = []
  const stopping = new AbortController()

  /** Resolves when the checkout has ended or waits for the outcome of a charge, which may take a whole lease. */
  const runCheckoutUntilItWaits = async (own: SeededRandom): Promise<void> => {
    const { promise: isWaiting, resolve: onWaiting } = Promise.withResolvers<void>()
    const acknowledge = (acknowledgement: Acknowledgement): void => void acknowledgements.push(acknowledgement)
    const checkout = runCheckout({ api, random: own, sleep, acknowledge, onWaiting, isTimeUp }).catch(
      (error: unknown) => {
        shopperErrors.push(String(error))
      },
    )
    checkouts.push(checkout)
    await Promise.race([checkout, isWaiting])
  }
  const keepStartingCheckouts = async (own: SeededRandom): Promise<void> => {
    while (!stopping.signal.aborted && !isTimeUp()) {
      await sleep(own.between(0, PAUSE_MS))
      await runCheckoutUntilItWaits(own.split())
    }
  }

  const shoppers = Array.from({ length: size }, () => keepStartingCheckouts(random.split()))
  return {
    acknowledgements,
    shopperErrors,
    stop: async () => {
      stopping.abort()
      await Promise.all(shoppers)
      await Promise.all(checkouts)
    },
  }
}
