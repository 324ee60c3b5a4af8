/** Words for what needs a person: what it is, and what to do about it. */
import { ATTENTION_COUNTED_MAX, type AttentionItem } from '#contract/merchant/attention-items.ts'
import type { InstallationWarning } from '#contract/merchant/attention.ts'
import type { WordsOf } from '../../words/language.tsx'

type ItemOf<Kind extends AttentionItem['kind']> = Extract<AttentionItem, { readonly kind: Kind }>
type WarningOf<Kind extends InstallationWarning['kind']> = Extract<InstallationWarning, { readonly kind: Kind }>

interface Told {
  readonly title: string
  readonly text: string
}

/** Writes an instant as the person reads it. */
type Time = (at: string) => string

export type AttentionWords = {
  readonly [Kind in AttentionItem['kind']]: (item: ItemOf<Kind>, time: Time) => Told
} & { readonly [Kind in InstallationWarning['kind']]: (warning: WarningOf<Kind>, time: Time) => Told }

const MAIL_WHY_EN = {
  refused: 'refused',
  given_up: 'could not be sent',
  not_registered: 'address not registered',
  cap: 'too many on that day',
}

const MAIL_WHY_JA = {
  refused: '宛先に拒否された',
  given_up: '送信できなかった',
  not_registered: '未登録の宛先',
  cap: '1日の上限を超えた',
}

/** Counting stops at a maximum, so there may be more. */
const inJapanese = (count: number): string => `${count}件${count === ATTENTION_COUNTED_MAX ? '以上' : ''}`
const inEnglish = (count: number): string => `${count}${count === ATTENTION_COUNTED_MAX ? ' or more' : ''}`

export const attentionWords: WordsOf<AttentionWords> = {
  ja: {
    payments_in_doubt: ({ count }) => ({
      title: `結果を確認中の決済が${inJapanese(count)}あります`,
      text: '決済会社の返事を待っています。自動で問い合わせを続けますので、結果が出るまで商品の発送や再請求はしないでください。',
    }),
    refunds_in_doubt: ({ count }) => ({
      title: `結果を確認中の返金が${inJapanese(count)}あります`,
      text: '自動で問い合わせを続けます。ほかの方法で返金しないでください。',
    }),
    checkouts_held: ({ count, since }, time) => ({
      title: `${inJapanese(count)}の決済リンクを一時的に止めています`,
      text: `${time(since)} のデータ復元のあと、支払い済みかどうかを確認しています。確認が終わると自動で再開します。`,
    }),
    disputes_to_answer: ({ count, items: [first] }, time) => ({
      title: `回答が必要なチャージバックが${inJapanese(count)}あります`,
      text: `決済会社の管理画面で回答してください。${first === undefined ? '' : `最も早い期限は ${time(first.respondBy)} です。`}`,
    }),
    acquirer_account: ({ acquirer, problem }) => ({
      title: `${acquirer}のアカウントを確認してください`,
      text:
        problem === 'check_failed'
          ? '前回の確認で問題が見つかりました。運用担当者に連絡してください。'
          : 'まだ確認が済んでいないため、本番の決済を受け付けていません。運用担当者に連絡してください。',
    }),
    card_testing: ({ until }, time) => ({
      title: '不正なカードの試し利用を検知しました',
      text: `${time(until)} まで、すべてのお客様に本人認証をお願いしています。自動で終わりますので、操作は不要です。`,
    }),
    reconciliation_breaks: ({ breaks, isComplete, at }, time) => ({
      title: breaks > 0 ? `突合で${breaks}件の差異が見つかりました` : '突合が完了していません',
      text: isComplete
        ? `${time(at)} に決済会社の明細と照らし合わせた結果です。`
        : `${time(at)} の突合で、決済会社がすべてには回答しませんでした。`,
    }),
    webhooks_disabled: ({ count }) => ({
      title: `停止したWebhookが${inJapanese(count)}あります`,
      text: '受信側の不具合が続いたため、送信を止めました。直してから有効にしてください。',
    }),
    webhooks_failing: ({ count }) => ({
      title: `届いていないWebhookが${inJapanese(count)}あります`,
      text: '自動で再送していますが、5日続くと停止します。受信側を確認してください。',
    }),
    deliveries_given_up: ({ count }) => ({
      title: `届かなかったイベントが${inJapanese(count)}あります`,
      text: 'この7日間に送信をあきらめたものです。受信側を直してから、もう一度送信してください。',
    }),
    mails_not_sent: ({ count, items: [first] }) => ({
      title: `届かなかったメールが${inJapanese(count)}あります`,
      text: `お客様に届いていません${first === undefined ? '' : `（最新の理由：${MAIL_WHY_JA[first.why]}）`}。メールアドレスを確認してください。`,
    }),
    notification_address: ({ problem }) => ({
      title: 'ショップへの通知メールが届いていません',
      text: {
        none: '通知先のメールアドレスが設定されていません。',
        not_registered: '通知先のメールアドレスが、まだ確認されていません。届いたメールのリンクを開いてください。',
        refused: '通知先に送れませんでした。メールアドレスを確認してください。',
      }[problem],
    }),
    clock_not_confirmed: () => ({
      title: 'サーバーの時計を確認してください',
      text: '時計が大きくずれた可能性があります。確認されるまで、期限切れの処理とメールの送信を止めています。',
    }),
    clock_skew: ({ aheadMs }) => ({
      title: 'サーバーとデータベースの時計がずれています',
      text: `${Math.round(Math.abs(aheadMs) / 1000)}秒の差があります。時刻の同期を確認してください。`,
    }),
    database_not_writable: () => ({
      title: 'データベースに書き込めません',
      text: '決済を受け付けられません。ディスクの空きとデータベースの状態を確認してください。',
    }),
    certificate_expires: ({ host, validTo }, time) => ({
      title: 'TLS証明書の期限が近づいています',
      text: `${host} の証明書は ${time(validTo)} に切れます。`,
    }),
    certificate_refused: ({ host, why }) => ({
      title: 'TLS証明書が受け付けられません',
      text: `${host} に安全に接続できません（${why}）。`,
    }),
  },
  'en-US': {
    payments_in_doubt: ({ count }) => ({
      title: count === 1 ? '1 payment is in doubt' : `${inEnglish(count)} payments are in doubt`,
      text: 'The acquirer has not said whether it was charged, and is asked again until it does. Do not deliver, and do not ask for the money a second time.',
    }),
    refunds_in_doubt: ({ count }) => ({
      title: count === 1 ? '1 refund is in doubt' : `${inEnglish(count)} refunds are in doubt`,
      text: 'The acquirer is asked again until it answers. Do not give the money back another way.',
    }),
    checkouts_held: ({ count, since }, time) => ({
      title: count === 1 ? '1 link is closed for now' : `${inEnglish(count)} links are closed for now`,
      text: `Since the restore of ${time(since)} it is not known whether they were paid. They open by themselves once it is.`,
    }),
    disputes_to_answer: ({ count, items: [first] }, time) => ({
      title: count === 1 ? '1 dispute waits for your answer' : `${inEnglish(count)} disputes wait for your answer`,
      text: `Answer at the acquirer. ${first === undefined ? '' : `The next deadline is ${time(first.respondBy)}.`}`,
    }),
    acquirer_account: ({ acquirer, problem }) => ({
      title: `The account at ${acquirer} needs a look`,
      text:
        problem === 'check_failed'
          ? 'Its last check found a problem. Tell the operator of the installation.'
          : 'It has not passed a check yet, and live payments are refused until it does. Tell the operator of the installation.',
    }),
    card_testing: ({ until }, time) => ({
      title: 'Somebody tries out stolen cards here',
      text: `Until ${time(until)} every payer is asked for a challenge by the bank. It ends by itself; you need to do nothing.`,
    }),
    reconciliation_breaks: ({ breaks, isComplete, at }, time) => ({
      title:
        breaks > 0
          ? `The reconciliation found ${breaks} break${breaks === 1 ? '' : 's'}`
          : 'The reconciliation is not complete',
      text: isComplete
        ? `Our ledger was compared with the acquirer’s statement on ${time(at)}.`
        : `On ${time(at)} the acquirer did not answer about everything.`,
    }),
    webhooks_disabled: ({ count }) => ({
      title: count === 1 ? '1 webhook was switched off' : `${inEnglish(count)} webhooks were switched off`,
      text: 'Their receivers failed for too long. Mend them, then switch them on again.',
    }),
    webhooks_failing: ({ count }) => ({
      title: count === 1 ? '1 webhook fails' : `${inEnglish(count)} webhooks fail`,
      text: 'They are tried again by themselves, and switched off after five days. Look at the receiver.',
    }),
    deliveries_given_up: ({ count }) => ({
      title: count === 1 ? '1 event was not delivered' : `${inEnglish(count)} events were not delivered`,
      text: 'They were given up in the last 7 days. Mend the receiver, then send them again.',
    }),
    mails_not_sent: ({ count, items: [first] }) => ({
      title: count === 1 ? '1 mail did not arrive' : `${inEnglish(count)} mails did not arrive`,
      text: `Shoppers did not get them${first === undefined ? '' : ` (the newest: ${MAIL_WHY_EN[first.why]})`}. Look at the address.`,
    }),
    notification_address: ({ problem }) => ({
      title: 'The shop does not get its mails',
      text: {
        none: 'The settings have no address for notifications.',
        not_registered:
          'The address for notifications is not confirmed yet. Open the link in the mail that was sent to it.',
        refused: 'Mails to the address for notifications are refused. Check the address.',
      }[problem],
    }),
    clock_not_confirmed: () => ({
      title: 'The clock of the server is not confirmed',
      text: 'It may have jumped. Until it is confirmed nothing expires and no mail is sent.',
    }),
    clock_skew: ({ aheadMs }) => ({
      title: 'The clocks of server and database differ',
      text: `By ${Math.round(Math.abs(aheadMs) / 1000)} seconds. Look at the time synchronization.`,
    }),
    database_not_writable: () => ({
      title: 'The database cannot be written',
      text: 'Payments are refused. Look at the disk and the database.',
    }),
    certificate_expires: ({ host, validTo }, time) => ({
      title: 'The TLS certificate ends soon',
      text: `That of ${host} ends on ${time(validTo)}.`,
    }),
    certificate_refused: ({ host, why }) => ({
      title: 'The TLS certificate is refused',
      text: `Browsers cannot connect to ${host} (${why}).`,
    }),
  },
}
