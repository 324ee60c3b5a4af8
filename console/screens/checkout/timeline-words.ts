/** Timeline words: what happened to a checkout, in plain sentences. */
import type { WordsOf } from '../../words/language.tsx'

interface TimelineWords {
  /** By what changed and the state that it is in from then on. */
  readonly happened: Readonly<Record<string, string>>
  readonly reopened: string
  readonly cancelledBy: Readonly<Record<'merchant' | 'shopper', string>>
  /** A checkout of a reusable link that takes no more payments, by why it does not. */
  readonly closedByLink: Readonly<Record<'full' | 'ended' | 'disabled', string>>
  /** A state that this version of the console does not know. */
  readonly other: (what: string, to: string) => string
  readonly mails: Readonly<Record<string, string>>
  readonly mailStates: Readonly<Record<'sent' | 'refused' | 'given_up', (mail: string) => string>>
  readonly by: Readonly<Record<string, string>>
}

export const timelineWords: WordsOf<TimelineWords> = {
  ja: {
    happened: {
      'checkout open': '決済リンクを作成しました',
      'checkout paid': '支払いが完了しました',
      'checkout refunded': '全額を返金しました',
      'checkout failed': 'カードが続けて承認されなかったため、受付を終了しました',
      'checkout expired': '有効期限が切れました',
      'checkout held': 'データの復元後、支払い済みかどうかを確認するため、受付を止めました',
      'attempt started': 'お客様がカード情報を入力しました',
      'attempt authenticating': '本人認証（3Dセキュア）を始めました',
      'attempt challenged': 'カード会社がお客様に追加の認証を求めました',
      'attempt authenticated': '本人認証が完了しました',
      'attempt refused': '本人認証ができませんでした。請求していません',
      'attempt charging': '決済会社に請求を送りました',
      'attempt unknown': '決済会社から結果が届いていません。自動で確認を続けます',
      'attempt charged': '決済会社が請求を承認しました',
      'attempt declined': 'カード会社がカードを承認しませんでした。請求していません',
      'attempt void': '請求されていないことを確認しました',
      'attempt abandoned': 'この支払いの手続きは完了せずに終わりました。請求していません',
      'refund requested': '返金を申し込みました',
      'refund unknown': '返金の結果が届いていません。自動で確認を続けます',
      'refund refunded': '返金が完了しました',
      'refund refused': '返金が断られました。お金は戻っていません',
      'dispute inquiry': 'カード会社から、この支払いについて問い合わせがありました',
      'dispute open': 'チャージバックの申し立てがありました',
      'dispute won': 'チャージバックの申し立ては、ショップ側の主張が認められました',
      'dispute lost': 'チャージバックが確定しました',
      'delivery delivered': 'Webhookに通知しました',
      'delivery failed': 'Webhookに通知できませんでした',
      'delivery dropped': 'Webhookへの通知を取りやめました',
    },
    reopened: '支払いの受付を再開しました',
    closedByLink: {
      full: '固定リンクの受付件数が上限に達したため、受付を終了しました',
      ended: '固定リンクの期限が切れたため、受付を終了しました',
      disabled: '固定リンクの受付を停止したため、受付を終了しました',
    },
    cancelledBy: { merchant: 'ショップがキャンセルしました', shopper: 'お客様がキャンセルしました' },
    other: (what, to) => `${what}: ${to}`,
    mails: {
      receipt: '領収書のメール',
      reissue: '再発行した領収書のメール',
      refund: '返金のお知らせメール',
      nothing_charged: '請求されていないことをお知らせするメール',
    },
    mailStates: {
      sent: (mail) => `${mail}を送信しました`,
      refused: (mail) => `${mail}を送信できませんでした`,
      given_up: (mail) => `${mail}の送信をあきらめました`,
    },
    by: { shopper: 'お客様', merchant: 'ショップ', settlement: '自動確認', worker: '自動処理', operator: '運用担当者' },
  },
  'en-US': {
    happened: {
      'checkout open': 'The payment link was made',
      'checkout paid': 'It was paid',
      'checkout refunded': 'All of it was given back',
      'checkout failed': 'It was closed, because too many cards were declined',
      'checkout expired': 'Its time was over',
      'checkout held': 'After a restore it was closed to payment, until it is known whether it was paid',
      'attempt started': 'The shopper entered a card',
      'attempt authenticating': 'Authentication (3-D Secure) began',
      'attempt challenged': 'The issuer asked the shopper for a challenge',
      'attempt authenticated': 'The shopper was authenticated',
      'attempt refused': 'Authentication failed; nothing was charged',
      'attempt charging': 'The charge was sent to the acquirer',
      'attempt unknown': 'The acquirer has not answered; it is asked again by itself',
      'attempt charged': 'The acquirer approved the charge',
      'attempt declined': 'The card was declined; nothing was charged',
      'attempt void': 'It is certain that nothing was charged',
      'attempt abandoned': 'This try ended; nothing was charged',
      'refund requested': 'A refund was asked for',
      'refund unknown': 'The acquirer has not answered about a refund; it is asked again by itself',
      'refund refunded': 'A refund was made',
      'refund refused': 'A refund was refused; nothing was given back',
      'dispute inquiry': 'The issuer asked about the payment',
      'dispute open': 'The payment was disputed (chargeback)',
      'dispute won': 'The dispute was decided for the shop',
      'dispute lost': 'The dispute was decided for the card holder',
      'delivery delivered': 'An event was sent to a webhook',
      'delivery failed': 'An event could not be sent to a webhook',
      'delivery dropped': 'An event was no longer sent to a webhook',
    },
    reopened: 'It was opened to payment again',
    closedByLink: {
      full: 'It was closed, because its reusable link was full',
      ended: 'It was closed, because its reusable link had ended',
      disabled: 'It was closed, because its reusable link was switched off',
    },
    cancelledBy: { merchant: 'The shop cancelled it', shopper: 'The shopper cancelled it' },
    other: (what, to) => `${what}: ${to}`,
    mails: {
      receipt: 'receipt',
      reissue: 'reissued receipt',
      refund: 'mail about the refund',
      nothing_charged: 'mail that nothing was charged',
    },
    mailStates: {
      sent: (mail) => `The ${mail} was sent`,
      refused: (mail) => `The ${mail} could not be sent`,
      given_up: (mail) => `The ${mail} was given up`,
    },
    by: { shopper: 'Shopper', merchant: 'Shop', settlement: 'Inquiry', worker: 'By itself', operator: 'Operator' },
  },
}

type Told = Readonly<{ what: string; id?: string; from?: string; to: string; by: string; why: string }>

const LINK_OVER = /^link (full|ended|disabled)$/
const isLinkOver = (status: string | undefined): status is 'full' | 'ended' | 'disabled' => status !== undefined

/** One change of state as a sentence. */
export const tellChange = ({ what, id, from, to, by, why }: Told, words: TimelineWords): string => {
  const [, link] = LINK_OVER.exec(why) ?? []
  if (what === 'checkout' && isLinkOver(link)) return words.closedByLink[link]
  if (what === 'checkout' && to === 'cancelled') return words.cancelledBy[by === 'shopper' ? 'shopper' : 'merchant']
  if (what === 'checkout' && to === 'open' && from !== undefined) return words.reopened
  if (what === 'mail' && (to === 'sent' || to === 'refused' || to === 'given_up'))
    return words.mailStates[to](words.mails[id ?? ''] ?? id ?? '')
  return words.happened[`${what} ${to}`] ?? words.other(what, to)
}
