/** Words of the screen that enrols a passkey. */
import type { WordsOf } from '../../words/language.tsx'

interface EnrolWords {
  readonly title: string
  readonly lead: string
  readonly recovery: string
  readonly name: string
  readonly nameHint: string
  readonly nameProblem: string
  readonly defaultName: string
  readonly create: string
  readonly cancelled: string
  readonly noPasskeys: string
}

export const enrolWords: WordsOf<EnrolWords> = {
  ja: {
    title: 'パスキーを登録',
    lead: 'パスキーは、この端末の指紋・顔認証・画面ロックで使うサインインの鍵です。パスワードは不要で、だまし取られることもありません。',
    recovery:
      '復旧のためのサインインです。新しいパスキーで返金、設定・APIキー・メンバーの変更ができるのは24時間後、または別のオーナーの承認後です。',
    name: 'パスキーの名前',
    nameHint: 'どの端末のものか、あとで分かる名前にしてください。',
    nameProblem: '名前を入力してください。',
    defaultName: 'わたしのパスキー',
    create: 'パスキーを登録する',
    cancelled: 'パスキーは登録されませんでした。もう一度お試しください。',
    noPasskeys: 'このブラウザーはパスキーに対応していません。新しいブラウザーか、スマートフォンで開いてください。',
  },
  'en-US': {
    title: 'Make a passkey',
    lead: 'A passkey signs you in with the fingerprint, face or screen lock of this device. There is no password, and nobody can trick it out of you.',
    recovery:
      'You are recovering your account. The new passkey can refund and change settings, API keys and people after 24 hours, or when another owner has approved it.',
    name: 'Name of the passkey',
    nameHint: 'A name by which you know the device later.',
    nameProblem: 'Enter a name.',
    defaultName: 'My passkey',
    create: 'Make a passkey',
    cancelled: 'No passkey was made. Try again.',
    noPasskeys: 'This browser has no passkeys. Use a recent browser, or a phone.',
  },
}
