/** Words of mails to people of the console. */
import type { ConsoleLocale } from '#contract/console/locale.ts'

interface PersonWords {
  readonly signInTitle: string
  readonly signIn: (host: string) => string
  readonly signInLink: string
  readonly signInIgnore: string
  readonly invitationTitle: (shop: string) => string
  readonly invitation: (shop: string, host: string) => string
  readonly invitationLink: string
  readonly invitationIgnore: string
  /** The whole installation, where an invitation is to no shop. */
  readonly installation: string
  readonly recoveryTitle: (name: string) => string
  readonly recovery: string
  readonly recoveryIfNot: string
  readonly person: string
  readonly address: string
  readonly at: string
  readonly open: string
}

export const personWords: Readonly<Record<ConsoleLocale, PersonWords>> = {
  ja: {
    signInTitle: 'ログイン用リンク',
    signIn: (host) =>
      `${host} にログインするには、10分以内に、リンクを申し込んだブラウザで次のリンクを開き、「ログイン」を押してください。リンクは1回だけ使えます。`,
    signInLink: 'ログインする',
    signInIgnore:
      'お心当たりがない場合は、何もせずにこのメールを削除してください。リンクを誰にも転送しないでください。',
    invitationTitle: (shop) => `${shop} への招待`,
    invitation: (shop, host) =>
      `${shop} の管理画面（${host}）に招待されました。72時間以内に次のリンクを開き、登録してください。リンクは1回だけ使えます。`,
    invitationLink: '招待を受ける',
    invitationIgnore: 'お心当たりがない場合は、何もせずにこのメールを削除してください。',
    installation: 'システム管理',
    recoveryTitle: (name) => `${name} さんがメールのリンクでログインしました`,
    recovery:
      '次の方が、登録済みのパスキーを使わず、メールのリンクで管理画面にログインしました。この方のほかのログインはすべて終了しました。新しく登録するパスキーで返金、設定・APIキー・メンバーの変更ができるようになるのは、24時間後か、ほかのオーナーが承認したときです。',
    recoveryIfNot:
      'ご本人の操作でない場合は、すぐに管理画面の「メンバー」でこの方を外してください。あなたがこの方で、お心当たりがない場合は、メールのパスワードもすぐに変更してください。',
    person: 'お名前',
    address: 'メールアドレス',
    at: '日時',
    open: '管理画面を開く',
  },
  'en-US': {
    signInTitle: 'Your sign-in link',
    signIn: (host) =>
      `To sign in to ${host}, open this link within 10 minutes in the browser that asked for it, and press "Sign in". It works once.`,
    signInLink: 'Sign in',
    signInIgnore: 'If you did not ask for it, delete this email. Do not forward the link to anybody.',
    invitationTitle: (shop) => `Invitation to ${shop}`,
    invitation: (shop, host) =>
      `You have been invited to the console of ${shop} at ${host}. Open this link within 72 hours to join. It works once.`,
    invitationLink: 'Accept the invitation',
    invitationIgnore: 'If you do not know what this is about, delete this email.',
    installation: 'the installation',
    recoveryTitle: (name) => `${name} signed in by a link`,
    recovery:
      'The person below signed in to the console by a link in an email, without a passkey, although they have one. All their other sessions have ended. A passkey that they enroll now can refund and change settings, API keys and people after 24 hours, or when another owner has approved it.',
    recoveryIfNot:
      'If it was not them, remove them under People in the console at once. If you are this person and it was not you, change the password of your mailbox too.',
    person: 'Name',
    address: 'Email',
    at: 'Date',
    open: 'Open the console',
  },
}
