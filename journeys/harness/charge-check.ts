/** Charge check: compares the merchant's and the acquirer's records of a payment, two records independent of the page. */
import { expect } from './fixtures.ts'
import type { AcquirerOrder, Kaikei } from './program.ts'

export interface ChargeCheck {
  /** Nothing was charged since, and the checkout can still be paid. */
  expectNothingCharged(checkoutId: string): Promise<void>
  /** The merchant reads the checkout as paid, by the only charge that the acquirer made since. */
  expectPaidOnce(checkoutId: string): Promise<void>
  /** How many charges the acquirer made since. */
  countCharges(): Promise<number>
  /** The acquirer's orders since, charged or not. */
  newOrders(): Promise<AcquirerOrder[]>
}

/** Starts from the acquirer's orders of now. Each worker has its own acquirer and runs one journey at a time. */
export const startChargeCheck = async (kaikei: Kaikei): Promise<ChargeCheck> => {
  const known = new Set((await kaikei.acquirerOrders()).map(({ orderId }) => orderId))
  const newOrders = async () => (await kaikei.acquirerOrders()).filter(({ orderId }) => !known.has(orderId))
  const newCharges = async () =>
    (await newOrders()).filter(({ status }) => status === 'charged').map(({ transactionId }) => transactionId)

  return {
    expectNothingCharged: async (checkoutId) => {
      const { status, paymentPending } = await kaikei.readCheckout(checkoutId)
      expect({ status, paymentPending, charged: await newCharges() }).toEqual({
        status: 'open',
        paymentPending: false,
        charged: [],
      })
    },
    expectPaidOnce: async (checkoutId) => {
      const { status, paymentPending, transactionId } = await kaikei.readCheckout(checkoutId)
      expect({ status, paymentPending, charged: await newCharges() }).toEqual({
        status: 'paid',
        paymentPending: false,
        charged: [transactionId],
      })
    },
    countCharges: async () => (await newCharges()).length,
    newOrders,
  }
}
