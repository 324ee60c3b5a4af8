/** Invoice: what makes a receipt a qualified simplified invoice of Japan, the Japanese words beside the shopper's own. */
import { japaneseDate } from '#contract/jst.ts'
import { REDUCED_RATE, REDUCED_RATE_MARK } from '#contract/reduced-rate.ts'
import { yenText } from '#contract/yen.ts'
import { DefinitionList } from '#ui/definition-list.tsx'
import { invoiceWords } from '#contract/invoice-words.ts'
import { useLanguage } from '../words/language-provider.tsx'
import type { PageInvoice } from './parse-invoice.ts'
import styles from './invoice.module.css'

export const Invoice = ({ invoice }: { readonly invoice: PageInvoice }) => {
  const { locale, words } = useLanguage()
  const { registrationNumber, issuer, date, content, totals, isSample } = invoice
  const [own, japanese] = [invoiceWords[locale], invoiceWords.ja]
  const original = (text: string) =>
    locale === 'ja' ? null : (
      <>
        {' '}
        <span lang="ja">{text}</span>
      </>
    )
  const named = (key: 'number' | 'issuer' | 'date' | 'content') => ({
    name: own[key],
    original: original(japanese[key]),
  })
  const items = [
    { ...named('number'), value: registrationNumber },
    { ...named('issuer'), value: issuer },
    { ...named('date'), value: <span lang="ja">{japaneseDate(date)}</span> },
    { ...named('content'), value: content },
    ...totals.map(({ rate, amount, tax }) => ({
      name: own.total(rate),
      original: original(japanese.total(rate)),
      value: (
        <>
          {yenText(amount, locale)} {rate === REDUCED_RATE ? REDUCED_RATE_MARK : null}
          <p className={styles['note']}>
            {own.tax}
            {original(japanese.tax)} {yenText(tax, locale)}
          </p>
        </>
      ),
    })),
  ]
  return (
    <section className={styles['invoice']}>
      <h2 className={styles['title']}>
        {isSample ? words.preview.asSample(own.title) : own.title}
        {original(japanese.title)}
      </h2>
      <DefinitionList items={items} />
      <div className={`${styles['note']} ${styles['foot']}`}>
        {totals.some(({ rate }) => rate === REDUCED_RATE) ? (
          <p>
            {REDUCED_RATE_MARK} {own.reduced}
            {original(japanese.reduced)}
          </p>
        ) : null}
        <p>
          {own.byCard}
          {original(japanese.byCard)}
        </p>
      </div>
    </section>
  )
}
