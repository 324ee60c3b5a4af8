/** Shoppers in parallel, each at a different call. A new one starts as soon as another has ended or can only wait. */
import { MERCHANT_BASE } from '#contract/paths.ts'
import { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import { RefundAnswer } from '#contract/merchant/refunds.ts'
import { systemClock } from '../../server/dependencies.ts'
import type { SeededRandom } from '../harness/seeded-random.ts'
import type { Acknowledgement } from './audit.ts'
import { CARDS, runShopperTab, successBody, type ShopperContext } from './shopper.ts'

const RETRY_INTERVAL_MS = 250
/** Acquirers take no less. */
const MIN_AMOUNT_YEN = 100
const MAX_AMOUNT_YEN = 20_000

/** The merchant creates a checkout, and tries again until a response confirms it. */
const createCheckout = async (context: ShopperContext): Promise<MerchantCheckoutAnswer | undefined> => {
  const { api, random, acknowledge, isTimeUp } = context
  const body = { amount: random.between(MIN_AMOUNT_YEN, MAX_AMOUNT_YEN) }
  while (!isTimeUp()) {
    const path = `${MERCHANT_BASE}/checkouts`
    const created = successBody(await api.send({ name: 'create', method: 'POST', path, body }), MerchantCheckoutAnswer)
    if (created !== undefined) {
      acknowledge({ event: 'created', checkoutId: created.id, amountYen: created.amount })
      return created
    }
    await systemClock.sleep(RETRY_INTERVAL_MS)
  }
  return undefined
}

const TOO_MANY = 429
const isFinal = (status: number): boolean => status >= 400 && status < 500 && status !== TOO_MANY

/** Requests one refund until a response has its outcome, or only accepts it, where that is enough. */
const requestRefund = async (
  { api, acknowledge, onWaiting, isTimeUp }: ShopperContext,
  checkoutId: string,
  refund: { readonly refundId: string; readonly amount: number },
  waitsForOutcome: boolean,
): Promise<void> => {
  const path = `${MERCHANT_BASE}/checkouts/${checkoutId}/refunds`
  while (!isTimeUp()) {
    const response = await api.send({ name: 'refund', method: 'POST', path, body: refund })
    // Not paid, more than is left, or no such checkout: no refund came of it. Beyond the limit of the key it is sent again.
    if (response !== 'no response' && isFinal(response.status)) return
    const answer = successBody(response, RefundAnswer)
    if (answer !== undefined) {
      const { refundId, amount: amountYen, status } = answer
      acknowledge({ event: 'refund', checkoutId, refundId, amountYen, status })
      if (status !== 'pending' || !waitsForOutcome) return
      onWaiting()
    }
    await systemClock.sleep(RETRY_INTERVAL_MS)
  }
}

/** One checkout from its creation to its refunds, in one tab or two. */
const runCheckout = async (context: ShopperContext): Promise<void> => {
  const { random } = context
  const created = await createCheckout(context)
  if (created === undefined) return
  const { id, amount } = created
  const tab = (): Promise<void> => runShopperTab({ ...context, random: random.split() }, id)
  await Promise.all(random.chance(0.2) ? [tab(), tab()] : [tab()])
  if (!random.chance(0.6)) return
  const part = random.between(1, amount - 1)
  const waitsForOutcome = random.chance(0.5)
  // The second refund is for the rest, or for too much.
  const refunds = [
    { refundId: 'r1', amount: part },
    { refundId: 'r2', amount: random.chance(0.7) ? amount - part : amount },
  ]
  await Promise.all(
    refunds.slice(0, random.between(1, 2)).map((refund) => requestRefund(context, id, refund, waitsForOutcome)),
  )
}

export interface RunningShoppers {
  /** All that the responses confirmed. */
  readonly acknowledgements: readonly Acknowledgement[]
  /** What no server may do and a shopper met: a response that breaks the contract, a checkout that is gone. */
  readonly shopperErrors: readonly string[]
  /** Starts no more checkouts; resolves when every shopper knows how the payment ended. */
  stop(): Promise<void>
}

interface ShoppersOptions
  extends Pick<ShopperContext, 'api' | 'random' | 'isTimeUp'>, Partial<Pick<ShopperContext, 'cards'>> {
  readonly size: number
}

const PAUSE_MS = 100

export const startShoppers = ({ size, api, random, isTimeUp, cards = CARDS }: ShoppersOptions): RunningShoppers => {
  const acknowledgements: Acknowledgement[] = []
  const shopperErrors: string[] = []
  const checkouts: Promise<void>[] = []
  const stopping = new AbortController()

  /** Resolves when the checkout has ended or waits for the outcome of a charge, which may take a whole lease. */
  const runCheckoutUntilItWaits = async (own: SeededRandom): Promise<void> => {
    const { promise: isWaiting, resolve: onWaiting } = Promise.withResolvers<void>()
    const acknowledge = (acknowledgement: Acknowledgement): void => void acknowledgements.push(acknowledgement)
    const checkout = runCheckout({ api, random: own, acknowledge, onWaiting, isTimeUp, cards }).catch(
      (error: unknown) => {
        shopperErrors.push(String(error))
      },
    )
    checkouts.push(checkout)
    await Promise.race([checkout, isWaiting])
  }
  const keepStartingCheckouts = async (own: SeededRandom): Promise<void> => {
    while (!stopping.signal.aborted && !isTimeUp()) {
      await systemClock.sleep(own.between(0, PAUSE_MS))
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
