/** Notices of a checkout: a doubt explained, a payment under way, and disputes that wait for an answer. */
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import { Notice } from '../../forms/notice.tsx'
import { useFormats, useWords } from '../../words/language.tsx'
import { checkoutWords } from './words.ts'

export const CheckoutNotices = ({ checkout }: { readonly checkout: MerchantCheckoutAnswer }) => {
  const [words, { time }] = [useWords(checkoutWords), useFormats()]
  const { doubt, paymentPending, disputes = [] } = checkout
  return (
    <>
      {doubt === undefined ? null : (
        <Notice kind="warning">
          <p>
            <strong>{words.doubtTitle}</strong>
          </p>
          <p>{words.doubt(time(doubt.since), time(doubt.nextInquiryAt))}</p>
          <p>{words.doubtDont}</p>
          <p>{words.doubtThen}</p>
        </Notice>
      )}
      {doubt === undefined && paymentPending ? <Notice kind="info">{words.pending}</Notice> : null}
      {disputes.flatMap(({ id, status, respondBy }) =>
        status === 'inquiry' || status === 'open'
          ? [
              <Notice key={id} kind="warning">
                <p>
                  <strong>{words.disputes[status]}</strong>
                </p>
                {respondBy === undefined ? null : <p>{words.respondBy(time(respondBy))}</p>}
                <p>{words.disputeNote(id)}</p>
              </Notice>,
            ]
          : [],
      )}
    </>
  )
}
