/** Draw mail: from the facts that were stored to subject, text and HTML in the shopper's language. */
import { brandName } from '#contract/brand-name.ts'
import type { ReceiptFacts } from '#contract/checkout.ts'
import type { InvoiceFacts } from '#contract/invoice.ts'
import { invoiceWords } from '#contract/invoice-words.ts'
import { japaneseDate, jstText } from '#contract/jst.ts'
import { DEFAULT_PAGE_LOCALE, toPageLocale } from '#contract/locale.ts'
import type { MailFacts } from '#contract/mail-facts.ts'
import { REDUCED_RATE, REDUCED_RATE_MARK } from '#contract/reduced-rate.ts'
import { refundText, yenText } from '#contract/yen.ts'
import type { MailKind } from '#payment/mail.ts'
import { mailHtml, mailText, oneLine, type MailBlock, type MailRow } from './mail-blocks.ts'
import { mailWords, type Language } from './words/mail-words.ts'

/** The shop as it stands when the mail is sent. */
interface MailShop extends ReceiptFacts {
  readonly colorCode: string
}

export interface MailToDraw {
  readonly kind: MailKind
  /** As on the wire. */
  readonly locale: string
  readonly facts: MailFacts
  readonly shop: MailShop
  readonly receiptUrl: string
}

export interface DrawnMail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

const japanese = mailWords.ja

/** A tax office in Japan reads the Japanese words: they stand beside the translation, as they do on the page. */
const withJapanese = ({ locale }: Language, name: string, original: string): Pick<MailRow, 'name' | 'original'> =>
  locale === 'ja' ? { name } : { name, original }

const cardRow = ({ words }: Language, { card }: MailFacts): MailRow => ({
  name: words.method,
  value: card === null ? '-' : `${brandName(card.brand)} •••• ${card.lastFour}`,
})

const subjectRow = ({ words }: Language, { subject }: MailFacts): MailRow => ({
  name: words.subject,
  value: subject ?? '-',
})

const factRows = (language: Language, facts: MailFacts): MailRow[] => {
  const { locale, words } = language
  const amount = (name: string): MailRow => ({ name, value: yenText(facts.amountYen, locale) })
  if (facts.kind === 'nothing_charged')
    return [cardRow(language, facts), subjectRow(language, facts), amount(words.amount)]
  const paid: MailRow[] = [
    cardRow(language, facts),
    { name: words.transaction, value: facts.transactionId },
    { name: words.paidAt, value: jstText(facts.paidAt, locale) },
    subjectRow(language, facts),
  ]
  if (facts.kind === 'receipt') return [{ ...amount(words.amount), isMain: true }, ...paid]
  return [
    { name: words.refundAmount, value: refundText(facts.refundedYen, locale), isMain: true },
    { name: words.refundedAt, value: jstText(facts.refundedAt, locale) },
    amount(words.paidAmount),
    ...paid,
  ]
}

type RowName = Pick<MailRow, 'name' | 'original'>

/** Beside the name: behind the amount it would push the digits out of their column. */
const withMark = (rate: number, { name, original }: RowName): RowName => {
  const mark = rate === REDUCED_RATE ? ` ${REDUCED_RATE_MARK}` : ''
  return original === undefined ? { name: `${name}${mark}` } : { name, original: `${original}${mark}` }
}

const totalRows = (language: Language, totals: InvoiceFacts['totals']): MailRow[] => {
  const { locale } = language
  const [own, original] = [invoiceWords[locale], invoiceWords.ja]
  return totals.map((total) => ({
    ...withMark(total.rate, withJapanese(language, own.total(total.rate), original.total(total.rate))),
    value: yenText(total.amount, locale),
    parts: [{ ...withJapanese(language, own.tax, original.tax), value: yenText(total.tax, locale) }],
  }))
}

/** What makes the mail a qualified simplified invoice or, about a refund, a qualified return invoice. */
const invoiceBlocks = (language: Language, facts: MailFacts): MailBlock[] => {
  if (facts.kind === 'nothing_charged' || facts.invoice === null) return []
  const { locale, words } = language
  const [own, original] = [invoiceWords[locale], invoiceWords.ja]
  const { invoice } = facts
  const [title, japaneseTitle] =
    facts.kind === 'receipt' ? [own.title, original.title] : [words.returnTitle, japanese.returnTitle]
  const dates: MailRow[] =
    'date' in invoice
      ? [{ ...withJapanese(language, own.date, original.date), value: japaneseDate(invoice.date) }]
      : [
          { ...withJapanese(language, words.soldOn, japanese.soldOn), value: japaneseDate(invoice.soldOn) },
          { ...withJapanese(language, words.returnedOn, japanese.returnedOn), value: japaneseDate(invoice.returnedOn) },
        ]
  const heading = withJapanese(language, facts.mode === 'test' ? words.asSample(title) : title, japaneseTitle)
  const rows: MailRow[] = [
    { ...withJapanese(language, own.number, original.number), value: invoice.registrationNumber },
    { ...withJapanese(language, own.issuer, original.issuer), value: invoice.issuer },
    ...dates,
    { ...withJapanese(language, own.content, original.content), value: invoice.content },
    ...totalRows(language, invoice.totals),
  ]
  const both = (text: string, inJapanese: string): string => (locale === 'ja' ? text : `${text} ${inJapanese}`)
  const isReduced = invoice.totals.some(({ rate }) => rate === REDUCED_RATE)
  const notes = [
    ...(isReduced ? [`${REDUCED_RATE_MARK} ${both(own.reduced, original.reduced)}`] : []),
    ...(facts.kind === 'receipt' ? [both(own.byCard, original.byCard)] : []),
  ]
  const { name: text, ...beside } = heading
  return [
    { block: 'subheading', text, ...beside },
    { block: 'rows', rows },
    ...(notes.length === 0 ? [] : [{ block: 'small', lines: notes } as const]),
  ]
}

/** Heading and what follows it. */
const opening = ({ words }: Language, facts: MailFacts): readonly [string, ...string[]] => {
  switch (facts.kind) {
    case 'receipt':
      return [words.paidTitle, words.paidMessage]
    case 'refund': {
      const isWhole = facts.refundedYen === facts.amountYen
      return [words.refundedTitle, isWhole ? words.refundedWhole : words.refundedPart, words.refundedWhen]
    }
    case 'nothing_charged':
      return [words.nothingChargedTitle, words.nothingCharged]
  }
}

const subjectOf = ({ locale, words }: Language, { kind, facts, shop }: MailToDraw): string => {
  const amount = yenText(facts.kind === 'refund' ? facts.refundedYen : facts.amountYen, locale)
  const subjects: Readonly<Record<MailKind, string>> = {
    receipt: words.receiptSubject(shop.shopName, amount),
    reissue: words.asReissued(words.receiptSubject(shop.shopName, amount)),
    refund: words.refundSubject(shop.shopName, amount),
    nothing_charged: words.nothingChargedSubject(shop.shopName, amount),
  }
  const subject = facts.mode === 'test' ? words.asTest(subjects[kind]) : subjects[kind]
  // A line break in a shop's name ends no header: the library folds it away, and it never reaches the library.
  return oneLine(subject)
}

const contactLines = ({ words }: Language, shop: MailShop): string[] => [
  `${words.contact}: ${shop.shopName}`,
  ...[
    shop.shopAddress,
    shop.shopPhoneNumber && `${words.phone}: ${shop.shopPhoneNumber}`,
    shop.shopEmail && `${words.email}: ${shop.shopEmail}`,
    shop.shopUrl,
  ].filter((line) => line !== ''),
]

const blocksOf = (language: Language, mail: MailToDraw): MailBlock[] => {
  const { words } = language
  const { kind, facts, shop, receiptUrl } = mail
  const [heading, ...paragraphs] = opening(language, facts)
  const reissued = language.locale === 'ja' ? words.reissued : `${words.reissued} ${japanese.reissued}`
  return [
    ...(facts.mode === 'test' ? [{ block: 'warning', text: words.test } as const] : []),
    ...(kind === 'reissue' ? [{ block: 'mark', text: reissued } as const] : []),
    { block: 'heading', text: heading },
    ...paragraphs.map((text) => ({ block: 'paragraph', text }) as const),
    { block: 'rows', rows: factRows(language, facts) },
    ...invoiceBlocks(language, facts),
    // Of a payment that did not go through the page is a card form: a mail that leads there looks like phishing.
    ...(facts.kind === 'nothing_charged'
      ? []
      : [{ block: 'address', name: words.receiptPage, url: receiptUrl } as const]),
    { block: 'foot', lines: contactLines(language, shop) },
    { block: 'small', lines: [words.why(shop.shopName)] },
  ]
}

export const drawMail = (mail: MailToDraw): DrawnMail => {
  const locale = toPageLocale(mail.locale) ?? DEFAULT_PAGE_LOCALE
  const language = { locale, words: mailWords[locale] }
  const subject = subjectOf(language, mail)
  const parts = [{ locale, blocks: blocksOf(language, mail) }]
  const { shopName: name, colorCode } = mail.shop
  return { subject, text: mailText(name, parts), html: mailHtml({ name, colorCode, subject }, parts) }
}
