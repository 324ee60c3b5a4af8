/** Words of the shell: navigation, shop, mode, account, and the passkey that is asked for again. */
import type { WordsOf } from '../words/language.tsx'
import type { NavigationName } from './navigation-names.ts'

interface ShellWords {
  readonly navigation: Readonly<Record<NavigationName, string>>
  readonly menu: string
  readonly moreMenu: string
  readonly skip: string
  readonly shop: (name: string) => string
  readonly mode: string
  readonly notLive: string
  readonly notLiveTitle: string
  readonly toTest: string
  readonly closed: string
  readonly account: string
  readonly operator: string
  readonly signOut: string
  readonly noShopsTitle: string
  readonly noShops: string
  readonly notFoundTitle: string
  readonly notFound: string
  readonly toHome: string
  readonly confirmTitle: string
  readonly confirmText: string
  readonly confirm: string
}

export const shellWords: WordsOf<ShellWords> = {
  ja: {
    navigation: {
      home: 'ホーム',
      checkouts: '決済',
      newLink: 'リンク作成',
      counter: '店頭決済',
      money: '売上',
      links: '固定リンク',
      look: 'デザイン',
      developers: '開発者',
      people: 'メンバー',
    },
    menu: 'メニュー',
    moreMenu: 'その他',
    skip: '本文へ移動',
    shop: (name) => `ショップ: ${name}`,
    mode: 'モード',
    notLive: 'このショップはまだ本番の決済を受け付けられません。',
    notLiveTitle: '本番はまだ使えません',
    toTest: 'テストを開く',
    closed: 'このショップは閉鎖されています。新しい決済は受け付けません。',
    account: 'アカウント',
    operator: '運用',
    signOut: 'サインアウト',
    noShopsTitle: 'ショップがありません',
    noShops: 'まだどのショップのメンバーでもありません。ショップのオーナーに招待を依頼してください。',
    notFoundTitle: 'ページが見つかりません',
    notFound: 'アドレスが変わったか、間違っています。',
    toHome: 'ホームへ',
    confirmTitle: 'パスキーで確認',
    confirmText: '大切な操作のため、ご本人であることをパスキーでもう一度確認します。確認は5分間有効です。',
    confirm: 'パスキーで確認する',
  },
  'en-US': {
    navigation: {
      home: 'Home',
      checkouts: 'Checkouts',
      newLink: 'New link',
      counter: 'Counter',
      money: 'Money',
      links: 'Reusable links',
      look: 'Look',
      developers: 'Developers',
      people: 'People',
    },
    menu: 'Menu',
    moreMenu: 'More',
    skip: 'Skip to content',
    shop: (name) => `Shop: ${name}`,
    mode: 'Mode',
    notLive: 'This shop cannot take real money yet.',
    notLiveTitle: 'Not live yet',
    toTest: 'Open test mode',
    closed: 'This shop is closed. It takes no new payments.',
    account: 'Account',
    operator: 'Operator',
    signOut: 'Sign out',
    noShopsTitle: 'No shops',
    noShops: 'You do not belong to a shop yet. Ask an owner of the shop to invite you.',
    notFoundTitle: 'Page not found',
    notFound: 'The address has changed, or is wrong.',
    toHome: 'Go to home',
    confirmTitle: 'Confirm with your passkey',
    confirmText: 'This is an important change: confirm with your passkey that it is you. It counts for five minutes.',
    confirm: 'Confirm with passkey',
  },
}
