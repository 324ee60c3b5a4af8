/** Words of the account screen. */
import type { WordsOf } from '../../words/language.tsx'

interface AccountWords {
  readonly title: string
  readonly person: string
  readonly email: string
  readonly name: string
  readonly nameProblem: string
  readonly language: string
  readonly passkeys: string
  readonly passkeysLead: string
  readonly addPasskey: string
  readonly passkeyAdded: string
  readonly created: string
  readonly lastUsed: string
  readonly never: string
  readonly waits: (time: string) => string
  readonly remove: string
  readonly removeTitle: (name: string) => string
  readonly removeText: string
  readonly removed: string
  readonly sessions: string
  readonly sessionsLead: string
  readonly thisSession: string
  readonly since: string
  readonly end: string
  readonly ended: string
}

export const accountWords: WordsOf<AccountWords> = {
  ja: {
    title: 'アカウント',
    person: 'プロフィール',
    email: 'メールアドレス',
    name: 'お名前',
    nameProblem: 'お名前を入力してください。',
    language: '言語',
    passkeys: 'パスキー',
    passkeysLead: '端末ごとに登録しておくと、1台なくしてもサインインできます。',
    addPasskey: 'パスキーを追加',
    passkeyAdded: 'パスキーを登録しました。',
    created: '登録',
    lastUsed: '最後に使用',
    never: '未使用',
    waits: (time) => `返金などの確認には ${time} から使えます`,
    remove: '削除',
    removeTitle: (name) => `「${name}」を削除しますか？`,
    removeText: 'このパスキーではサインインできなくなります。端末に残っている鍵は、端末の設定から削除してください。',
    removed: 'パスキーを削除しました。',
    sessions: 'サインイン中の端末',
    sessionsLead: '心当たりのないものがあれば、すぐにサインアウトさせてください。',
    thisSession: 'この端末',
    since: 'サインイン',
    end: 'サインアウトさせる',
    ended: 'サインアウトさせました。',
  },
  'en-US': {
    title: 'Account',
    person: 'Profile',
    email: 'Email address',
    name: 'Name',
    nameProblem: 'Enter your name.',
    language: 'Language',
    passkeys: 'Passkeys',
    passkeysLead: 'With one on each device you can sign in when one of them is lost.',
    addPasskey: 'Add a passkey',
    passkeyAdded: 'The passkey was added.',
    created: 'Added',
    lastUsed: 'Last used',
    never: 'Not used yet',
    waits: (time) => `Confirms refunds and the like from ${time}`,
    remove: 'Remove',
    removeTitle: (name) => `Remove “${name}”?`,
    removeText:
      'You can no longer sign in with this passkey. Remove it from the device itself in the device’s settings.',
    removed: 'The passkey was removed.',
    sessions: 'Signed-in devices',
    sessionsLead: 'If you do not know one of them, sign it out at once.',
    thisSession: 'This device',
    since: 'Signed in',
    end: 'Sign out',
    ended: 'It is signed out.',
  },
}
