/** Reason words: why a try ended, or a refund or a mail was refused. The server writes its reasons as short codes in English. */
import type { WordsOf } from '../../words/language.tsx'

interface ReasonWords {
  /** By the state and the server's own word for why it came about. */
  readonly attempt: Readonly<Record<string, string>>
  /** By the beginning of what was written down. */
  readonly mail: Readonly<Record<'too old' | 'cap: ' | 'the address is not registered', string>>
  readonly mailServer: (answer: string) => string
  /** By the acquirer's code. */
  readonly refund: Readonly<Record<string, string>>
  readonly otherRefund: string
}

export const reasonWords: WordsOf<ReasonWords> = {
  ja: {
    attempt: {
      'abandoned start': 'お客様が支払いをやり直したため',
      'abandoned cancel': 'この決済がキャンセルされたため',
      'abandoned deadline': '有効期限が切れたため',
      'abandoned collect error': 'お客様のブラウザーで本人認証を始められなかったため',
      'abandoned challenge error': '追加の認証を続けられなかったため',
      'abandoned pay unanswered': '支払いの通信が途切れたため',
      'abandoned authentication unavailable': '本人認証サービスに接続できなかったため',
      'abandoned pay': 'カード情報の保持時間が過ぎたため',
      'abandoned link being paid': '固定リンクの残りの枠は、ほかのお客様がお支払い中だったため',
      'abandoned link full': '固定リンクの受付件数が上限に達したため',
      'abandoned link ended': '固定リンクの期限が切れたため',
      'abandoned link disabled': '固定リンクの受付を停止したため',
      'refused start': 'カードが3Dセキュアの対象ではないため',
      'refused authenticate': 'カード会社が本人と確認しなかったため',
      'refused challenge result': '追加の認証で本人と確認されなかったため',
      'unknown lease passed': '結果を記録する前に処理が途切れたため',
      'unknown restored': 'データを復元したため',
    },
    mail: {
      'too old': '送信できないまま時間が過ぎたため',
      'cap: ': '1日に送信できる数を超えたため',
      'the address is not registered': '登録されていない宛先のため',
    },
    mailServer: (answer) => `メールサーバーの返答：${answer}`,
    refund: {
      order_not_charged: '請求されていないため',
      refund_exceeds_charge: '返金できる残額を超えるため',
      charge_already_refunded: 'すでに返金されているため',
      charge_disputed: 'チャージバックの申し立てがあるため',
      charge_not_refundable: 'この請求は返金できないため',
      insufficient_funds: '決済会社の残高が足りないため',
      insufficient_balance: '決済会社の残高が足りないため',
      lost_or_stolen_card: 'カードの紛失・盗難の届けがあるため',
      expired_or_canceled_card: 'カードの期限切れ・解約のため',
    },
    otherRefund: '決済会社が受け付けなかったため',
  },
  'en-US': {
    attempt: {
      'abandoned start': 'The shopper began another one',
      'abandoned cancel': 'The checkout was cancelled',
      'abandoned deadline': 'Its time was over',
      'abandoned collect error': 'Authentication could not begin in the browser',
      'abandoned challenge error': 'The challenge could not go on',
      'abandoned pay unanswered': 'The connection was lost while paying',
      'abandoned authentication unavailable': '3-D Secure could not be reached',
      'abandoned pay': 'The card is not held for so long',
      'abandoned link being paid': 'Another shopper was paying for the last place of the reusable link',
      'abandoned link full': 'The reusable link was full',
      'abandoned link ended': 'The reusable link had ended',
      'abandoned link disabled': 'The reusable link was switched off',
      'refused start': 'The card does not take part in 3-D Secure',
      'refused authenticate': 'The issuer did not vouch for the card holder',
      'refused challenge result': 'The challenge was not passed',
      'unknown lease passed': 'The server stopped before the answer was recorded',
      'unknown restored': 'The database was restored',
    },
    mail: {
      'too old': 'It could not be sent for too long',
      'cap: ': 'There were too many mails on that day',
      'the address is not registered': 'The address is not registered for mails of tests',
    },
    mailServer: (answer) => `The mail server said: ${answer}`,
    refund: {
      order_not_charged: 'Nothing was charged',
      refund_exceeds_charge: 'It is more than what is left of the charge',
      charge_already_refunded: 'It was refunded already',
      charge_disputed: 'The payment is disputed',
      charge_not_refundable: 'This charge cannot be refunded',
      insufficient_funds: 'The balance at the acquirer is too low',
      insufficient_balance: 'The balance at the acquirer is too low',
      lost_or_stolen_card: 'The card was reported lost or stolen',
      expired_or_canceled_card: 'The card has expired or was cancelled',
    },
    otherRefund: 'The acquirer did not take it',
  },
}

type Told = Readonly<{ what: string; to: string; by: string; why: string }>

/** Own keys alone: a reason named like a method of objects is none of the table. */
const wordOf = (table: Readonly<Record<string, string>>, key: string): string | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined

/** The reason of a change in words; null: its sentence says all that is known of it. */
export const tellReason = ({ what, to, by, why }: Told, words: ReasonWords): string | null => {
  // A person has written it, after what became of the payment.
  if (by === 'operator' && (what === 'attempt' || what === 'checkout')) return why.replace(/^[a-z_]+: /, '')
  if (what === 'attempt') return wordOf(words.attempt, `${to} ${why}`) ?? null
  if (what === 'mail' && (to === 'refused' || to === 'given_up')) {
    const [, known] = Object.entries(words.mail).find(([begin]) => why.startsWith(begin)) ?? []
    return known ?? words.mailServer(why)
  }
  return null
}

export const tellRefundReason = (reason: string, words: ReasonWords): string =>
  wordOf(words.refund, reason) ?? words.otherRefund
