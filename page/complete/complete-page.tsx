/** Complete page: the receipt of a paid checkout, or the notice of its refund. */
import { jstText } from '#contract/jst.ts'
import { refundText, yenText } from '#contract/yen.ts'
import type { PageCheckout } from '../parse-answers.ts'
import { BrandLogo } from '../shop/brand-logo.tsx'
import { ShopContact } from '../shop/shop-contact.tsx'
import { ShopMark } from '../shop/shop-mark.tsx'
import { WayBackLink } from '../shop/way-back-link.tsx'
import { CenteredPanel, PageShell } from '../shop/page-shell.tsx'
import { Outcome } from '../shop/outcome.tsx'
import { Button } from '#ui/button.tsx'
import { DefinitionList } from '#ui/definition-list.tsx'
import notices from '../ui/notice.module.css'
import { useHydrated } from '../ui/use-hydrated.ts'
import { useLanguage } from '../words/language-provider.tsx'
import styles from './complete-page.module.css'
import { Invoice } from './invoice.tsx'
import { parseInvoice } from './parse-invoice.ts'
import { parseRefunds } from './parse-refunds.ts'

interface CompletePageProps {
  readonly checkout: PageCheckout
  readonly isPreview?: boolean
}

export const CompletePage = ({ checkout, isPreview = false }: CompletePageProps) => {
  const { words, locale } = useLanguage()
  const isHydrated = useHydrated()
  const { card, transactionId, paidAt, subject, amount, receipt, status } = checkout
  const { fontType } = checkout.merchant.setting
  const refunded = status === 'refunded'
  const invoice = parseInvoice(checkout.invoice)
  const refunds = refunded ? [] : parseRefunds(checkout.refunds)
  const nowrap = (text: string) => <span className={styles['nowrap']}>{text}</span>
  // A previewed receipt is made from the words of a link: it must not pass for proof of a payment.
  const asSample = (text: string): string => (isPreview ? words.preview.asSample(text) : text)
  const items = [
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
    {
      name: words.complete.transaction,
      value: <span className={styles['number']}>{asSample(transactionId ?? '-')}</span>,
    },
    {
      name: words.complete.paidAt,
      value: paidAt === undefined ? '-' : nowrap(jstText(Date.parse(paidAt), locale)),
    },
    { name: words.complete.subject, value: subject ?? '-' },
    {
      name: refunded ? words.complete.refundAmount : words.complete.amount,
      value: (
        <span className={styles['amount']}>{refunded ? refundText(amount, locale) : yenText(amount, locale)}</span>
      ),
    },
    // Behind the specified rows, in the words of the mail that told of each.
    ...refunds.flatMap(({ amount: part, refundedAt }) => [
      { name: words.complete.refundAmount, value: nowrap(refundText(part, locale)) },
      { name: words.complete.refundedAt, value: nowrap(jstText(refundedAt, locale)) },
    ]),
  ]
  return (
    <PageShell fontType={fontType}>
      <CenteredPanel>
        <ShopMark shop={checkout} />
        <div className={styles['check']}>
          <Outcome
            icon="success"
            title={asSample(refunded ? words.complete.refundedTitle : words.complete.paidTitle)}
            message={refunded ? words.complete.refundedMessage : words.complete.paidMessage}
          >
            {/* As the card form marks a test: it must not pass for proof of a payment, on paper neither. */}
            {checkout.testCardsOnly === true ? (
              <p className={`${notices['notice']} ${notices['warning']}`}>{words.complete.test}</p>
            ) : null}
          </Outcome>
        </div>
        <div className={styles['details']}>
          <DefinitionList items={items} />
        </div>
        {invoice === undefined ? null : <Invoice invoice={invoice} />}
        <ShopContact receipt={receipt} isDisabled={isPreview} />
        <div className={styles['actions']}>
          <WayBackLink checkout={checkout} isDisabled={isPreview} />
          <div inert={isPreview}>
            <Button kind="secondary" type="button" disabled={!isHydrated} onClick={() => window.print()}>
              {words.complete.print}
            </Button>
          </div>
        </div>
      </CenteredPanel>
    </PageShell>
  )
}
