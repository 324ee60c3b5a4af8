/** Words of home. */
import type { WordsOf } from '../../words/language.tsx'

interface HomeWords {
  readonly title: string
  readonly attention: string
  readonly nothing: string
  readonly look: string
  /** `isMore`: at least so many. */
  readonly others: (count: number, isMore: boolean) => string
  readonly today: string
  readonly countedAt: (time: string) => string
  readonly refunded: string
  readonly disputed: string
  readonly net: string
  readonly chargesOf: (count: string) => string
  readonly lastDays: (days: number) => string
  readonly period: string
  readonly days: (days: number) => string
  readonly byDay: string
  readonly begun: string
  readonly begunLead: string
  readonly byBrand: string
  readonly emptyTitle: string
  readonly emptyText: string
  readonly emptyTextViewer: string
  readonly newLink: string
  readonly files: { readonly money: string; readonly begun: string; readonly brands: string }
}

export const homeWords: WordsOf<HomeWords> = {
  ja: {
    title: 'ホーム',
    attention: '対応が必要なこと',
    nothing: 'いま対応が必要なことはありません。',
    look: '確認する',
    others: (count, isMore) => `ほか${count}件${isMore ? '以上' : ''}`,
    today: '今日',
    countedAt: (time) => `${time}時点の集計です。`,
    refunded: '返金',
    disputed: 'チャージバック',
    net: '差引',
    chargesOf: (count) => `${count}件`,
    lastDays: (days) => `直近${days}日間`,
    period: '期間',
    days: (days) => `${days}日`,
    byDay: '日ごとの売上と返金',
    begun: '始まった決済100件の結果',
    begunLead: 'カード番号を入力して支払いを始めたお客様が、どうなったかを示します。',
    byBrand: 'カードブランド別の売上',
    emptyTitle: '決済リンクを作りましょう',
    emptyText:
      'リンクを作ってお客様に送ると、売上がここに表示されます。テストモードでは、テスト用のカードで何度でも試せます。',
    emptyTextViewer: '最初の決済が始まると、売上がここに表示されます。',
    newLink: '決済リンクを作る',
    files: { money: '日別売上', begun: '決済の結果', brands: 'ブランド別売上' },
  },
  'en-US': {
    title: 'Home',
    attention: 'Needs a person',
    nothing: 'Nothing needs a person now.',
    look: 'Look at it',
    others: (count, isMore) => (isMore ? `at least ${count} more` : `${count} more`),
    today: 'Today',
    countedAt: (time) => `These figures are as of ${time}.`,
    refunded: 'Refunded',
    disputed: 'Chargebacks',
    net: 'Net',
    chargesOf: (count) => (count === '1' ? '1 charge' : `${count} charges`),
    lastDays: (days) => `Last ${days} days`,
    period: 'Period',
    days: (days) => `${days} days`,
    byDay: 'Charged and refunded by day',
    begun: 'Of 100 begun payments',
    begunLead: 'What became of shoppers who entered a card and began to pay.',
    byBrand: 'Charged by card brand',
    emptyTitle: 'Make your first payment link',
    emptyText:
      'Send the link to a shopper, and what is charged stands here. In test mode you can try it with test cards as often as you like.',
    emptyTextViewer: 'Once the first payment begins, what is charged stands here.',
    newLink: 'Make a link',
    files: { money: 'charged-by-day', begun: 'begun-payments', brands: 'charged-by-brand' },
  },
}
