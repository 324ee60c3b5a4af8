/** Limits of a reusable link as a person changes them: how many payments, and until which day. */
import { jstDate } from '#contract/jst.ts'
import type { ChangeReusableLinkBody, ReusableLinkAnswer } from '#contract/merchant/reusable-links.ts'
import { HALF_TYPED } from '../../forms/date-range.ts'
import { readCount } from '../../forms/read-count.ts'

export interface LinkLimits {
  /** Empty: no limit. */
  readonly maxPayments: string
  /** A day in Japan; null: no end. */
  readonly until: string | null
}

export const limitsOf = ({
  maxPayments,
  validUntil,
}: Pick<ReusableLinkAnswer, 'maxPayments' | 'validUntil'>): LinkLimits => ({
  maxPayments: maxPayments === undefined ? '' : String(maxPayments),
  until: validUntil === undefined ? null : jstDate(Date.parse(validUntil)),
})

/** Null: it is no number of payments, or no whole day. What was not changed is left out: a day would move an end that is an instant. */
export const changeOf = (before: LinkLimits, after: LinkLimits): ChangeReusableLinkBody | null => {
  const count = readCount(after.maxPayments)
  if (count === undefined || after.until === HALF_TYPED) return null
  return {
    ...(count === readCount(before.maxPayments) ? {} : { maxPayments: count }),
    ...(after.until === before.until ? {} : { validUntil: after.until }),
  }
}
