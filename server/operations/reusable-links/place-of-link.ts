/** Place of a link: whether the reusable link of a checkout takes one more payment. */
import type { Instant } from '#contract/jst.ts'
import type { Checkout } from '#payment/checkout.ts'
import { decidePlace, type PlaceDecision } from '#payment/reusable-link.ts'
import {
  countPendingOfLink,
  findReusableLink,
  lockReusableLink,
  type LinkRef,
} from '../../store/checkout/reusable-links.ts'
import type { Sql } from '../../store/engine/database.ts'
import { mustExist } from '../locked-checkout.ts'

const FREE: PlaceDecision = { place: 'free' }

const linkOf = ({ merchantId, linkId }: Checkout): LinkRef | null => (linkId === null ? null : { merchantId, linkId })

/**
 * For a claim, in its transaction and under the lock of the checkout: the claims of one link follow one after another, and each
 * sees the charges that those before it have begun. So a link is never paid more often than its limit.
 */
export const takePlaceOfLink = async (sql: Sql, checkout: Checkout, now: Instant): Promise<PlaceDecision> => {
  const ref = linkOf(checkout)
  if (ref === null) return FREE
  const link = mustExist(await lockReusableLink(sql, ref), 'the link of a checkout')
  const left = link.maxPayments === null ? 0 : Math.max(0, link.maxPayments - link.payments)
  return decidePlace(link, left === 0 ? 0 : await countPendingOfLink(sql, link, left), now)
}

/** For a start: a shopper is not sent through 3-D Secure for a link that takes no more payments. */
export const readPlaceOfLink = async (sql: Sql, checkout: Checkout, now: Instant): Promise<PlaceDecision> => {
  const ref = linkOf(checkout)
  if (ref === null) return FREE
  return decidePlace(mustExist(await findReusableLink(sql, ref), 'the link of a checkout'), 0, now)
}
