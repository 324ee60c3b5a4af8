/** Words of the list of checkouts. */
import type { WordsOf } from '../../words/language.tsx'

interface CheckoutsWords {
  readonly title: string
  readonly newLink: string
  readonly csv: string
  readonly csvDays: (from: string, to: string) => string
  readonly csvTooLong: (days: number) => string
  readonly csvDone: (from: string, to: string) => string
  readonly search: string
  readonly searchHint: string
  readonly find: string
  readonly filters: (set: number) => string
  readonly status: string
  readonly anyStatus: string
  readonly moving: string
  readonly brand: string
  readonly anyBrand: string
  readonly created: string
  readonly amountFrom: string
  readonly amountTo: string
  readonly wrongAmount: string
  readonly clear: string
  readonly list: string
  readonly what: string
  readonly amount: string
  readonly createdAt: string
  readonly paidWith: string
  readonly nameless: string
  readonly shown: (count: number) => string
  readonly searching: (count: number) => string
  readonly emptyTitle: string
  readonly emptyText: string
  readonly noneTitle: string
  readonly noneText: string
}

export const checkoutsWords: WordsOf<CheckoutsWords> = {
  ja: {
    title: '決済',
    newLink: 'リンクを作成',
    csv: 'CSVをダウンロード',
    csvDays: (from, to) => `CSVの対象：作成日が${from}から${to}まで`,
    csvTooLong: (days) => `CSVにできるのは${days}日分までです。作成日の範囲を短くしてください。`,
    csvDone: (from, to) => `${from}から${to}までに作成した決済のCSVをダウンロードしました。`,
    search: '検索',
    searchHint:
      '注文番号、メールアドレス、カード下4桁、金額、ID、リンクのいずれか。完全に一致したものだけが見つかります。件名は検索しません。',
    find: '検索する',
    filters: (set) => (set === 0 ? '絞り込み' : `絞り込み（${set}件）`),
    status: '状態',
    anyStatus: 'すべての状態',
    moving: '処理中・結果確認中',
    brand: 'カードブランド',
    anyBrand: 'すべてのブランド',
    created: '作成日',
    amountFrom: '金額（以上）',
    amountTo: '金額（以下）',
    wrongAmount: '1円から9,999,999円までの数字を入力してください。',
    clear: '条件を消す',
    list: '決済の一覧',
    what: '内容',
    amount: '金額',
    createdAt: '作成日時',
    paidWith: 'カード',
    nameless: '件名なし',
    shown: (count) => `${count}件を表示しています。`,
    searching: (count) => `${count}件を表示しています。続きを探しています。`,
    emptyTitle: 'まだ決済がありません',
    emptyText: '決済リンクを作成してお客様に送ると、ここに表示されます。',
    noneTitle: '見つかりませんでした',
    noneText: '検索は完全一致です。件名と備考は検索しません。条件を変えてお試しください。',
  },
  'en-US': {
    title: 'Checkouts',
    newLink: 'New link',
    csv: 'Download CSV',
    csvDays: (from, to) => `The CSV has those created from ${from} to ${to}`,
    csvTooLong: (days) => `A CSV has at most ${days} days. Choose fewer days of creation.`,
    csvDone: (from, to) => `The CSV of checkouts created from ${from} to ${to} was downloaded.`,
    search: 'Search',
    searchHint:
      'Your reference, an e-mail address, the last four digits of a card, an amount, an id or a link. Whole texts alone are found; subjects are not searched.',
    find: 'Search',
    filters: (set) => (set === 0 ? 'Filters' : `Filters (${set})`),
    status: 'Status',
    anyStatus: 'Any status',
    moving: 'Under way or in doubt',
    brand: 'Card brand',
    anyBrand: 'Any brand',
    created: 'Created',
    amountFrom: 'Amount from',
    amountTo: 'Amount to',
    wrongAmount: 'Enter a number from 1 to 9,999,999 yen.',
    clear: 'Clear all',
    list: 'Checkouts',
    what: 'For',
    amount: 'Amount',
    createdAt: 'Created',
    paidWith: 'Card',
    nameless: 'No subject',
    shown: (count) => `${count} shown.`,
    searching: (count) => `${count} shown. Looking for more.`,
    emptyTitle: 'No checkouts yet',
    emptyText: 'Make a payment link and send it to a customer: it appears here.',
    noneTitle: 'Nothing found',
    noneText: 'Whole texts alone are found. Subjects and remarks are not searched. Try other conditions.',
  },
}
