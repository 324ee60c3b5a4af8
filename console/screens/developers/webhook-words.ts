/** Words of webhooks and of what is sent to them. */
import type { DeliveryState, DisabledWhy } from '#contract/merchant/webhooks.ts'
import type { WordsOf } from '../../words/language.tsx'

interface WebhookWords {
  readonly webhooksLead: string
  readonly newWebhook: string
  readonly noWebhooks: string
  readonly noWebhooksText: string
  readonly url: string
  readonly urlProblem: string
  readonly eventTypes: string
  readonly allEvents: string
  readonly chosenEvents: (count: number) => string
  readonly chooseOne: string
  readonly enabled: string
  readonly disabled: string
  readonly disabledBecause: Readonly<Record<DisabledWhy, string>>
  readonly failingSince: (time: string) => string
  readonly secret: string
  readonly secretShownOnce: string
  readonly oldSecretUntil: (time: string) => string
  readonly change: string
  readonly changeWebhook: string
  readonly enable: string
  readonly disable: string
  readonly disableTitle: string
  readonly disableText: string
  readonly ping: string
  readonly pinged: string
  readonly rollSecret: string
  readonly rollSecretTitle: string
  readonly rollSecretText: string
  readonly remove: string
  readonly removeTitle: string
  readonly removeText: string
  readonly removed: string
  readonly allWebhooks: string

  readonly deliveries: string
  readonly noDeliveries: string
  readonly noDeliveriesText: string
  readonly deliveryStates: Readonly<Record<DeliveryState, string>>
  readonly nextTry: (time: string) => string
  readonly tries: (count: number) => string
  readonly answered: (status: number, ms: number) => string
  readonly notAnswered: (problem: string, ms: number) => string
  readonly sendAgain: string
  readonly sentAgain: (count: number) => string
}

export const webhookWords: WordsOf<WebhookWords> = {
  ja: {
    webhooksLead: '支払いや返金があると、登録したアドレスに知らせます。表示中のモードのものだけを一覧にしています。',
    newWebhook: 'Webhookを追加',
    noWebhooks: 'Webhookはまだありません',
    noWebhooksText: '支払いが完了したことを、ショップのサーバーで受け取れます。',
    url: '送信先のアドレス',
    urlProblem: 'https:// で始まるアドレスを入力してください。',
    eventTypes: '送信するイベント',
    allEvents: 'すべてのイベント',
    chosenEvents: (count) => `${count}種類のイベント`,
    chooseOne: '1つ以上選んでください。',
    enabled: '有効',
    disabled: '停止中',
    disabledBecause: {
      merchant: 'ショップが停止しました。',
      gone: '送信先が 410 を返したため停止しました。',
      failing: '5日間すべて失敗したため停止しました。',
    },
    failingSince: (time) => `${time} から失敗が続いています`,
    secret: '署名シークレット',
    secretShownOnce: '届いた内容の検証に使います。今だけ表示されるので、APIキーと同じように保存してください。',
    oldSecretUntil: (time) => `${time} までは、古いシークレットでも署名します。`,
    change: '変更',
    changeWebhook: 'Webhookを変更',
    enable: '有効にする',
    disable: '停止する',
    disableTitle: 'このWebhookを停止しますか？',
    disableText: '送信待ちのものは破棄され、何も送信されなくなります。',
    ping: 'テスト送信',
    pinged: 'テスト送信を始めました。結果は下の一覧に表示されます。',
    rollSecret: 'シークレットを更新',
    rollSecretTitle: 'シークレットを更新しますか？',
    rollSecretText: '新しいシークレットを作成します。24時間は両方で署名するので、その間に差し替えてください。',
    remove: '削除',
    removeTitle: 'このWebhookを削除しますか？',
    removeText: '送信の記録も削除され、何も送信されなくなります。元に戻せません。',
    removed: 'Webhookを削除しました。',
    allWebhooks: 'Webhookの一覧',

    deliveries: '送信の記録',
    noDeliveries: '送信はまだありません',
    noDeliveriesText: '「テスト送信」で、受け取れるかどうかを確かめられます。',
    deliveryStates: { pending: '送信待ち', delivered: '成功', failed: '失敗', dropped: '破棄' },
    nextTry: (time) => `次の送信: ${time}`,
    tries: (count) => `送信した回数: ${count}`,
    answered: (status, ms) => `応答 ${status}（${ms}ミリ秒）`,
    notAnswered: (problem, ms) => `応答なし: ${problem}（${ms}ミリ秒）`,
    sendAgain: 'もう一度送信',
    sentAgain: (count) => `${count}件の送信を始めました。`,
  },
  'en-US': {
    webhooksLead: 'They tell your server of payments and refunds. Those of the mode that you look at are listed.',
    newWebhook: 'Add a webhook',
    noWebhooks: 'No webhooks yet',
    noWebhooksText: 'With one, your server learns at once that a checkout was paid.',
    url: 'Address',
    urlProblem: 'Enter an address that begins with https://.',
    eventTypes: 'Events to send',
    allEvents: 'All events',
    chosenEvents: (count) => (count === 1 ? '1 type of event' : `${count} types of events`),
    chooseOne: 'Choose at least one.',
    enabled: 'Enabled',
    disabled: 'Disabled',
    disabledBecause: {
      merchant: 'The shop has disabled it.',
      gone: 'It answered 410 and was disabled.',
      failing: 'Every try of five days failed, and it was disabled.',
    },
    failingSince: (time) => `Fails since ${time}`,
    secret: 'Signing secret',
    secretShownOnce: 'By it you verify what comes. It is shown this once: store it as you store an API key.',
    oldSecretUntil: (time) => `Until ${time} everything is signed with the old secret too.`,
    change: 'Change',
    changeWebhook: 'Change the webhook',
    enable: 'Enable',
    disable: 'Disable',
    disableTitle: 'Disable this webhook?',
    disableText: 'What waits is dropped, and nothing is sent any more.',
    ping: 'Send a ping',
    pinged: 'The ping is being sent. The list below shows what comes of it.',
    rollSecret: 'Roll the secret',
    rollSecretTitle: 'Roll the secret?',
    rollSecretText: 'A new secret is made. For 24 hours everything is signed with both: replace it in that time.',
    remove: 'Remove',
    removeTitle: 'Remove this webhook?',
    removeText: 'Its deliveries are removed too, and nothing is sent any more. This cannot be undone.',
    removed: 'The webhook was removed.',
    allWebhooks: 'All webhooks',

    deliveries: 'Deliveries',
    noDeliveries: 'Nothing was sent yet',
    noDeliveriesText: 'With “Send a ping” you see whether your server takes it.',
    deliveryStates: { pending: 'Waiting', delivered: 'Delivered', failed: 'Failed', dropped: 'Dropped' },
    nextTry: (time) => `Next try: ${time}`,
    tries: (count) => `Tries: ${count}`,
    answered: (status, ms) => `Answered ${status} (${ms} ms)`,
    notAnswered: (problem, ms) => `No answer: ${problem} (${ms} ms)`,
    sendAgain: 'Send again',
    sentAgain: (count) => `${count} ${count === 1 ? 'delivery is' : 'deliveries are'} being sent.`,
  },
}
