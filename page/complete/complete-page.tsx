import { jstText } from '#contract/jst.ts'
import { refundText, yenText } from '#contract/yen.ts'
import type { PageCheckout } from '../answers.ts'
import { BrandLogo } from '../shop/brand-logo.tsx'
import { ShopContact } from '../shop/contact.tsx'
import { Ground, Sheet } from '../shop/sheet.tsx'
import { Told } from '../shop/told.tsx'
import { Facts } from '../ui/facts.tsx'
import { useLanguage } from '../words/language.tsx'
import styles from './complete-page.module.css'

/** The receipt of a paid checkout, or the notice of its refund. */
export const CompletePage = ({ checkout }: { readonly checkout: PageCheckout }) => {
  const { words, locale } = useLanguage()
  const { card, transactionId, paidAt, subject, amount, receipt, status } = checkout
  const { logoUrl, fontType } = checkout.merchant.setting
  const refunded = status === 'refunded'
  const facts = [
    {
      name: words.complete.method,
      value:
        card === undefined ? (
          '-'
        ) : (
          <span className={styles['card']}>
            <BrandLogo brand={card.brand} />
            {card.number}
          </span>
        ),
    },
    { name: words.complete.transaction, value: <span className={styles['number']}>{transactionId ?? '-'}</span> },
    {
      name: words.complete.paidAt,
      value:
        paidAt === undefined ? '-' : <span className={styles['whole']}>{jstText(Date.parse(paidAt), locale)}</span>,
    },
    { name: words.complete.subject, value: subject ?? '-' },
    {
      name: refunded ? words.complete.refundAmount : words.complete.amount,
      value: (
        <span className={styles['amount']}>{refunded ? refundText(amount, locale) : yenText(amount, locale)}</span>
      ),
    },
  ]
  return (
    <Ground fontType={fontType}>
      <Sheet>
        <p className={styles['shop']}>
          {logoUrl === undefined ? (
            receipt.shopName
          ) : (
            <img className={styles['logo']} src={logoUrl} alt={receipt.shopName} />
          )}
        </p>
        <Told
          mark="done"
          title={refunded ? words.complete.refundedTitle : words.complete.paidTitle}
          message={refunded ? words.complete.refundedMessage : words.complete.paidMessage}
        />
        <div className={styles['facts']}>
          <Facts facts={facts} />
        </div>
        <ShopContact receipt={receipt} />
      </Sheet>
    </Ground>
  )
}
