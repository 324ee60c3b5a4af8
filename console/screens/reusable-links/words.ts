/** Words of the screens of reusable links. */
import type { LinkStatus } from '#contract/merchant/reusable-links.ts'
import type { WordsOf } from '../../words/language.tsx'

interface LinksWords {
  readonly title: string
  readonly lead: string
  readonly create: string
  readonly list: string
  readonly emptyTitle: string
  readonly emptyText: string
  readonly subject: string
  readonly noSubject: string
  readonly amount: string
  readonly entered: (min: string, max: string) => string
  readonly payments: string
  readonly ofLimit: (payments: number, limit: number | null) => string
  readonly until: string
  readonly noEnd: string
  readonly status: string
  readonly statuses: Readonly<Record<LinkStatus, string>>
  readonly created: string
  readonly facts: string
  readonly remarks: string
  readonly reference: string
  readonly locale: string
  readonly anyLocale: string
  readonly disabledSince: string
  readonly change: string
  readonly changeTitle: string
  readonly changeLead: string
  readonly limit: string
  readonly limitHint: string
  readonly limitProblem: string
  readonly untilHint: string
  readonly disable: string
  readonly disableTitle: string
  readonly disableText: string
  readonly enable: string
  readonly disabled: string
  readonly enabled: string
  readonly checkouts: string
  readonly noCheckouts: string
  readonly shopper: string
}

export const linksWords: WordsOf<LinksWords> = {
  ja: {
    title: '固定リンク',
    lead: '何人でも支払えるリンクです。ポスターやSNS、メニューに載せてお使いください。',
    create: '固定リンクを作成',
    list: '固定リンクの一覧',
    emptyTitle: '固定リンクはまだありません',
    emptyText: '作成すると、開いたお客様ごとに新しい決済が始まります。',
    subject: '内容',
    noSubject: '（内容なし）',
    amount: '金額',
    entered: (min, max) => `${min}〜${max}（お客様が入力）`,
    payments: '支払い件数',
    ofLimit: (payments, limit) => (limit === null ? `${payments}件` : `${payments} / ${limit}件`),
    until: '期限',
    noEnd: 'なし',
    status: '状態',
    statuses: { open: '受付中', full: '上限に達しました', ended: '期限切れ', disabled: '停止中' },
    created: '作成日時',
    facts: '詳細',
    remarks: '備考',
    reference: '注文番号',
    locale: 'ページの言語',
    anyLocale: '自動',
    disabledSince: '停止した日時',
    change: '上限・期限を変更',
    changeTitle: '上限と期限の変更',
    changeLead: '金額と内容は変更できません。変えたいときは、新しい固定リンクを作成してください。',
    limit: '受付件数の上限',
    limitHint: '空欄の場合は上限なしです。',
    limitProblem: '1以上の件数を入力してください。',
    untilHint: 'その日の終わりに受付を終了します。空欄の場合は期限なしです。',
    disable: '受付を停止',
    disableTitle: '受付を停止しますか？',
    disableText: '開いているお客様も支払えなくなります。あとで再開できます。',
    enable: '受付を再開',
    disabled: '受付を停止しました。',
    enabled: '受付を再開しました。',
    checkouts: 'このリンクの決済',
    noCheckouts: 'まだお支払い手続きはありません。',
    shopper: 'お客様',
  },
  'en-US': {
    title: 'Reusable links',
    lead: 'Any number of shoppers can pay by such a link. Put it on a poster, a menu or a profile.',
    create: 'New reusable link',
    list: 'Reusable links',
    emptyTitle: 'There are no reusable links yet',
    emptyText: 'Each visitor of such a link gets a checkout of their own.',
    subject: 'Subject',
    noSubject: '(no subject)',
    amount: 'Amount',
    entered: (min, max) => `${min} to ${max}, entered by the shopper`,
    payments: 'Payments',
    ofLimit: (payments, limit) => (limit === null ? String(payments) : `${payments} of ${limit}`),
    until: 'Ends',
    noEnd: 'No end',
    status: 'Status',
    statuses: { open: 'Open', full: 'Full', ended: 'Ended', disabled: 'Switched off' },
    created: 'Created',
    facts: 'Details',
    remarks: 'Remarks',
    reference: 'Reference',
    locale: 'Language of the page',
    anyLocale: 'Automatic',
    disabledSince: 'Switched off',
    change: 'Change limit or end',
    changeTitle: 'Limit and end',
    changeLead: 'Amount and texts stay as they are. To change them, make a new reusable link.',
    limit: 'Payments at most',
    limitHint: 'Left empty: no limit.',
    limitProblem: 'Enter a number of 1 or more.',
    untilHint: 'It ends with that day in Japan. Left empty: it has no end.',
    disable: 'Switch off',
    disableTitle: 'Switch this link off?',
    disableText: 'Shoppers who have it open cannot pay any more either. You can switch it on again.',
    enable: 'Switch on',
    disabled: 'The link is switched off.',
    enabled: 'The link is switched on.',
    checkouts: 'Checkouts of this link',
    noCheckouts: 'Nobody has sent a card yet.',
    shopper: 'Shopper',
  },
}
