/** Error words: what a call of the console was refused for, as a sentence in the person's language. */
import type { ErrorCode } from '#contract/error-table.ts'
import type { ErrorParams } from '#contract/errors.ts'
import type { WordsOf } from './language.tsx'

/** Beside the codes of the contract: no answer came, or one that this version of the console cannot read, or a screen has a fault. */
export type FailureCode = ErrorCode | 'network_error' | 'unreadable_answer' | 'screen_not_loaded' | 'screen_failed'

/** `time` writes an instant as the person reads it. */
type Sentence = (params: ErrorParams, time: (at: string) => string) => string

const fixed =
  (text: string): Sentence =>
  () =>
    text

const minutesOf = ({ retryAfterSeconds }: ErrorParams): number => Math.max(1, Math.ceil(Number(retryAfterSeconds) / 60))

/** Codes without a row here belong to the shopper's page, or are a fault of the console itself. */
export const errorWords: WordsOf<Readonly<Partial<Record<FailureCode, Sentence>>>> = {
  ja: {
    network_error: fixed('サーバーに接続できませんでした。通信環境を確認して、もう一度お試しください。'),
    unreadable_answer: fixed('コンソールが更新されました。ページを再読み込みしてください。'),
    screen_not_loaded: fixed('この画面を読み込めませんでした。通信環境を確認して、ページを再読み込みしてください。'),
    screen_failed: fixed(
      'この画面でエラーが発生しました。ページを再読み込みしてください。繰り返すときは、運用担当者にご連絡ください。',
    ),
    signed_out: fixed('サインアウトしています。もう一度サインインしてください。'),
    not_from_the_console: fixed('この操作はコンソールの画面からのみ行えます。ページを再読み込みしてください。'),
    role_not_allowed: fixed('この操作を行う権限がありません。オーナーにご相談ください。'),
    key_not_allowed: fixed('この操作を行う権限がありません。オーナーにご相談ください。'),
    passkey_needed: fixed('パスキーで確認されなかったため、何も変更していません。'),
    passkey_too_new: ({ until = '' }, time) =>
      `復旧後に登録したパスキーは、安全のため ${time(String(until))} まで、返金、設定・Webhook・APIキー・メンバーの変更、招待への参加、運用担当者の操作には使えません。別のオーナーが承認すると、すぐに使えます。`,
    passkey_refused: fixed('このパスキーは使えませんでした。もう一度試すか、メールのリンクでサインインしてください。'),
    link_not_usable: fixed(
      'このリンクは使用済みか、期限切れか、別のブラウザーまたは別の方のためのものです。新しいリンクを申し込んでください。',
    ),
    last_owner: fixed('ショップには少なくとも1人のオーナーが必要です。先に別の人をオーナーにしてください。'),
    last_passkey: fixed('確認に使えるパスキーが少なくとも1つ必要です。先に別のパスキーを登録してください。'),
    too_many_passkeys: ({ most = '' }) => `パスキーは${most}個まで登録できます。先に1つ削除してください。`,
    already_a_member: fixed('このメールアドレスの人は、すでにこのショップのメンバーです。'),
    too_many_people: ({ most = '' }) => `メンバーと招待は合わせて${most}件までです。先に1件削除してください。`,
    approval_not_allowed: fixed(
      'このパスキーを承認できるのは、この人のすべてのショップのオーナーである別の人だけです。',
    ),
    too_many_tries: (params) => `回数が多すぎます。約${minutesOf(params)}分後にもう一度お試しください。`,
    too_many_requests: (params) => `操作が多すぎます。約${minutesOf(params)}分後にもう一度お試しください。`,
    person_not_found: fixed('見つかりませんでした。すでに削除されている可能性があります。'),
    key_not_found: fixed('このAPIキーは見つかりませんでした。'),
    too_many_keys: ({ most = '' }) =>
      `APIキーは、直近1日に作成したものを含めて${most}個までです。使わないキーを無効にしてください。`,
    shop_closed: fixed('このショップは閉鎖されています。再開は運用担当者にご依頼ください。'),
    shop_not_live: fixed('このショップはまだ本番の決済を受け付けられません。決済会社の口座の確認が済むと使えます。'),
    shop_not_found: fixed('このショップは見つかりませんでした。'),
    label_taken: fixed('このラベルはすでに使われています。別のラベルにしてください。'),
    nothing_to_retry: fixed('送信待ちでも失敗でもなくなっています。一覧を読み直してください。'),
    link_not_found: fixed('この固定リンクは見つかりませんでした。'),
    reconciliation_not_found: fixed('この突合は見つかりませんでした。'),
    invalid_field: fixed('入力内容に誤りがあります。ご確認ください。'),
    invalid_json: fixed('入力内容に誤りがあります。ご確認ください。'),
    body_too_large: fixed('送信する内容が大きすぎます。短くしてください。'),
    image_refused: fixed('この画像は使えません。PNG、JPEG、WebP のいずれかをお選びください。'),
    address_refused: fixed(
      'このアドレスには送信できません。インターネットから接続できる https のアドレスを入力してください。',
    ),
    webhook_not_found: fixed('このWebhookは見つかりませんでした。'),
    event_not_found: fixed('このイベントは見つかりませんでした。'),
    webhook_disabled: fixed('このWebhookは停止中です。先に有効にしてください。'),
    too_many_webhooks: ({ most = '' }) => `Webhookは${most}件まで登録できます。先に1件削除してください。`,
    settings_changed: fixed('ほかの画面で設定が変更されました。再読み込みしてから、もう一度変更してください。'),
    checkout_not_found: fixed('この決済は見つかりませんでした。'),
    checkout_closed: fixed('この決済リンクは、すでに受付を終了しています。'),
    refund_not_found: fixed('この返金は見つかりませんでした。'),
    payment_in_progress: fixed('お客様が支払いの途中です。しばらくしてからもう一度お試しください。'),
    no_receipt: fixed('領収書は支払い済みの決済にのみあります。'),
    not_refundable: fixed('返金できるのは支払い済みの決済だけです。'),
    refund_mismatch: fixed('同じ返金が別の金額で送られています。ページを再読み込みしてください。'),
    refund_exceeds_payment: ({ remaining = 0 }) =>
      `返金できる金額は残り${Number(remaining).toLocaleString('ja-JP')}円です。`,
    idempotency_key_reused: fixed('同じ操作が別の内容で送られています。ページを再読み込みしてください。'),
    unavailable: fixed('ただいまサービスを利用できません。しばらくしてからもう一度お試しください。'),
    gateway_unavailable: fixed('ただいま決済会社に接続できません。しばらくしてからもう一度お試しください。'),
    system_error: fixed('システムエラーが発生しました。しばらくしてからもう一度お試しください。'),
  },
  'en-US': {
    network_error: fixed('The server could not be reached. Check your connection and try again.'),
    unreadable_answer: fixed('The console has been updated. Reload this page.'),
    screen_not_loaded: fixed('This screen could not be loaded. Check your connection, and reload this page.'),
    screen_failed: fixed('This screen has failed. Reload this page. If it fails again, tell the operator.'),
    signed_out: fixed('You are signed out. Sign in again.'),
    not_from_the_console: fixed('This can be done from the console’s own pages alone. Reload this page.'),
    role_not_allowed: fixed('Your role does not allow this. Ask an owner of the shop.'),
    key_not_allowed: fixed('Your role does not allow this. Ask an owner of the shop.'),
    passkey_needed: fixed('Nothing was changed: it was not confirmed with a passkey.'),
    passkey_too_new: ({ until = '' }, time) =>
      `Until ${time(String(until))} a passkey enrolled after a recovery cannot refund, change settings, webhooks, API keys and people, accept invitations or act as an operator. It can at once when another owner approves it.`,
    passkey_refused: fixed('This passkey was not accepted. Try again, or sign in with a link by mail.'),
    link_not_usable: fixed('This link was used, has ended, or is for another browser or person. Ask for a new one.'),
    last_owner: fixed('A shop keeps at least one owner. Make another person an owner first.'),
    last_passkey: fixed('Keep at least one passkey that confirms. Enrol another one first.'),
    too_many_passkeys: ({ most = '' }) => `You can have ${most} passkeys. Remove one first.`,
    already_a_member: fixed('This person belongs to the shop already.'),
    too_many_people: ({ most = '' }) => `There can be ${most} people and invitations. Remove one first.`,
    approval_not_allowed: fixed('Only another person who owns every shop of this person can approve the passkey.'),
    too_many_tries: (params) => `Too many tries. Try again in about ${minutesOf(params)} min.`,
    too_many_requests: (params) => `Too many calls. Try again in about ${minutesOf(params)} min.`,
    person_not_found: fixed('Not found. It may have been removed already.'),
    key_not_found: fixed('There is no such API key.'),
    too_many_keys: ({ most = '' }) =>
      `There can be ${most} API keys, those made in the last day among them. Revoke those that nobody uses.`,
    shop_closed: fixed('This shop is closed. An operator can reopen it.'),
    shop_not_live: fixed('This shop cannot take real money yet: its account at the acquirer has not passed its check.'),
    shop_not_found: fixed('There is no such shop.'),
    label_taken: fixed('There is a shop with this label. Choose another one.'),
    nothing_to_retry: fixed('It no longer waits and has not failed. Read the list again.'),
    link_not_found: fixed('There is no such reusable link.'),
    reconciliation_not_found: fixed('There is no such reconciliation.'),
    invalid_field: fixed('Something that was entered is not accepted. Check the fields.'),
    invalid_json: fixed('Something that was entered is not accepted. Check the fields.'),
    body_too_large: fixed('This is too long. Make it shorter.'),
    image_refused: fixed('This picture cannot be used. Choose a PNG, JPEG or WebP file.'),
    address_refused: fixed('Nothing can be sent to this address. Enter an https address that the internet can reach.'),
    webhook_not_found: fixed('There is no such webhook.'),
    event_not_found: fixed('There is no such event.'),
    webhook_disabled: fixed('This webhook is disabled. Enable it first.'),
    too_many_webhooks: ({ most = '' }) => `There can be ${most} webhooks. Remove one first.`,
    settings_changed: fixed('The settings were changed elsewhere. Reload, then change them again.'),
    checkout_not_found: fixed('There is no such checkout.'),
    checkout_closed: fixed('This checkout is no longer open.'),
    refund_not_found: fixed('There is no such refund.'),
    payment_in_progress: fixed('The shopper is paying at this moment. Try again in a little while.'),
    no_receipt: fixed('Only a paid checkout has a receipt.'),
    not_refundable: fixed('Only a paid checkout can be refunded.'),
    refund_mismatch: fixed('The same refund was sent with another amount. Reload this page.'),
    refund_exceeds_payment: ({ remaining = 0 }) =>
      `At most ¥${Number(remaining).toLocaleString('en-US')} is left to refund.`,
    idempotency_key_reused: fixed('The same action was sent with other contents. Reload this page.'),
    unavailable: fixed('The service is not available at the moment. Try again in a little while.'),
    gateway_unavailable: fixed('The acquirer cannot be reached at the moment. Try again in a little while.'),
    system_error: fixed('System error. Try again in a little while.'),
  },
}

const OTHER: WordsOf<(code: string) => string> = {
  ja: (code) => `処理できませんでした。(${code})`,
  'en-US': (code) => `This could not be done. (${code})`,
}

export const otherErrorWords = OTHER
