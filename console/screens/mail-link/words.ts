/** Words of the screen of a link: setup, invitation, sign-in by mail. */
import type { WordsOf } from '../../words/language.tsx'

interface LinkWords {
  readonly checking: string
  readonly deadTitle: string
  readonly toSignIn: string
  readonly setupTitle: string
  readonly setupLead: string
  readonly setup: string
  readonly invitationTitle: (shop: string) => string
  readonly operatorTitle: string
  readonly invitationLead: (email: string, role: string) => string
  readonly operatorLead: (email: string) => string
  readonly join: string
  readonly signInFirst: (email: string) => string
  readonly ofAnotherTitle: string
  readonly ofAnother: (email: string, signedIn: string) => string
  readonly signOut: string
  readonly signInTitle: string
  readonly signInLead: (email: string) => string
  readonly signIn: string
  readonly recoveryTitle: string
  readonly recovery: readonly string[]
  readonly recover: string
  readonly email: string
  readonly emailProblem: string
  readonly name: string
  readonly nameHint: string
  readonly nameProblem: string
}

export const linkWords: WordsOf<LinkWords> = {
  ja: {
    checking: 'リンクを確認しています',
    deadTitle: 'このリンクは使えません',
    toSignIn: 'サインインへ',
    setupTitle: 'コンソールをはじめる',
    setupLead: '最初のオーナーになります。次の画面でパスキーを登録します。',
    setup: '次へ',
    invitationTitle: (shop) => `${shop} への招待`,
    operatorTitle: '運用担当者としての招待',
    invitationLead: (email, role) => `${email} は「${role}」として招待されています。`,
    operatorLead: (email) => `${email} は運用担当者として招待されています。`,
    join: '参加する',
    signInFirst: (email) =>
      `${email} への招待です。このメールアドレスはすでに登録されています。先にサインインすると、この画面で参加できます。メールのリンクでサインインした場合は、そのあと招待のリンクをもう一度開いてください。登録した覚えがない場合は、招待した方にお知らせください。`,
    ofAnotherTitle: '別の方への招待です',
    ofAnother: (email, signedIn) =>
      `この招待は ${email} へのものですが、いまは ${signedIn} としてサインインしています。サインアウトして、${email} としてサインインしてください。`,
    signOut: 'サインアウトする',
    signInTitle: 'メールでサインイン',
    signInLead: (email) => `${email} としてサインインします。`,
    signIn: 'サインインする',
    recoveryTitle: 'アカウントの復旧',
    recovery: [
      'パスキーをなくしたときのためのサインインです。続けると、ほかのすべてのサインインが終了し、ショップのオーナー全員にメールで知らせます。',
      '次の画面で新しいパスキーを登録します。返金、設定・APIキー・メンバーの変更、招待への参加は、24時間後、または別のオーナーの承認後にできるようになります。',
      'パスキーがお手元にある場合は、このリンクは使わずにパスキーでサインインしてください。',
    ],
    recover: '復旧して続ける',
    email: 'メールアドレス',
    emailProblem: 'メールアドレスを入力してください。',
    name: 'お名前',
    nameHint: '履歴とメンバーの一覧に表示されます。',
    nameProblem: 'お名前を入力してください。',
  },
  'en-US': {
    checking: 'Checking the link',
    deadTitle: 'This link cannot be used',
    toSignIn: 'Go to sign-in',
    setupTitle: 'Set up the console',
    setupLead: 'You become its first owner. On the next screen you make a passkey.',
    setup: 'Next',
    invitationTitle: (shop) => `Invitation to ${shop}`,
    operatorTitle: 'Invitation as an operator',
    invitationLead: (email, role) => `${email} is invited as “${role}”.`,
    operatorLead: (email) => `${email} is invited as an operator of this installation.`,
    join: 'Join',
    signInFirst: (email) =>
      `This is an invitation for ${email}, who is known here already. Sign in first, then accept it on this screen. If you sign in with a link by mail, open the invitation again afterwards. If you have never signed in here, tell the person who has invited you.`,
    ofAnotherTitle: 'This invitation is for somebody else',
    ofAnother: (email, signedIn) =>
      `It is for ${email}, and you are signed in as ${signedIn}. Sign out, then sign in as ${email}.`,
    signOut: 'Sign out',
    signInTitle: 'Sign in by mail',
    signInLead: (email) => `You sign in as ${email}.`,
    signIn: 'Sign in',
    recoveryTitle: 'Recover your account',
    recovery: [
      'This is for a passkey that was lost. All other sign-ins of yours end, and every owner of your shops is told by mail.',
      'On the next screen you make a new passkey. It can refund, change settings, API keys and people, and accept invitations after 24 hours, or when another owner has approved it.',
      'If you still have a passkey, do not use this link: sign in with the passkey.',
    ],
    recover: 'Recover and go on',
    email: 'Email address',
    emailProblem: 'Enter an email address.',
    name: 'Your name',
    nameHint: 'Shown in the history and in the list of people.',
    nameProblem: 'Enter your name.',
  },
}
