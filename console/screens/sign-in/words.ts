/** Words of the sign-in screen. */
import type { WordsOf } from '../../words/language.tsx'

interface SignInWords {
  readonly title: string
  readonly ended: string
  readonly lead: string
  readonly withPasskey: string
  readonly cancelled: string
  readonly or: string
  readonly linkLead: string
  readonly email: string
  readonly emailProblem: string
  readonly sendLink: string
  readonly sentTitle: string
  readonly sent: (email: string) => string
  readonly sentHint: string
  readonly another: string
  readonly noPasskeys: string
}

export const signInWords: WordsOf<SignInWords> = {
  ja: {
    title: 'サインイン',
    ended: 'サインアウトしました。続けるには、もう一度サインインしてください。',
    lead: '登録したパスキー（指紋・顔認証・画面ロック）でサインインします。',
    withPasskey: 'パスキーでサインイン',
    cancelled: 'パスキーの確認が中止されました。もう一度お試しください。',
    or: 'または',
    linkLead: 'はじめての方、パスキーをなくした方は、メールのリンクでサインインできます。',
    email: 'メールアドレス',
    emailProblem: 'メールアドレスを入力してください。',
    sendLink: 'リンクをメールで送る',
    sentTitle: 'メールをご確認ください',
    sent: (email) => `${email} が登録されている場合、サインイン用のリンクをお送りしました。`,
    sentHint: 'リンクは10分間、このブラウザーで1回だけ使えます。届かないときは迷惑メールもご確認ください。',
    another: '別の方法でサインイン',
    noPasskeys: 'このブラウザーはパスキーに対応していません。',
  },
  'en-US': {
    title: 'Sign in',
    ended: 'You are signed out. Sign in again to go on.',
    lead: 'Sign in with your passkey: fingerprint, face or screen lock.',
    withPasskey: 'Sign in with passkey',
    cancelled: 'The passkey was not confirmed. Try again.',
    or: 'or',
    linkLead: 'New here, or lost your passkey? Sign in with a link by mail.',
    email: 'Email address',
    emailProblem: 'Enter an email address.',
    sendLink: 'Send me a link',
    sentTitle: 'Check your mail',
    sent: (email) => `If ${email} is known here, a link to sign in is on its way.`,
    sentHint: 'It works for ten minutes, once, in this browser. If it does not arrive, look into your spam folder.',
    another: 'Sign in another way',
    noPasskeys: 'This browser has no passkeys.',
  },
}
