/** Draw notification: what a shop reads about its payments, in its language. */
import { brandName } from '#contract/brand-name.ts'
import { jstText } from '#contract/jst.ts'
import type { NotificationFacts } from '#contract/mail-facts.ts'
import type { NotificationTopic } from '#contract/notification-settings.ts'
import { HOUR_MS } from '#contract/jst.ts'
import { refundText, withThousandsSeparators, yenText } from '#contract/yen.ts'
import { drawOwnMail, type OwnMail } from './draw-own-mail.ts'
import { oneLine, type MailBlock, type MailRow } from './mail-blocks.ts'
import type { Language } from './words/mail-words.ts'

export interface NotificationToDraw {
  /** As on the wire. Null: the shop has chosen none. */
  readonly locale: string | null
  readonly facts: NotificationFacts
  readonly shopName: string
  /** Who writes: the host of this server. */
  readonly sender: string
}

type Summary = Extract<NotificationFacts, { kind: 'shop_summary' }>
type Notified = Exclude<NotificationFacts, Summary>

interface Content {
  /** The beginning of the subject: what happened, and the amount. */
  readonly news: string
  readonly heading: string
  readonly paragraphs: readonly string[]
  readonly rows: readonly MailRow[]
}

const summaryContent = ({ locale, words }: Language, { topic, hour, count, totalYen }: Summary): Content => {
  const [number, total] = [withThousandsSeparators(count), yenText(totalYen, locale)]
  const news: Readonly<Record<NotificationTopic, string>> = {
    paid: words.sumOfPaid(number, total),
    refunded: words.sumOfRefunded(number, total),
    needsAttention: words.sumOfAttention(number),
  }
  const totalRow = topic === 'needsAttention' ? [] : [{ name: words.sumTotal, value: total, isMain: true } as const]
  return {
    news: news[topic],
    heading: news[topic],
    paragraphs: [words.sumMessage],
    rows: [
      ...totalRow,
      { name: words.sumCount, value: number },
      { name: words.sumFrom, value: jstText(hour, locale) },
      { name: words.sumTo, value: jstText(hour + HOUR_MS, locale) },
    ],
  }
}

const disputeContent = (
  { locale, words }: Language,
  facts: Extract<Notified, { kind: 'shop_dispute' }>,
  about: readonly MailRow[],
): Content => {
  const said: Readonly<
    Record<typeof facts.status, Pick<Content, 'heading' | 'paragraphs'> & { news(amount: string): string }>
  > = {
    inquiry: { news: words.disputeInquiryNews, heading: words.disputeInquiryTitle, paragraphs: [words.disputeInquiry] },
    open: { news: words.disputeNews, heading: words.disputeTitle, paragraphs: [words.dispute] },
    won: { news: words.disputeWonNews, heading: words.disputeWonTitle, paragraphs: [words.disputeWon] },
    lost: { news: words.disputeLostNews, heading: words.disputeLostTitle, paragraphs: [words.disputeLost] },
  }
  const { news, heading, paragraphs } = said[facts.status]
  const amount = yenText(facts.disputeYen, locale)
  return {
    news: news(amount),
    heading,
    paragraphs,
    rows: [
      { name: words.disputeAmount, value: amount, isMain: true },
      { name: words.disputeRespondBy, value: facts.respondBy === null ? '-' : jstText(facts.respondBy, locale) },
      { name: words.disputeWithdrawn, value: yenText(facts.withdrawnYen, locale) },
      { name: words.disputeReason, value: facts.reason ?? '-' },
      { name: words.disputeId, value: facts.disputeId },
      { name: words.paidAmount, value: yenText(facts.amountYen, locale) },
      ...about,
    ],
  }
}

const contentOf = (language: Language, facts: Notified): Content => {
  const { locale, words } = language
  const amount = yenText(facts.amountYen, locale)
  const about: MailRow[] = [
    { name: words.reference, value: facts.reference ?? '-' },
    { name: words.subject, value: facts.subject ?? '-' },
    { name: words.checkoutId, value: facts.checkoutId },
  ]
  const charged = ({ card, ...charge }: Extract<Notified, { transactionId: string }>): MailRow[] => [
    { name: words.method, value: card === undefined ? '-' : `${brandName(card.brand)} ${card.number}` },
    { name: words.transaction, value: charge.transactionId },
    { name: words.paidAt, value: jstText(charge.paidAt, locale) },
  ]
  switch (facts.kind) {
    case 'shop_paid':
      return {
        news: words.paidNews(amount),
        heading: words.paidNewsTitle,
        paragraphs: [],
        rows: [{ name: words.amount, value: amount, isMain: true }, ...about, ...charged(facts)],
      }
    case 'shop_refunded':
      return {
        news: words.refundedNews(yenText(facts.refundYen, locale)),
        heading: words.refundedNewsTitle,
        paragraphs: [],
        rows: [
          { name: words.refundAmount, value: refundText(facts.refundYen, locale), isMain: true },
          { name: words.refundedAt, value: jstText(facts.refundedAt, locale) },
          { name: words.refundedSoFar, value: yenText(facts.refundedSoFarYen, locale) },
          { name: words.paidAmount, value: amount },
          ...about,
          ...charged(facts),
        ],
      }
    case 'shop_refund_refused':
      return {
        news: words.refundRefusedNews(yenText(facts.refundYen, locale)),
        heading: words.refundRefusedTitle,
        paragraphs: [words.refundRefused],
        rows: [
          { name: words.refundAmount, value: yenText(facts.refundYen, locale), isMain: true },
          { name: words.refundId, value: facts.refundId },
          { name: words.paidAmount, value: amount },
          ...about,
          ...charged(facts),
        ],
      }
    case 'shop_dispute':
      return disputeContent(language, facts, about)
    case 'shop_payment_in_doubt':
      return {
        news: words.inDoubtNews(amount),
        heading: words.inDoubtTitle,
        paragraphs: [words.inDoubt],
        rows: [
          { name: words.amount, value: amount, isMain: true },
          { name: words.inDoubtSince, value: jstText(facts.since, locale) },
          ...about,
        ],
      }
    case 'shop_card_testing':
      return {
        news: words.cardTestingNews,
        heading: words.cardTestingTitle,
        paragraphs: [words.cardTesting],
        rows: [{ name: words.challengeUntil, value: jstText(facts.until, locale) }, ...about],
      }
  }
}

const contentIn = (language: Language, facts: NotificationFacts): Content =>
  facts.kind === 'shop_summary' ? summaryContent(language, facts) : contentOf(language, facts)

/** Signs of a merchant's own text in a subject: a mail program shows no more. */
const SUBJECT_PART_SIGNS = 40

const shortened = (text: string): string => {
  const signs = Array.from(oneLine(text))
  return signs.length <= SUBJECT_PART_SIGNS ? signs.join('') : `${signs.slice(0, SUBJECT_PART_SIGNS - 1).join('')}…`
}

/** By what a shop knows the payment: its own number, or what was paid for. Never the id, which opens the page of the checkout. */
const knownAs = (facts: NotificationFacts): string[] => {
  if (facts.kind === 'shop_summary' || facts.kind === 'shop_card_testing') return []
  const name = facts.reference ?? facts.subject
  return name === null || name.trim() === '' ? [] : [name]
}

const blocksOf = (language: Language, { facts, shopName }: NotificationToDraw): MailBlock[] => {
  const { words } = language
  const { heading, paragraphs, rows } = contentIn(language, facts)
  const isLast = facts.kind !== 'shop_summary' && facts.isLastOfHour
  return [
    ...(facts.mode === 'test' ? [{ block: 'warning', text: words.test } as const] : []),
    { block: 'heading', text: heading },
    ...paragraphs.map((text) => ({ block: 'paragraph', text }) as const),
    { block: 'rows', rows },
    ...(isLast ? [{ block: 'mark', text: words.lastOfHour } as const] : []),
    { block: 'small', lines: [words.whyNotified(shopName)] },
  ]
}

export const drawNotification = (mail: NotificationToDraw): OwnMail => {
  const { facts, shopName } = mail
  const subjectIn = (language: Language): string => {
    const { news } = contentIn(language, facts)
    return facts.mode === 'test' ? language.words.asTest(news) : news
  }
  const subjectEnd = [...knownAs(facts), shopName].map((part) => ` · ${shortened(part)}`).join('')
  return drawOwnMail(mail, subjectIn, (language) => blocksOf(language, mail), subjectEnd)
}
