import { jstText } from '#contract/jst.ts'
import { refundText, yenText } from '#contract/yen.ts'
import type { PageCheckout } from '../answers.ts'
import { BrandLogo } from '../shop/brand-logo.tsx'
import { ShopContact } from '../shop/contact.tsx'
import { PageShell, Sheet } from '../shop/sheet.tsx'
import { Outcome } from '../shop/outcome.tsx'
import { Button } from '../ui/button.tsx'
import { Facts } from '../ui/facts.tsx'
import { useLive } from '../ui/use-live.ts'
import { useImage } from '../ui/use-image.ts'
import { useLanguage } from '../words/language.tsx'
import styles from './complete-page.module.css'

interface CompletePageProps {
  readonly checkout: PageCheckout
  readonly isPreview?: boolean
}

/** The receipt of a paid checkout, or the notice of its refund. */
export const CompletePage = ({ checkout, isPreview = false }: CompletePageProps) => {
  const { words, locale } = useLanguage()
  const live = useLive()
  const { card, transactionId, paidAt, subject, amount, receipt, status } = checkout
  const { logoUrl, fontType } = checkout.merchant.setting
  const logo = useImage(logoUrl)
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
    <PageShell fontType={fontType}>
      <Sheet>
        <p className={styles['shop']}>
          {logo.isShown ? (
            <img className={styles['logo']} src={logoUrl} alt={receipt.shopName} {...logo.handlers} />
          ) : (
            receipt.shopName
          )}
        </p>
        <Outcome
          mark="done"
          title={refunded ? words.complete.refundedTitle : words.complete.paidTitle}
          message={refunded ? words.complete.refundedMessage : words.complete.paidMessage}
        />
        <div className={styles['facts']}>
          <Facts facts={facts} />
        </div>
        <ShopContact receipt={receipt} isDisabled={isPreview} />
        <div className={styles['print']} inert={isPreview}>
          <Button kind="secondary" type="button" disabled={!live} onClick={() => window.print()}>
            {words.complete.print}
          </Button>
        </div>
      </Sheet>
    </PageShell>
  )
}
