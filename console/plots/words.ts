/** Words of the plots. */
import type { FiguresAnswer } from '#contract/merchant/figures.ts'
import type { WordsOf } from '../words/language.tsx'

/** The ends of a begun payment, in the order of the plot. */
export const ENDS = ['paid', 'declined', 'authenticationFailed', 'givenUp', 'inDoubt'] as const
export type End = (typeof ENDS)[number] & keyof FiguresAnswer['total']['checkouts']

interface PlotWords {
  readonly day: string
  readonly charged: string
  readonly refunded: string
  readonly chargeCount: string
  readonly refundCount: string
  readonly moneySummary: (charged: string, refunded: string) => string
  readonly noMoney: string
  readonly end: string
  readonly ends: Readonly<Record<End, string>>
  readonly ofHundred: string
  readonly payments: string
  readonly share: (ofHundred: number, count: string) => string
  readonly begunSummary: (paid: number, begun: string) => string
  readonly noBegun: string
  readonly brand: string
  readonly unknownBrand: string
  readonly amount: string
  readonly brandValue: (amount: string, charges: string) => string
  readonly brandSummary: (brand: string, amount: string) => string
}

export const plotWords: WordsOf<PlotWords> = {
  ja: {
    day: '日付',
    charged: '売上',
    refunded: '返金',
    chargeCount: '売上件数',
    refundCount: '返金件数',
    moneySummary: (charged, refunded) => `日ごとの売上と返金。期間の合計は売上${charged}、返金${refunded}です。`,
    noMoney: 'この期間の売上と返金はありません。',
    end: '結果',
    ends: {
      paid: '支払い完了',
      declined: 'カード会社が承認せず',
      authenticationFailed: '本人認証に失敗',
      givenUp: '途中でやめた',
      inDoubt: '結果を確認中',
    },
    ofHundred: '100件あたり',
    payments: '件数',
    share: (ofHundred, count) => `${ofHundred}（${count}件）`,
    begunSummary: (paid, begun) => `始まった決済${begun}件のうち、100件あたり${paid}件が支払われました。`,
    noBegun: 'この期間に始まった決済はありません。',
    brand: 'カードブランド',
    unknownBrand: '不明',
    amount: '売上',
    brandValue: (amount, charges) => `${amount}（${charges}件）`,
    brandSummary: (brand, amount) => `カードブランド別の売上。最も多いのは${brand}の${amount}です。`,
  },
  'en-US': {
    day: 'Day',
    charged: 'Charged',
    refunded: 'Refunded',
    chargeCount: 'Charges',
    refundCount: 'Refunds',
    moneySummary: (charged, refunded) =>
      `Charged and refunded by day. In all ${charged} were charged and ${refunded} refunded.`,
    noMoney: 'Nothing was charged or refunded in this time.',
    end: 'Outcome',
    ends: {
      paid: 'Paid',
      declined: 'Declined',
      authenticationFailed: 'Authentication failed',
      givenUp: 'Given up',
      inDoubt: 'In doubt',
    },
    ofHundred: 'Of 100',
    payments: 'Payments',
    share: (ofHundred, count) => `${ofHundred} (${count})`,
    begunSummary: (paid, begun) =>
      `${begun === '1' ? '1 payment was' : `${begun} payments were`} begun. Of 100 begun payments ${paid} were paid.`,
    noBegun: 'No payment was begun in this time.',
    brand: 'Card brand',
    unknownBrand: 'Unknown',
    amount: 'Charged',
    brandValue: (amount, charges) => `${amount} (${charges})`,
    brandSummary: (brand, amount) => `Charged by card brand. Most with ${brand}: ${amount}.`,
  },
}
