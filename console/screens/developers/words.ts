/** Words of the developers' screens: API keys, webhooks, events. */
import type { KeyAccess } from '#contract/access.ts'
import type { KeyAnswer } from '#contract/console/keys.ts'
import type { DeliveryState, DisabledWhy } from '#contract/merchant/webhooks.ts'
import type { WordsOf } from '../../words/language.tsx'

interface DeveloperWords {
  readonly title: string
  readonly keys: string
  readonly webhooks: string
  readonly events: string
  readonly reference: string

  readonly keysLead: string
  readonly newKey: string
  readonly noKeys: string
  readonly noKeysText: string
  readonly unnamedKey: string
  readonly accesses: Readonly<Record<KeyAccess, string>>
  readonly accessDetails: Readonly<Record<KeyAccess, string>>
  readonly access: string
  readonly keyName: string
  readonly keyNameHint: string
  readonly expires: string
  readonly expiresHint: string
  readonly expiresProblem: string
  readonly states: Readonly<Record<KeyAnswer['state'], string>>
  readonly ending: (hint: string) => string
  readonly created: (time: string) => string
  readonly lastUsed: (time: string) => string
  readonly neverUsed: string
  readonly endsAt: (time: string) => string
  readonly keyShown: string
  readonly keyShownOnce: string
  readonly oldKeyUntil: (time: string) => string
  readonly roll: string
  readonly rollTitle: string
  readonly rollText: string
  readonly revoke: string
  readonly revokeTitle: string
  readonly revokeText: string
  readonly revoked: string
  readonly endedKeys: (count: number) => string

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

  readonly eventsLead: string
  readonly noEvents: string
  readonly noEventsText: string
  readonly eventType: string
  readonly eventTime: string
  readonly eventCheckout: string
  readonly eventAction: string
}

export const developerWords: WordsOf<DeveloperWords> = {
  ja: {
    title: '開発者',
    keys: 'APIキー',
    webhooks: 'Webhook',
    events: 'イベント',
    reference: 'APIリファレンス',

    keysLead: 'お店のプログラムが決済リンクの作成などに使う鍵です。表示中のモードのキーだけを一覧にしています。',
    newKey: 'キーを作成',
    noKeys: 'APIキーはまだありません',
    noKeysText: 'ネットショップや基幹システムから決済を作成するときに作成してください。',
    unnamedKey: '名前なし',
    accesses: { full: 'すべての操作', sales: '決済の作成と取消', read: '閲覧のみ' },
    accessDetails: {
      full: '返金、設定、Webhookを含みます。',
      sales: '返金と設定はできません。',
      read: '何も変更できません。',
    },
    access: '権限',
    keyName: 'キーの名前',
    keyNameHint: '使うプログラムの名前など。例: ネットショップ',
    expires: '有効期限（任意）',
    expiresHint: '例: 2027-03-31。空欄なら期限はありません。',
    expiresProblem: '2027-03-31 のように、今日より後の日付を入力してください。',
    states: { active: '有効', expired: '期限切れ', revoked: '無効', shop_closed: 'ショップ閉鎖中' },
    ending: (hint) => `末尾 ${hint}`,
    created: (time) => `作成: ${time}`,
    lastUsed: (time) => `最後に使用: ${time}`,
    neverUsed: '未使用',
    endsAt: (time) => `有効期限: ${time}`,
    keyShown: 'APIキー',
    keyShownOnce: 'このキーは今だけ表示されます。プログラムが使う安全な場所に保存し、ほかには残さないでください。',
    oldKeyUntil: (time) => `古いキーは ${time} まで使えます。それまでにプログラムのキーを差し替えてください。`,
    roll: '更新',
    rollTitle: 'キーを更新しますか？',
    rollText: '同じ権限の新しいキーを作成します。古いキーは24時間後に使えなくなります。',
    revoke: '無効にする',
    revokeTitle: 'このキーを無効にしますか？',
    revokeText: 'すぐに使えなくなり、元に戻せません。使用中のプログラムの呼び出しはすべて失敗します。',
    revoked: 'キーを無効にしました。',
    endedKeys: (count) => `使えなくなったキー (${count})`,

    webhooksLead: '支払いや返金があると、登録したアドレスに知らせます。表示中のモードのものだけを一覧にしています。',
    newWebhook: 'Webhookを追加',
    noWebhooks: 'Webhookはまだありません',
    noWebhooksText: '支払いが完了したことを、お店のサーバーで受け取れます。',
    url: '送信先のアドレス',
    urlProblem: 'https:// で始まるアドレスを入力してください。',
    eventTypes: '送信するイベント',
    allEvents: 'すべてのイベント',
    chosenEvents: (count) => `${count}種類のイベント`,
    chooseOne: '1つ以上選んでください。',
    enabled: '有効',
    disabled: '停止中',
    disabledBecause: {
      merchant: 'お店が停止しました。',
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

    eventsLead: 'このショップに起きたことの一覧です。90日間保存されます。',
    noEvents: 'イベントはまだありません',
    noEventsText: '支払い、取消、返金などがあると、ここに表示されます。',
    eventType: '種類',
    eventTime: '日時',
    eventCheckout: '決済',
    eventAction: 'Webhook',
  },
  'en-US': {
    title: 'Developers',
    keys: 'API keys',
    webhooks: 'Webhooks',
    events: 'Events',
    reference: 'API reference',

    keysLead: 'Your programs use them to create checkouts and more. Those of the mode that you look at are listed.',
    newKey: 'Create a key',
    noKeys: 'No API keys yet',
    noKeysText: 'Create one when a web shop or another program of yours is to make checkouts.',
    unnamedKey: 'No name',
    accesses: { full: 'Everything', sales: 'Create and cancel checkouts', read: 'Read only' },
    accessDetails: {
      full: 'Also refunds, settings and webhooks.',
      sales: 'No refunds and no settings.',
      read: 'It changes nothing.',
    },
    access: 'Access',
    keyName: 'Name of the key',
    keyNameHint: 'Such as the program that uses it: web shop',
    expires: 'Ends on (optional)',
    expiresHint: 'Such as 2027-03-31. Left empty, it does not end.',
    expiresProblem: 'Enter a day after today, such as 2027-03-31.',
    states: { active: 'Active', expired: 'Expired', revoked: 'Revoked', shop_closed: 'Shop closed' },
    ending: (hint) => `ends in ${hint}`,
    created: (time) => `Created: ${time}`,
    lastUsed: (time) => `Last used: ${time}`,
    neverUsed: 'Not used yet',
    endsAt: (time) => `Ends: ${time}`,
    keyShown: 'API key',
    keyShownOnce: 'This key is shown this once. Store it where your program finds it, and nowhere else.',
    oldKeyUntil: (time) => `The old key works until ${time}. Put the new one into your program before then.`,
    roll: 'Roll',
    rollTitle: 'Roll this key?',
    rollText: 'A new key that may do the same is made. The old one ends in 24 hours.',
    revoke: 'Revoke',
    revokeTitle: 'Revoke this key?',
    revokeText: 'It ends at once and cannot be brought back. Every call of a program that uses it fails.',
    revoked: 'The key was revoked.',
    endedKeys: (count) => `Keys that have ended (${count})`,

    webhooksLead: 'They tell your server of payments and refunds. Those of the mode that you look at are listed.',
    newWebhook: 'Add a webhook',
    noWebhooks: 'No webhooks yet',
    noWebhooksText: 'With one, your server learns at once that a checkout was paid.',
    url: 'Address',
    urlProblem: 'Enter an address that begins with https://.',
    eventTypes: 'Events to send',
    allEvents: 'All events',
    chosenEvents: (count) => `${count} types of events`,
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

    eventsLead: 'What has happened at this shop. Events are kept for 90 days.',
    noEvents: 'No events yet',
    noEventsText: 'Payments, cancellations and refunds appear here.',
    eventType: 'Type',
    eventTime: 'Time',
    eventCheckout: 'Checkout',
    eventAction: 'Webhooks',
  },
}
