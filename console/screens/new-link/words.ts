/** Words of the screen that makes a link. */
import type { TaxRate } from '#contract/tax-rates.ts'
import { dateRangeWords } from '../../forms/date-range-words.ts'
import type { WordsOf } from '../../words/language.tsx'
import type { AmountBy, FieldProblem, LinkKind, TaxedBy } from './draft.ts'

interface NewLinkWords {
  readonly title: string
  readonly kind: string
  readonly kinds: Readonly<Record<LinkKind, { readonly label: string; readonly detail: string }>>
  readonly amountBy: string
  readonly amountsBy: Readonly<Record<AmountBy, string>>
  readonly amount: string
  readonly min: string
  readonly max: string
  readonly subject: string
  readonly subjectHint: string
  readonly until: string
  readonly untilHint: Readonly<Record<LinkKind, string>>
  readonly locale: string
  readonly anyLocale: { readonly label: string; readonly detail: string }
  readonly maxPayments: string
  readonly maxPaymentsHint: string
  readonly more: string
  readonly remarks: string
  readonly remarksHint: string
  readonly reference: string
  readonly referenceHint: string
  readonly taxes: string
  readonly taxedBy: Readonly<Record<TaxedBy, { readonly label: string; readonly detail?: string }>>
  readonly taxedAt: Readonly<Record<TaxRate, string>>
  readonly brands: string
  readonly brandsHint: string
  readonly brandsOfShop: string
  readonly redirectUrl: string
  readonly redirectUrlHint: string
  readonly problems: Readonly<Record<FieldProblem, string>>
  readonly create: string
  readonly preview: string
  readonly previewTitle: (shop: string) => string
  readonly enteredLead: string
  readonly madeTitle: Readonly<Record<LinkKind, string>>
  readonly another: string
  readonly show: Readonly<Record<LinkKind, string>>
}

export const newLinkWords: WordsOf<NewLinkWords> = {
  ja: {
    title: 'リンク作成',
    kind: 'リンクの種類',
    kinds: {
      once: { label: '1回だけ', detail: '1人のお客様に送る請求です。' },
      reusable: { label: '繰り返し使う', detail: '何人でも支払える固定リンクです。' },
    },
    amountBy: '金額の決め方',
    amountsBy: { merchant: '金額を決める', shopper: 'お客様が入力する' },
    amount: '金額',
    min: '最小の金額',
    max: '最大の金額',
    subject: '内容',
    subjectHint: 'お客様に表示されます。例：煎茶 100g',
    until: '期限',
    untilHint: {
      once: 'その日の終わりまで支払えます。空欄の場合は7日後です。',
      reusable: 'その日の終わりに受付を終了します。空欄の場合は期限なしです。',
    },
    locale: 'ページの言語',
    anyLocale: { label: '自動', detail: 'ショップの設定、またはお客様のブラウザーに合わせます。' },
    maxPayments: '受付件数の上限',
    maxPaymentsHint: '支払いが完了した件数だけを数えます。空欄の場合は上限なしです。',
    more: '詳細設定',
    remarks: '備考',
    remarksHint: 'お客様に表示されます。改行できます。',
    reference: '注文番号',
    referenceHint: 'ショップでの番号です。お客様には表示されません。',
    taxes: '消費税の内訳',
    taxedBy: {
      none: { label: '記載しない', detail: '通常の領収書になります。' },
      '10': { label: 'すべて10%', detail: '登録番号を設定している場合、領収書は適格請求書（インボイス）になります。' },
      '8': { label: 'すべて8%（軽減税率）' },
      '0': { label: 'すべて0%（対象外）' },
      mixed: { label: '税率ごとに入力する' },
    },
    taxedAt: { 10: '10%の金額（税込）', 8: '8%の金額（税込）', 0: '0%（対象外）の金額' },
    brands: '使えるカードブランド',
    brandsHint: 'ほかのブランドのカードでは支払えません。',
    brandsOfShop: 'ショップの設定と同じ',
    redirectUrl: '支払い後に移動するページ',
    redirectUrlHint:
      '空欄の場合は領収書を表示します。本番では「本番のリンクから戻れるホスト」に登録したホストだけが使えます。',
    problems: {
      missing: '金額を入力してください。',
      'not an amount': '1円から9,999,999円までの金額を入力してください。',
      'below the smallest': '最小の金額以上にしてください。',
      'not a number': '1以上の件数を入力してください。',
      'half typed': dateRangeWords.ja.halfDay,
      'subject missing': '消費税の内訳を記載するには、内容を入力してください。',
      'not the amount': '税率ごとの金額の合計を、金額と同じにしてください。',
      'no brand': '1つ以上選択してください。',
      'not an address': 'https:// から始まるアドレスを入力してください。本番では、設定に登録したホストだけが使えます。',
      'card number': 'カード番号のように見える数字が含まれています。カード番号は入力しないでください。',
      refused: 'この値は使えません。別の値を入力してください。',
    },
    create: 'リンクを作成',
    preview: 'プレビュー',
    previewTitle: (shop) => `${shop}のお支払いページのプレビュー`,
    enteredLead: '先に金額を入力するページが表示され、そのあとこのページに進みます。',
    madeTitle: { once: 'リンクを作成しました', reusable: '固定リンクを作成しました' },
    another: '続けて作成',
    show: { once: '決済を見る', reusable: '固定リンクを見る' },
  },
  'en-US': {
    title: 'New link',
    kind: 'Kind of link',
    kinds: {
      once: { label: 'Once', detail: 'An invoice for one shopper.' },
      reusable: { label: 'Reusable', detail: 'One address that any number of shoppers pay.' },
    },
    amountBy: 'Amount',
    amountsBy: { merchant: 'I set it', shopper: 'The shopper enters it' },
    amount: 'Amount',
    min: 'Smallest amount',
    max: 'Largest amount',
    subject: 'Subject',
    subjectHint: 'The shopper reads it, such as: Sencha, 100 g',
    until: 'Deadline',
    untilHint: {
      once: 'It can be paid until the end of that day in Japan. Left empty: the 7th day from now.',
      reusable: 'It ends with that day in Japan. Left empty: it has no end.',
    },
    locale: 'Language of the page',
    anyLocale: { label: 'Automatic', detail: 'That of the shop’s settings, or of the shopper’s browser.' },
    maxPayments: 'Payments at most',
    maxPaymentsHint: 'Completed payments count. Left empty: no limit.',
    more: 'More settings',
    remarks: 'Remarks',
    remarksHint: 'The shopper reads them. Lines are kept.',
    reference: 'Reference',
    referenceHint: 'Your own number, such as that of the order. The shopper does not see it.',
    taxes: 'Consumption tax',
    taxedBy: {
      none: { label: 'Not named', detail: 'The receipt is a plain one.' },
      '10': {
        label: 'All at 10 %',
        detail: 'The receipt is a qualified invoice where the shop has a registration number.',
      },
      '8': { label: 'All at 8 % (reduced rate)' },
      '0': { label: 'All at 0 % (no tax)' },
      mixed: { label: 'An amount for each rate' },
    },
    taxedAt: { 10: 'At 10 %, tax included', 8: 'At 8 %, tax included', 0: 'At 0 % (no tax)' },
    brands: 'Accepted card brands',
    brandsHint: 'Cards of other brands are refused.',
    brandsOfShop: 'As in the settings of the shop',
    redirectUrl: 'Page after paying',
    redirectUrlHint:
      'Left empty: the receipt is shown. A live link leads only to hosts that are in “Hosts that live links may lead back to”.',
    problems: {
      missing: 'Enter an amount.',
      'not an amount': 'Enter an amount from ¥1 to ¥9,999,999.',
      'below the smallest': 'Enter the smallest amount or more.',
      'not a number': 'Enter a number of 1 or more.',
      'half typed': dateRangeWords['en-US'].halfDay,
      'subject missing': 'Enter a subject: a receipt that names taxes says what was sold.',
      'not the amount': 'The amounts of the rates must add up to the amount.',
      'no brand': 'Choose at least one brand.',
      'not an address':
        'Enter an address that begins with https://. Live links lead only to hosts that are in the settings.',
      'card number': 'This looks like a card number. Never enter one here.',
      refused: 'This value is not accepted. Enter another one.',
    },
    create: 'Create the link',
    preview: 'Preview',
    previewTitle: (shop) => `Preview of the payment page of ${shop}`,
    enteredLead: 'A page that asks for the amount comes first, and leads to this one.',
    madeTitle: { once: 'The link is ready', reusable: 'The reusable link is ready' },
    another: 'Make another one',
    show: { once: 'Show the checkout', reusable: 'Show the reusable link' },
  },
}
