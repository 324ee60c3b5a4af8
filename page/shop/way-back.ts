/**
 * Way back to the shop from a checkout that is over: where its merchant sends a shopper who has paid, or who has not, else the
 * shop's own address. A refund has only the latter: the merchant's page thanks for a payment.
 */
import type { PageCheckout } from '../parse-answers.ts'
import { isHttpUrl } from '../urls.ts'

export const wayBackUrl = ({ status, links, receipt }: PageCheckout): string | undefined => {
  const urls: Readonly<Record<string, string | undefined>> = {
    paid: links.redirectUrl,
    cancelled: links.cancelUrl,
    expired: links.cancelUrl,
    failed: links.cancelUrl,
  }
  return [urls[status] ?? '', receipt.shopUrl].find(isHttpUrl)
}
