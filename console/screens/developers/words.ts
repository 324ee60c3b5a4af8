/** Words of the developers' screens: their frame, API keys, events. Those of webhooks: webhook-words.ts. */
import type { KeyAccess } from '#contract/access.ts'
import type { KeyAnswer } from '#contract/console/keys.ts'
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

    keysLead: 'ショップのプログラムが決済リンクの作成などに使う鍵です。表示中のモードのキーだけを一覧にしています。',
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
    expiresHint: 'この日の終わり（日本時間）まで使えます。空欄なら期限はありません。',
    expiresProblem: '明日から10年以内の日付を入力してください。',
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
    expiresHint: 'It works until the end of this day in Japan. Left empty, it does not end.',
    expiresProblem: 'Enter a day from tomorrow on, within ten years.',
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

    eventsLead: 'What has happened at this shop. Events are kept for 90 days.',
    noEvents: 'No events yet',
    noEventsText: 'Payments, cancellations and refunds appear here.',
    eventType: 'Type',
    eventTime: 'Time',
    eventCheckout: 'Checkout',
    eventAction: 'Webhooks',
  },
}
