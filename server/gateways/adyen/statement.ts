/** Adyen, statement: the settlement reports of a period, a report a page. */
import { DAY_MS, type Instant } from '#contract/jst.ts'
import type { Period, Statement, StatementLine, Unknown } from '#payment/ports.ts'
import { AnswerTooLong, piecesOf } from '../limited-body.ts'
import type { AdyenAccount } from './account.ts'
import { rowsOf, UnreadableCsv } from './csv.ts'
import { readHeader, readMovement, UnreadableReport, type Header } from './settlement-report.ts'
import { unknown } from '../unknown-outcome.ts'

/** A report that Adyen has told of. */
export interface ReportNotice {
  readonly fileName: string
  readonly address: string
  readonly toldAt: Instant
}

/** Some payments are settled days after others. Reports that are told of later than this hold nothing of the period. */
const SETTLED_WITHIN_MS = 14 * DAY_MS
const REPORT_MAX = 256 * 1024 * 1024
/** Movements of one report that are kept in memory: a row is about 200 bytes there. */
const MOVEMENTS_MAX = 200_000
/** With the number of its batch; a report that is made by hand has something more behind it. */
const FILE_NAME = /^settlement_detail_report_batch_(\d{1,9})(?:[_-][A-Za-z0-9_-]{1,150})?\.csv$/

/** What Adyen has told of its reports. */
export interface ReportInbox {
  /** Those that it told of from this moment on, the oldest first. */
  reports(from: Instant): Promise<readonly ReportNotice[]>
  /** The last ones that it told of before. */
  reportsBefore(from: Instant): Promise<readonly ReportNotice[]>
}

interface ReportSource {
  readonly account: Pick<AdyenAccount, 'merchantAccount' | 'reportOrigin' | 'reportApiKey'>
  readonly inbox: ReportInbox
  readonly fetchReport: (address: URL) => Promise<Response>
}

/**
 * The address of a report. Adyen signs the file's name and not the address: one at another host would be handed the report
 * user's key. Null: it is not fetched.
 */
const addressOf = ({ address, fileName }: ReportNotice, reportOrigin: string): URL | null => {
  const url = URL.parse(address)
  return url !== null && url.origin === reportOrigin && url.search === '' && url.pathname.endsWith(`/${fileName}`)
    ? url
    : null
}

interface BatchReport extends ReportNotice {
  readonly batch: number
}

/** One report for each batch, the first that was told of: a second one of the same batch lists the same payments again. */
const batchesIn = (told: readonly ReportNotice[]): readonly BatchReport[] => {
  const reports = new Map<number, BatchReport>()
  for (const report of told) {
    const [, batch] = FILE_NAME.exec(report.fileName) ?? []
    if (batch !== undefined && !reports.has(Number(batch)))
      reports.set(Number(batch), { ...report, batch: Number(batch) })
  }
  return [...reports.values()]
}

/** More reports than a restore loses. */
const UNTOLD_MAX = 60

/**
 * Every batch after `last`, also those whose notification never came, or was lost by a restore: they lie beside the next one that
 * is known. Without them the payments of such a batch would be a gap that nobody sees. Null: too many are missing.
 */
const withUntold = (known: readonly BatchReport[], last: number | null): readonly BatchReport[] | null => {
  const sorted = known.toSorted((one, other) => one.batch - other.batch)
  const all: BatchReport[] = []
  let next = last === null ? (sorted[0]?.batch ?? 0) : last + 1
  for (const report of sorted) {
    if (report.batch - next > UNTOLD_MAX) return null
    for (; next < report.batch; next += 1) {
      const fileName = `settlement_detail_report_batch_${next}.csv`
      const address = report.address.slice(0, report.address.lastIndexOf('/') + 1) + fileName
      all.push({ fileName, address, toldAt: report.toldAt, batch: next })
    }
    all.push(report)
    next = report.batch + 1
  }
  return all
}

/** The number of the first batch of an account: nothing was settled before. */
const FIRST_BATCH = 1

interface ReportsOfPeriod {
  readonly reports: readonly ReportNotice[]
  readonly bounds: { readonly completeFrom?: Instant; readonly completeUntil: Instant }
}

/** The reports that may hold a movement of the period; or why the period cannot be told. `before`: told of earlier. */
const reportsOf = (
  told: readonly ReportNotice[],
  before: readonly ReportNotice[],
  { to }: Period,
): ReportsOfPeriod | Unknown => {
  const settlements = batchesIn(told)
  const latest = settlements.at(-1)
  if (latest === undefined)
    return unknown(
      'Adyen has told of no settlement report since this period began: it must make one whenever a batch is closed',
    )
  // What was captured shortly before may be settled in a later report: it is then inquired about, which Adyen answers for six days.
  const completeUntil = Math.min(to, latest.toldAt)
  const inTime = settlements.filter(({ toldAt }) => toldAt < to + SETTLED_WITHIN_MS)
  const batchesBefore = batchesIn(before).map(({ batch }) => batch)
  const last = batchesBefore.length === 0 ? null : Math.max(...batchesBefore)
  const reports = withUntold(inTime, last)
  const [first] = reports ?? []
  if (reports === null || first === undefined) return unknown('Adyen has not told of many settlement reports')
  // Nobody knows how many batches there were before the first that was ever told of.
  const isWhole = last !== null || first.batch === FIRST_BATCH
  return { reports, bounds: { ...(isWhole ? {} : { completeFrom: first.toldAt }), completeUntil } }
}

const movementsOf = async (
  response: Response,
  merchantAccount: string,
  { from, to }: Period,
): Promise<StatementLine[]> => {
  const lines: StatementLine[] = []
  let header: Header | null = null
  for await (const fields of rowsOf(piecesOf(response, REPORT_MAX))) {
    if (header === null) {
      header = readHeader(fields)
      continue
    }
    const line = readMovement(header, fields, merchantAccount)
    if (line === null || line.movedAt < from || line.movedAt >= to) continue
    lines.push(line)
    if (lines.length > MOVEMENTS_MAX) throw new UnreadableReport(`a report has more than ${MOVEMENTS_MAX} movements`)
  }
  if (header === null) throw new UnreadableReport('the report is empty')
  return lines
}

const doubtOf = (error: unknown): Unknown => {
  if (error instanceof UnreadableReport || error instanceof UnreadableCsv || error instanceof AnswerTooLong)
    return unknown(`a settlement report cannot be read: ${error.message}`)
  return { ...unknown('a settlement report could not be fetched'), isSilence: true }
}

/** One page: the next report after the one whose file name is given. A report that cannot be read in full is no page. */
export const readReports = async (
  { account, inbox, fetchReport }: ReportSource,
  period: Period,
  after: string | null,
): Promise<Statement> => {
  if (account.reportApiKey === null)
    return unknown('no settlement report can be read: set reportApiKey in the credentials of the acquirer')
  const told = reportsOf(await inbox.reports(period.from), await inbox.reportsBefore(period.from), period)
  if ('outcome' in told) return told
  const { reports, bounds } = told
  const place = after === null ? 0 : reports.findIndex(({ fileName }) => fileName === after) + 1
  const report = reports[place]
  if ((after !== null && place === 0) || report === undefined) return unknown('a page that does not exist')
  const address = addressOf(report, account.reportOrigin)
  if (address === null) return unknown('a settlement report has an address that is none of Adyen')
  try {
    const response = await fetchReport(address)
    if (response.status !== 200) {
      await response.body?.cancel()
      return unknown(`a settlement report could not be fetched: HTTP ${response.status}`)
    }
    const lines = await movementsOf(response, account.merchantAccount, period)
    return { outcome: 'page', lines, ...bounds, after: place + 1 < reports.length ? report.fileName : null }
  } catch (error) {
    return doubtOf(error)
  }
}
