/** Send receipt: mails the receipt of a paid checkout again, marked as reissued. */
import { refuse, type Refusal } from '#contract/errors.ts'
import type { MerchantMode } from '#contract/access.ts'
import { reissueMail } from '#payment/mail.ts'
import type { CheckoutRef } from '#payment/references.ts'
import type { Dependencies } from '../dependencies.ts'
import { insertMailOnce, type StoredMail } from '../store/outbox/mails.ts'
import { attemptOf, withLockedCheckout } from './locked-checkout.ts'

const ADDRESS_GONE = 'The address of the shopper is not known any more, so that nothing can be sent.'

/** A second request within the same minute gets the mail that is already queued. */
export const sendReceipt = async (
  deps: Dependencies,
  ref: CheckoutRef,
  mode: MerchantMode,
): Promise<StoredMail | Refusal> => {
  const sent = await withLockedCheckout(deps, ref, async ({ locked, sql, now }): Promise<StoredMail | Refusal> => {
    const { checkout } = locked
    const { state } = checkout
    if (checkout.mode !== mode) return refuse('checkout_not_found')
    const charged = state.status === 'paid' ? attemptOf(locked, state.payment.orderCode)?.state : undefined
    if (state.status !== 'paid' || charged?.name !== 'charged') return refuse('no_receipt', { status: state.status })
    if (charged.receipt.email === null) return refuse('no_receipt', { status: state.status }, ADDRESS_GONE)
    return insertMailOnce(sql, reissueMail(checkout, state.payment, charged.receipt, now), now)
  })
  return sent ?? refuse('checkout_not_found')
}
