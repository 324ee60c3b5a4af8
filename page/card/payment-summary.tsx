/** Payment summary: what is to be paid, to whom, and by when. */
import { jstText } from '#contract/jst.ts'
import { yenText } from '#contract/yen.ts'
import type { PageCheckout } from '../parse-answers.ts'
import { Cover } from '../shop/cover.tsx'
import { useLanguage } from '../words/language-provider.tsx'
import styles from './payment-summary.module.css'

export const PaymentSummary = ({ checkout }: { readonly checkout: PageCheckout }) => {
  const { words, locale } = useLanguage()
  const [figures = '', currency] = yenText(checkout.amount, locale).split(' ')
  return (
    <>
      <Cover shop={checkout} />
      <div className={styles['summary']}>
        {checkout.subject === undefined ? null : <p className={styles['subject']}>{checkout.subject}</p>}
        <h1 className={styles['amount']}>
          <span className={styles['visuallyHidden']}>{words.bill.amount} </span>
          <span>
            {figures}
            {currency === undefined ? null : <small className={styles['currency']}> {currency}</small>}
          </span>
        </h1>
        <p className={styles['deadline']}>
          {words.bill.deadline}
          <span>{jstText(Date.parse(checkout.validUntil), locale)}</span>
        </p>
      </div>
    </>
  )
}
