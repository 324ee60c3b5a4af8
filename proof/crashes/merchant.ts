import { MERCHANT_BASE } from '#contract/paths.ts'
import { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import { RefundAnswer } from '#contract/merchant/refunds.ts'
import { runShopperTab, successBody, type ShopperContext } from './shopper.ts'

const RETRY_INTERVAL_MS = 250
const MAX_AMOUNT_YEN = 20_000

/** Merchant of the crash proof: creates a checkout, and tries again until a response confirms it. */
const createCheckout = async ({
  api,
  random,
  sleep,
  acknowledge,
  isTimeUp,
}: ShopperContext): Promise<MerchantCheckoutAnswer | undefined> => {
  const body = { amount: random.between(2, MAX_AMOUNT_YEN) }
  while (!isTimeUp()) {
    const path = `${MERCHANT_BASE}/checkouts`
    const created = successBody(await api.send({ name: 'create', method: 'POST', path, body }), MerchantCheckoutAnswer)
    if (created !== undefined) {
      acknowledge({ event: 'created', checkoutId: created.id, amountYen: created.amount })
      return created
    }
    await sleep(RETRY_INTERVAL_MS)
  }
  return undefined
}

const TOO_MANY = 429
const isFinal = (status: number): boolean => status >= 400 && status < 500 && status !== TOO_MANY

/** Requests one refund until a response has its outcome, or only accepts it, where that is enough. */
const requestRefund = async (
  { api, sleep, acknowledge, onWaiting, isTimeUp }: ShopperContext,
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
    await sleep(RETRY_INTERVAL_MS)
  }
}

/** Checkout run: one checkout from its creation to its refunds, in one tab or two. */
export const runCheckout = async (context: ShopperContext): Promise<void> => {
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
