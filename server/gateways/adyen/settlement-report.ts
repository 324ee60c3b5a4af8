/** Adyen, settlement details report: rows of its CSV into movements of money. */
import type { Instant } from '#contract/jst.ts'
import { isMovedYen } from '#payment/acquirer-limits.ts'
import { holdsCardNumber } from '#payment/card-number-detector.ts'
import type { StatementLine } from '#payment/ports.ts'
import { DISPUTE_MOVES } from './dispute-events.ts'
import { isPspReference, readReference } from './references.ts'

/** Why a report cannot be used. The words go into a log: they hold nothing of the report. */
export class UnreadableReport extends Error {
  override readonly name = 'UnreadableReport'
}

const COLUMNS = {
  merchantAccount: 'Merchant Account',
  pspReference: 'Psp Reference',
  merchantReference: 'Merchant Reference',
  createdAt: 'Creation Date',
  timeZone: 'TimeZone',
  type: 'Type',
  modificationPsp: 'Modification Reference',
  modificationReference: 'Modification Merchant Reference',
  currency: 'Gross Currency',
  debit: 'Gross Debit (GC)',
  credit: 'Gross Credit (GC)',
} as const
type Column = keyof typeof COLUMNS

/** Types of rows that move no money between a shopper and a shop, or are no part of a statement. */
const OTHER_TYPES: ReadonlySet<string> = new Set([
  'AdvancementCommissionInstallment',
  'AdvancementInstallment',
  'BalanceAdjustment',
  'Balancetransfer',
  'BankInstructionReturned',
  'DepositCorrection',
  'EpaPaid',
  'Fee',
  'InvoiceDeduction',
  'ManualCorrected',
  'MatchedStatement',
  'MerchantPayin',
  'MerchantPayout',
  'MiscCosts',
  'PaidOut',
  'PaidOutReversed',
  'PaymentCost',
  'RefundedReversed',
  'ReserveAdjustment',
])

/** The zones of accounts that settle yen, and of Adyen's own default. An hour that is guessed would move a payment to another day. */
const ZONES: Readonly<Record<string, string>> = {
  UTC: 'Z',
  GMT: 'Z',
  JST: '+09:00',
  'Asia/Tokyo': '+09:00',
  CET: '+01:00',
  CEST: '+02:00',
}

const columnName = (field: string): string => field.replace(/^\uFEFF/, '').trim()

/** Where each column stands. The order of columns is the account's own. */
export type Header = Readonly<Record<Column, number>>

export const readHeader = (fields: readonly string[]): Header => {
  const names = fields.map(columnName)
  const placeOf = (column: Column): number => {
    const place = names.indexOf(COLUMNS[column])
    if (place === -1)
      throw new UnreadableReport(
        `the report has no column ${COLUMNS[column]}: add it in the Customer Area, Reports, Settlement details`,
      )
    return place
  }
  return {
    merchantAccount: placeOf('merchantAccount'),
    pspReference: placeOf('pspReference'),
    merchantReference: placeOf('merchantReference'),
    createdAt: placeOf('createdAt'),
    timeZone: placeOf('timeZone'),
    type: placeOf('type'),
    modificationPsp: placeOf('modificationPsp'),
    modificationReference: placeOf('modificationReference'),
    currency: placeOf('currency'),
    debit: placeOf('debit'),
    credit: placeOf('credit'),
  }
}

const amountOf = (text: string): number => {
  const [, yen] = /^(\d{1,9})(?:\.0{1,2})?$/.exec(text) ?? []
  if (yen === undefined || !isMovedYen(Number(yen)))
    throw new UnreadableReport('a row has an amount that is no whole number of yen')
  return Number(yen)
}

const instantOf = (time: string, zone: string): Instant => {
  const offset = Object.hasOwn(ZONES, zone) ? ZONES[zone] : undefined
  if (offset === undefined)
    throw new UnreadableReport('a row has a time zone that is not known: set the report to JST or UTC')
  if (!/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(time)) throw new UnreadableReport('a row has no time')
  try {
    return Temporal.Instant.from(`${time.replace(' ', 'T')}${offset}`).epochMilliseconds
  } catch {
    throw new UnreadableReport('a row has a time that does not exist')
  }
}

/** A payment that another system made on the same account has a reference of that system. */
const orderOf = (reference: string, pspReference: string): string =>
  /^[A-Za-z0-9_.:-]{1,80}$/.test(reference) && !holdsCardNumber(reference) ? reference : pspReference

/** A refund that we did not request has Adyen's own id. */
const refundIdOf = (reference: string, orderCode: string, pspReference: string): string => {
  const named = readReference(reference)
  return named.names === 'refund' && orderCode.startsWith(named.orderPart) ? named.refundId : pspReference
}

/** The movement of a row; null: it is none, or of another merchant account. Throws where the row cannot be read. */
export const readMovement = (
  header: Header,
  fields: readonly string[],
  merchantAccount: string,
): StatementLine | null => {
  const field = (column: Column): string => {
    const text = fields[header[column]]
    if (text === undefined) throw new UnreadableReport('a row is too short')
    return text.trim()
  }
  const type = field('type')
  if (OTHER_TYPES.has(type) || field('merchantAccount') !== merchantAccount) return null
  const move = DISPUTE_MOVES.find(({ rowType }) => rowType === type)
  if (type !== 'Settled' && type !== 'Refunded' && move === undefined)
    throw new UnreadableReport('a row has a type that is not known')
  if (field('currency') !== 'JPY') throw new UnreadableReport('a row is in another currency than yen')
  const reference = field('pspReference')
  const modification = field('modificationPsp')
  if (!isPspReference(reference) || !isPspReference(modification))
    throw new UnreadableReport('a row has no reference of Adyen')
  const movedAt = instantOf(field('createdAt'), field('timeZone'))
  if (move !== undefined) {
    const amountYen = amountOf(field(move.kind === 'chargeback' ? 'debit' : 'credit'))
    const named = readReference(field('merchantReference'))
    const orderCode = named.names === 'order' ? named.orderCode : reference
    return { kind: move.kind, orderCode, movementId: `${modification}${move.suffix}`, amountYen, movedAt }
  }
  const orderCode = orderOf(field('merchantReference'), reference)
  if (type === 'Settled') return { kind: 'charge', orderCode, reference, amountYen: amountOf(field('credit')), movedAt }
  const refundId = refundIdOf(field('modificationReference'), orderCode, modification)
  return { kind: 'refund', orderCode, refundId, amountYen: amountOf(field('debit')), movedAt }
}
