/** Words of the money screens. */
import type { BreakKind, ReconciliationBreak } from '#contract/merchant/reconciliations.ts'
import type { WordsOf } from '../../words/language.tsx'

interface MoneyWords {
  readonly title: string
  readonly range: string
  readonly tooLong: (days: number) => string
  readonly total: string
  readonly charged: string
  readonly refunded: string
  readonly chargebacks: string
  readonly reversed: string
  readonly net: string
  readonly amountOf: (amount: string, count: string) => string
  readonly days: string
  readonly day: string
  readonly noMovements: string
  readonly exports: string
  readonly exportsLead: string
  readonly movements: string
  readonly movementsWithTaxes: string
  readonly figures: string
  readonly movementsFile: string
  readonly figuresFile: string
  readonly reconciliations: string
  readonly reconciliationsLead: string
  readonly noReconciliations: string
  readonly at: string
  readonly compared: string
  readonly result: string
  readonly agrees: string
  readonly breaks: (count: number) => string
  readonly incomplete: string
  readonly reconciliation: string
  readonly agreed: string
  readonly agreedLead: string
  readonly inDoubt: string
  readonly unanswered: string
  readonly problem: string
  readonly found: string
  readonly noBreaks: string
  readonly moreBreaks: (count: number) => string
  readonly kinds: Readonly<Record<BreakKind, string>>
  readonly movementKinds: Readonly<Record<NonNullable<ReconciliationBreak['movement']>, string>>
  readonly ours: string
  readonly theirs: string
  readonly order: string
  readonly checkout: string
  readonly movement: string
  readonly back: string
}

export const moneyWords: WordsOf<MoneyWords> = {
  ja: {
    title: '売上',
    range: '期間',
    tooLong: (days) => `期間は${days}日以内にしてください。`,
    total: '期間の合計',
    charged: '売上',
    refunded: '返金',
    chargebacks: 'チャージバック',
    reversed: 'チャージバックの取消',
    net: '差引',
    amountOf: (amount, count) => `${amount}（${count}件）`,
    days: '日ごとの集計',
    day: '日付',
    noMovements: 'この期間の売上はありません',
    exports: 'CSVで書き出す',
    exportsLead: '上の期間を、会計ソフトや表計算ソフトで開けるファイルにします。',
    movements: '明細（1件ずつ）',
    movementsWithTaxes: '明細（税率の内訳つき）',
    figures: '日ごとの集計',
    movementsFile: '売上明細',
    figuresFile: '日別集計',
    reconciliations: '突合',
    reconciliationsLead: 'Kaikeiの帳簿と、決済会社の明細を照らし合わせた結果です。',
    noReconciliations: '突合はまだ行われていません。',
    at: '実施日時',
    compared: '対象期間',
    result: '結果',
    agrees: '一致',
    breaks: (count) => `差異${count}件`,
    incomplete: '未完了',
    reconciliation: '突合の結果',
    agreed: '一致したもの',
    agreedLead: '帳簿と決済会社の明細が一致した件数と金額です。',
    inDoubt: '結果を確認中',
    unanswered: '回答なし',
    problem: '明細を取得できませんでした',
    found: '差異',
    noBreaks: '差異はありません。',
    moreBreaks: (count) => `ほかに${count}件の差異があります。`,
    kinds: {
      unknown_order: 'こちらに依頼の記録がない',
      missing_in_ledger: '帳簿にない',
      missing_on_both_sides: 'どちらにもない',
      listed_twice: '明細に重複がある',
      missing_at_acquirer: '決済会社の明細にない',
      amounts_differ: '金額が違う',
      unbalanced: '帳簿の貸借が合わない',
      unknown_entry: '帳簿に不明な記録がある',
    },
    movementKinds: {
      charge: '売上',
      refund: '返金',
      chargeback: 'チャージバック',
      chargeback_reversal: 'チャージバックの取消',
    },
    ours: '帳簿',
    theirs: '決済会社',
    order: '注文コード',
    checkout: '決済を見る',
    movement: '区分',
    back: '売上に戻る',
  },
  'en-US': {
    title: 'Money',
    range: 'Period',
    tooLong: (days) => `Choose at most ${days} days.`,
    total: 'Total of the period',
    charged: 'Charged',
    refunded: 'Refunded',
    chargebacks: 'Chargebacks',
    reversed: 'Reversed chargebacks',
    net: 'Net',
    amountOf: (amount, count) => `${amount} (${count})`,
    days: 'By day',
    day: 'Day',
    noMovements: 'No money has moved in this time',
    exports: 'Export as CSV',
    exportsLead: 'The period above as a file for accounting software or a spreadsheet.',
    movements: 'Movements, one by one',
    movementsWithTaxes: 'Movements with taxes',
    figures: 'Figures by day',
    movementsFile: 'movements',
    figuresFile: 'figures',
    reconciliations: 'Reconciliation',
    reconciliationsLead: 'Our ledger compared with the acquirer’s own statement.',
    noReconciliations: 'No reconciliation has been made yet.',
    at: 'Made',
    compared: 'Compared',
    result: 'Result',
    agrees: 'Agrees',
    breaks: (count) => `${count} break${count === 1 ? '' : 's'}`,
    incomplete: 'Not complete',
    reconciliation: 'Reconciliation',
    agreed: 'What agrees',
    agreedLead: 'On how much our ledger and the acquirer’s statement agree.',
    inDoubt: 'In doubt',
    unanswered: 'Not answered',
    problem: 'The statement could not be read',
    found: 'Breaks',
    noBreaks: 'There is no break.',
    moreBreaks: (count) => (count === 1 ? 'There is 1 break more.' : `There are ${count} breaks more.`),
    kinds: {
      unknown_order: 'Nobody here asked for it',
      missing_in_ledger: 'Missing in our ledger',
      missing_on_both_sides: 'Missing on both sides',
      listed_twice: 'Listed twice',
      missing_at_acquirer: 'Missing at the acquirer',
      amounts_differ: 'The amounts differ',
      unbalanced: 'An entry does not add up',
      unknown_entry: 'An entry that is no movement',
    },
    movementKinds: {
      charge: 'Charge',
      refund: 'Refund',
      chargeback: 'Chargeback',
      chargeback_reversal: 'Reversed chargeback',
    },
    ours: 'Our ledger',
    theirs: 'Acquirer',
    order: 'Order code',
    checkout: 'Look at the checkout',
    movement: 'Movement',
    back: 'Back to money',
  },
}
