/** Figures as CSV: a line for each day, as a spreadsheet in Japan opens it by a double click. */
import { brandName } from '#contract/brand-name.ts'
import { csvLine } from '#contract/csv.ts'
import {
  FIGURE_COLUMNS,
  REPORTED_BRANDS,
  type FigureColumn,
  type FiguresAnswer,
  type FiguresExportQuery,
  type ReportedBrand,
} from '#contract/merchant/figures.ts'

type Day = FiguresAnswer['days'][number]

const cells: Readonly<Record<FigureColumn, (day: Day) => string | number>> = {
  date: ({ date }) => date,
  charges: ({ charges }) => charges,
  chargedAmount: ({ chargedAmount }) => chargedAmount,
  refunds: ({ refunds }) => refunds,
  refundedAmount: ({ refundedAmount }) => refundedAmount,
  chargebacks: ({ chargebacks }) => chargebacks,
  chargebackAmount: ({ chargebackAmount }) => chargebackAmount,
  chargebackReversals: ({ chargebackReversals }) => chargebackReversals,
  reversedAmount: ({ reversedAmount }) => reversedAmount,
  begun: ({ checkouts }) => checkouts.begun,
  paid: ({ checkouts }) => checkouts.paid,
  declined: ({ checkouts }) => checkouts.declined,
  authenticationFailed: ({ checkouts }) => checkouts.authenticationFailed,
  givenUp: ({ checkouts }) => checkouts.givenUp,
  inDoubt: ({ checkouts }) => checkouts.inDoubt,
}

const JAPANESE_HEADINGS: Readonly<Record<FigureColumn, string>> = {
  date: '日付',
  charges: '売上件数',
  chargedAmount: '売上金額',
  refunds: '返金件数',
  refundedAmount: '返金額',
  chargebacks: 'チャージバック件数',
  chargebackAmount: 'チャージバック金額',
  chargebackReversals: 'チャージバック取消件数',
  reversedAmount: 'チャージバック取消金額',
  begun: '決済開始件数',
  paid: '支払完了件数',
  declined: '承認されなかった件数',
  authenticationFailed: '本人認証に失敗した件数',
  givenUp: '途中でやめた件数',
  inDoubt: '結果確認中の件数',
}

const japaneseBrand = (brand: ReportedBrand): string => (brand === 'unknown' ? 'ブランド不明' : brandName(brand))

/** Two columns for each brand, in the order of the contract. */
const brandColumns = (brand: ReportedBrand): readonly [charges: string, amount: string] => [
  `${brand}Charges`,
  `${brand}ChargedAmount`,
]

const headingsOf = (isJapanese: boolean): string[] => [
  ...FIGURE_COLUMNS.map(([name]) => (isJapanese ? JAPANESE_HEADINGS[name] : name)),
  ...REPORTED_BRANDS.flatMap((brand) =>
    isJapanese ? [`${japaneseBrand(brand)} 売上件数`, `${japaneseBrand(brand)} 売上金額`] : brandColumns(brand),
  ),
]

const lineOf = (day: Day): string =>
  csvLine([
    ...FIGURE_COLUMNS.map(([name]) => cells[name](day)),
    ...REPORTED_BRANDS.flatMap((brand) => {
      const { charges = 0, chargedAmount = 0 } = day.cardBrands.find(({ cardBrand }) => cardBrand === brand) ?? {}
      return [charges, chargedAmount]
    }),
  ])

/** No amount of it is negative, so that none is taken for a formula. */
export const figuresCsv = ({ days }: FiguresAnswer, locale: FiguresExportQuery['locale']): string =>
  csvLine(headingsOf(locale === 'ja_JP')) + days.map(lineOf).join('')
