/** Settlement details report: the CSV of one batch, with the columns that Adyen documents. */
import { japanTime } from './notifications.ts'
import { isDisputeKind, type Modification, type ModificationKind, type Payment } from './rows.ts'

/** docs.adyen.com/developers/reporting/settlement-detail-report/settlement-detail-report-structure */
const COLUMNS = [
  'Company Account',
  'Merchant Account',
  'Psp Reference',
  'Merchant Reference',
  'Payment Method',
  'Creation Date',
  'TimeZone',
  'Type',
  'Modification Reference',
  'Gross Currency',
  'Gross Debit (GC)',
  'Gross Credit (GC)',
  'Exchange Rate',
  'Net Currency',
  'Net Debit (NC)',
  'Net Credit (NC)',
  'Commission (NC)',
  'Markup (NC)',
  'Scheme Fees (NC)',
  'Interchange (NC)',
  'Payment Method Variant',
  'Modification Merchant Reference',
  'Batch Number',
  'Reserved4',
  'Reserved5',
  'Reserved6',
  'Reserved7',
  'Reserved8',
  'Reserved9',
  'Reserved10',
] as const

type Line = Partial<Record<(typeof COLUMNS)[number], string>>

const COMPANY_ACCOUNT = 'AdyenDouble'

export interface ReportedModification {
  readonly payment: Payment
  readonly modification: Modification
}

interface Report {
  readonly merchantAccount: string
  readonly batch: number
  readonly closedAt: number
  readonly modifications: readonly ReportedModification[]
}

export const reportFileName = (batch: number): string => `settlement_detail_report_batch_${batch}.csv`

export const batchOfFileName = (file: string): number | undefined => {
  const digits = /^settlement_detail_report_batch_([1-9]\d{0,8})\.csv$/.exec(file)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** What a line adds to the payout, in yen: money to the shop is positive. */
interface Movement {
  readonly type: string
  readonly signedYen: number
}

/** Null: it moves no money. */
const ROWS: Readonly<Record<ModificationKind, { readonly type: string; readonly sign: 1 | -1 } | null>> = {
  capture: { type: 'Settled', sign: 1 },
  refund: { type: 'Refunded', sign: -1 },
  cancel: null,
  technical_cancel: null,
  dispute: null,
  chargeback: { type: 'Chargeback', sign: -1 },
  chargeback_reversed: { type: 'ChargebackReversed', sign: 1 },
  second_chargeback: { type: 'SecondChargeback', sign: -1 },
}

const movementsOf = ({ kind, amountYen, batch, reversedBatch }: Modification, number: number): Movement[] => {
  const row = ROWS[kind]
  return [
    ...(batch === number && row !== null ? [{ type: row.type, signedYen: row.sign * amountYen }] : []),
    ...(reversedBatch === number ? [{ type: 'RefundedReversed', signedYen: amountYen }] : []),
  ]
}

const grossAndNet = (signedYen: number): Line => {
  const amount = String(Math.abs(signedYen))
  const money: Line = { 'Gross Currency': 'JPY', 'Net Currency': 'JPY', 'Exchange Rate': '1' }
  return signedYen < 0
    ? { ...money, 'Gross Debit (GC)': amount, 'Net Debit (NC)': amount }
    : { ...money, 'Gross Credit (GC)': amount, 'Net Credit (NC)': amount }
}

const timeOf = (time: number): Line => ({ 'Creation Date': japanTime(time).replace('T', ' '), TimeZone: 'JST' })

/** RFC 4180; a reference of a merchant may hold a comma or a quote. */
const cell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

export const settlementReport = ({ merchantAccount, batch, closedAt, modifications }: Report): string => {
  const account: Line = {
    'Company Account': COMPANY_ACCOUNT,
    'Merchant Account': merchantAccount,
    'Batch Number': String(batch),
  }
  const entries = modifications.flatMap(({ payment, modification }) =>
    movementsOf(modification, batch).map(({ type, signedYen }) => ({
      signedYen,
      line: {
        ...account,
        ...timeOf(modification.createdAt),
        ...grossAndNet(signedYen),
        'Psp Reference': payment.pspReference,
        'Merchant Reference': payment.reference,
        'Payment Method': payment.paymentMethod,
        'Payment Method Variant': payment.paymentMethod,
        Type: type,
        'Modification Reference': modification.pspReference,
        'Modification Merchant Reference': isDisputeKind(modification.kind) ? '' : modification.reference,
      },
    })),
  )
  const payoutYen = entries.reduce((total, { signedYen }) => total + signedYen, 0)
  // The payout takes the batch's balance out of the account: a debit where the shop is paid.
  const payout: Line = {
    ...account,
    ...timeOf(closedAt),
    Type: 'MerchantPayout',
    'Modification Reference': `batch ${batch}`,
    'Net Currency': 'JPY',
    ...(payoutYen < 0 ? { 'Net Credit (NC)': String(-payoutYen) } : { 'Net Debit (NC)': String(payoutYen) }),
  }
  const lines: readonly Line[] = [...entries.map(({ line }) => line), payout]
  return [COLUMNS, ...lines.map((line) => COLUMNS.map((column) => line[column] ?? ''))]
    .map((cells) => `${cells.map(cell).join(',')}\n`)
    .join('')
}
