import { expect } from './fixtures.ts'
import type { Kaikei } from './program.ts'

export interface Money {
  /** Nothing was charged since, and the checkout can still be paid. */
  expectNoneMoved(checkoutId: string): Promise<void>
  /** The merchant holds the checkout for paid, by the only charge that the acquirer made since. */
  expectPaidOnce(checkoutId: string): Promise<void>
  /** How many charges the acquirer made since. */
  charges(): Promise<number>
}

/** The merchant and the acquirer as two witnesses who have not seen the page. A worker tells one journey at a time. */
export const watchMoney = async (kaikei: Kaikei): Promise<Money> => {
  const known = new Set((await kaikei.charges()).map(({ orderId }) => orderId))
  const chargedSince = async (): Promise<unknown[]> =>
    (await kaikei.charges())
      .filter(({ orderId, status }) => !known.has(orderId) && status === 'charged')
      .map(({ transactionId }) => transactionId)

  return {
    expectNoneMoved: async (checkoutId) => {
      const { status, paymentPending } = await kaikei.read(checkoutId)
      expect({ status, paymentPending, charged: await chargedSince() }).toEqual({
        status: 'open',
        paymentPending: false,
        charged: [],
      })
    },
    expectPaidOnce: async (checkoutId) => {
      const { status, paymentPending, transactionId } = await kaikei.read(checkoutId)
      expect({ status, paymentPending, charged: await chargedSince() }).toEqual({
        status: 'paid',
        paymentPending: false,
        charged: [transactionId],
      })
    },
    charges: async () => (await chargedSince()).length,
  }
}
