/** Checkouts as CSV, in pieces. */
import type { CheckoutStatus } from '#contract/checkout.ts'
import { csvLine, textCell } from '#contract/csv.ts'
import { jstDate, type Instant } from '#contract/jst.ts'
import { CHECKOUT_COLUMNS, type CheckoutColumn, type CheckoutExportQuery } from '#contract/merchant/checkout-lists.ts'
import type { ListedCheckout } from '../../../store/checkout/checkout-list.ts'
import { timeCell } from './csv-cells.ts'

const paymentOf = ({ checkout: { state } }: ListedCheckout) => ('payment' in state ? state.payment : null)

const whenPaid = (listed: ListedCheckout, cellOf: (instant: Instant) => string): string => {
  const payment = paymentOf(listed)
  return payment === null ? '' : cellOf(payment.paidAt)
}

const cells: Readonly<Record<Exclude<CheckoutColumn, 'url'>, (listed: ListedCheckout) => string>> = {
  createdDate: ({ checkout }) => jstDate(checkout.createdAt),
  createdTime: ({ checkout }) => timeCell(checkout.createdAt),
  status: ({ checkout }) => checkout.state.status,
  amount: ({ checkout }) => String(checkout.amountYen),
  refundedAmount: ({ refundedYen }) => String(refundedYen),
  reference: ({ checkout }) => textCell(checkout.reference),
  subject: ({ checkout }) => textCell(checkout.subject),
  paidDate: (listed) => whenPaid(listed, jstDate),
  paidTime: (listed) => whenPaid(listed, timeCell),
  email: ({ shopper }) => textCell(shopper?.email ?? null),
  cardBrand: (listed) => textCell(paymentOf(listed)?.card?.brand ?? null),
  lastFour: (listed) => textCell(paymentOf(listed)?.card?.lastFour ?? null),
  transactionId: (listed) => textCell(paymentOf(listed)?.transactionId ?? null),
  checkoutId: ({ checkout }) => textCell(checkout.id),
}

const JAPANESE_HEADINGS: Readonly<Record<CheckoutColumn, string>> = {
  createdDate: '作成日',
  createdTime: '作成時刻',
  status: '状態',
  amount: '金額',
  refundedAmount: '返金額',
  reference: '注文番号',
  subject: '件名',
  paidDate: '決済日',
  paidTime: '決済時刻',
  email: 'メールアドレス',
  cardBrand: 'カードブランド',
  lastFour: 'カード番号下4桁',
  transactionId: '取引番号',
  checkoutId: 'チェックアウトID',
  url: '決済リンク',
}

const JAPANESE_STATUSES: Readonly<Record<CheckoutStatus, string>> = {
  open: '未決済',
  paid: '決済済み',
  refunded: '全額返金済み',
  failed: '決済失敗',
  cancelled: 'キャンセル',
  expired: '期限切れ',
}

interface CsvOptions {
  /** Of the headings and the states; left out, they are the names of the columns. */
  readonly locale: CheckoutExportQuery['locale']
  /** Of the pages of the shop. */
  readonly origin: string
}

/** In pieces, as the checkouts are read: a whole year fills no memory. */
export async function* checkoutsCsv(
  pages: AsyncIterable<readonly ListedCheckout[]>,
  { locale, origin }: CsvOptions,
): AsyncGenerator<string, void> {
  const isJapanese = locale === 'ja_JP'
  const cellOf = (name: CheckoutColumn, listed: ListedCheckout): string => {
    if (name === 'url') return textCell(`${origin}/${listed.checkout.id}`)
    return isJapanese && name === 'status' ? JAPANESE_STATUSES[listed.checkout.state.status] : cells[name](listed)
  }
  const lineOf = (listed: ListedCheckout): string => csvLine(CHECKOUT_COLUMNS.map(([name]) => cellOf(name, listed)))
  const headings = CHECKOUT_COLUMNS.map(([name]) => (isJapanese ? JAPANESE_HEADINGS[name] : name))
  yield csvLine(headings)
  for await (const page of pages) if (page.length > 0) yield page.map(lineOf).join('')
}
