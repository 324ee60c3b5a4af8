/** Movements as CSV, in pieces. */
import { csvLine, textCell } from '#contract/csv.ts'
import { jstDate } from '#contract/jst.ts'
import {
  CHARGEBACK_COLUMNS,
  MOVEMENT_COLUMNS,
  TAX_COLUMNS,
  type ChargebackColumn,
  type ExportQuery,
  type MovementColumn,
  type TaxColumn,
} from '#contract/merchant/reports.ts'
import type { TaxRate } from '#contract/tax-rates.ts'
import { amountAt, taxContained } from '#contract/invoice-figures.ts'
import type { Movement } from '../../../store/reports/movements.ts'
import { timeCell } from './csv-cells.ts'

type Column = MovementColumn | TaxColumn | ChargebackColumn

const amountCell = ({ taxes }: Movement, rate: TaxRate): string => (taxes === null ? '' : String(amountAt(taxes, rate)))

const taxCell = ({ taxes }: Movement, rate: TaxRate): string =>
  taxes === null ? '' : String(taxContained({ rate, amount: amountAt(taxes, rate) }))

const cells: Readonly<Record<Column, (movement: Movement) => string>> = {
  date: ({ bookedAt }) => jstDate(bookedAt),
  time: ({ bookedAt }) => timeCell(bookedAt),
  kind: ({ kind }) => kind,
  // A column for each, because a negative amount would be guarded like a formula.
  chargedAmount: ({ kind, amountYen }) => (kind === 'charge' ? String(amountYen) : ''),
  refundedAmount: ({ kind, amountYen }) => (kind === 'refund' ? String(amountYen) : ''),
  checkoutId: ({ checkoutId }) => textCell(checkoutId),
  reference: ({ reference }) => textCell(reference),
  subject: ({ subject }) => textCell(subject),
  refundId: ({ refundId }) => textCell(refundId),
  transactionId: ({ transactionId }) => textCell(transactionId),
  cardBrand: ({ cardBrand }) => textCell(cardBrand),
  lastFour: ({ lastFour }) => textCell(lastFour),
  amountAt10: (movement) => amountCell(movement, 10),
  taxAt10: (movement) => taxCell(movement, 10),
  amountAt8: (movement) => amountCell(movement, 8),
  taxAt8: (movement) => taxCell(movement, 8),
  amountAt0: (movement) => amountCell(movement, 0),
  chargebackAmount: ({ kind, amountYen }) => (kind === 'chargeback' ? String(amountYen) : ''),
  reversedAmount: ({ kind, amountYen }) => (kind === 'chargeback_reversal' ? String(amountYen) : ''),
  chargebackId: ({ chargebackId }) => textCell(chargebackId),
}

const JAPANESE_HEADINGS: Readonly<Record<Column, string>> = {
  date: '日付',
  time: '時刻',
  kind: '区分',
  chargedAmount: '売上金額',
  refundedAmount: '返金額',
  checkoutId: 'チェックアウトID',
  reference: '注文番号',
  subject: '件名',
  refundId: '返金ID',
  transactionId: '取引番号',
  cardBrand: 'カードブランド',
  lastFour: 'カード番号下4桁',
  amountAt10: '10%対象（税込）',
  taxAt10: '10%消費税額',
  amountAt8: '軽減8%対象（税込）',
  taxAt8: '軽減8%消費税額',
  amountAt0: '0%対象',
  chargebackAmount: 'チャージバック金額',
  reversedAmount: 'チャージバック取消金額',
  chargebackId: 'チャージバックID',
}

const JAPANESE_KINDS: Readonly<Record<Movement['kind'], string>> = {
  charge: '売上',
  refund: '返金',
  chargeback: 'チャージバック',
  chargeback_reversal: 'チャージバック取消',
}

interface CsvOptions {
  /** Of the headings and the kinds; left out, they are the names of the columns. */
  readonly locale?: ExportQuery['locale']
  readonly hasTaxes?: boolean
}

/** In pieces, as the movements are read: a whole year fills no memory. */
export async function* movementsCsv(
  pages: AsyncIterable<readonly Movement[]>,
  { locale, hasTaxes = false }: CsvOptions = {},
): AsyncGenerator<string, void> {
  const isJapanese = locale === 'ja_JP'
  const columns: readonly Column[] = [...MOVEMENT_COLUMNS, ...(hasTaxes ? TAX_COLUMNS : []), ...CHARGEBACK_COLUMNS].map(
    ([name]) => name,
  )
  const cellOf = (name: Column, movement: Movement): string =>
    isJapanese && name === 'kind' ? JAPANESE_KINDS[movement.kind] : cells[name](movement)
  const lineOf = (movement: Movement): string => csvLine(columns.map((name) => cellOf(name, movement)))
  yield csvLine(columns.map((name) => (isJapanese ? JAPANESE_HEADINGS[name] : name)))
  for await (const page of pages) if (page.length > 0) yield page.map(lineOf).join('')
}
