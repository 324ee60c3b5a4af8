/** Words of the screens about people: members, invitations, and what they have changed. */
import type { AuditAction } from '#contract/console/audit.ts'
import type { Role } from '#contract/console/roles.ts'
import type { WordsOf } from '../../words/language.tsx'

interface PeopleWords {
  readonly title: string
  readonly members: string
  readonly audit: string
  readonly lead: string
  readonly you: string
  readonly noPasskey: string
  readonly joined: (time: string) => string
  readonly changeRole: string
  readonly changeRoleTitle: (name: string) => string
  readonly role: string
  readonly roleDetails: Readonly<Record<Role, string>>
  readonly remove: string
  readonly removeTitle: (name: string) => string
  readonly removeText: string
  readonly removed: string
  readonly waitingPasskey: (name: string, time: string) => string
  readonly approve: string
  readonly approveTitle: (name: string) => string
  readonly approveText: string
  readonly approved: string
  readonly invite: string
  readonly inviteText: string
  readonly email: string
  readonly emailProblem: string
  readonly mailLanguage: string
  readonly invited: string
  readonly invitations: string
  readonly noInvitations: string
  readonly noInvitationsText: string
  readonly endsAt: (time: string) => string
  readonly withdraw: string
  readonly withdrawTitle: string
  readonly withdrawText: string
  readonly withdrawn: string
  readonly link: string
  readonly linkShownOnce: string
  readonly auditLead: string
  readonly noAudit: string
  readonly noAuditText: string
  readonly when: string
  readonly who: string
  readonly what: string
  readonly subject: string
  readonly noMode: string
  readonly mode: string
  readonly actions: Readonly<Record<AuditAction, string>>
}

export const peopleWords: WordsOf<PeopleWords> = {
  ja: {
    title: 'メンバー',
    members: 'メンバー',
    audit: '操作履歴',
    lead: 'このショップをコンソールで操作できる人です。',
    you: 'あなた',
    noPasskey: 'パスキー未登録',
    joined: (time) => `参加: ${time}`,
    changeRole: '権限を変更',
    changeRoleTitle: (name) => `${name}さんの権限`,
    role: '権限',
    roleDetails: {
      owner: '返金、設定、APIキー、メンバーの管理を含むすべての操作',
      staff: '決済リンクの作成と取消、領収書の再送。返金はできません。',
      viewer: '閲覧だけ。何も変更できません。',
    },
    remove: '外す',
    removeTitle: (name) => `${name}さんをメンバーから外しますか？`,
    removeText: 'このショップには、すぐに入れなくなります。この人がした操作は履歴に残ります。',
    removed: 'メンバーから外しました。',
    waitingPasskey: (name, time) => `復旧後に登録したパスキー「${name}」は、${time} から返金などの確認に使えます。`,
    approve: '承認する',
    approveTitle: (name) => `${name}さんの新しいパスキーを承認しますか？`,
    approveText:
      '承認すると、このパスキーで返金と、設定、APIキー、メンバーの変更がすぐにできます。ご本人に電話などで確かめてから承認してください。',
    approved: 'パスキーを承認しました。',
    invite: '招待する',
    inviteText: '招待のメールを送ります。リンクは72時間、1回だけ使えます。',
    email: 'メールアドレス',
    emailProblem: 'メールアドレスを入力してください。例: hanako@example.com',
    mailLanguage: 'メールの言語',
    invited: '招待しました。',
    invitations: '招待中',
    noInvitations: '招待中の人はいません',
    noInvitationsText: 'ほかの人にもショップを操作してもらうときは、招待してください。',
    endsAt: (time) => `期限: ${time}`,
    withdraw: '取り消す',
    withdrawTitle: '招待を取り消しますか？',
    withdrawText: '送ったリンクは使えなくなります。',
    withdrawn: '招待を取り消しました。',
    link: '招待のリンク',
    linkShownOnce: 'メールを送信できないため、このリンクをご本人に直接お渡しください。今だけ表示されます。',
    auditLead: 'コンソールで行われた変更の記録です。本番とテストの両方を含み、誰も消すことはできません。',
    noAudit: '記録はまだありません',
    noAuditText: '何かが変更されると、ここに表示されます。',
    when: '日時',
    who: '操作した人',
    what: '操作',
    subject: '対象',
    noMode: '共通',
    mode: 'モード',
    actions: {
      person_invited: 'メンバーを招待',
      invitation_withdrawn: '招待を取消',
      person_joined: 'メンバーに参加',
      person_changed: 'プロフィールを変更',
      role_changed: '権限を変更',
      person_removed: 'メンバーから削除',
      person_recovered: 'メールのリンクで復旧',
      passkey_enrolled: 'パスキーを登録',
      passkey_removed: 'パスキーを削除',
      passkey_approved: 'パスキーを承認',
      session_ended: '別の端末のセッションを終了',
      key_created: 'APIキーを作成',
      key_rolled: 'APIキーを更新',
      key_revoked: 'APIキーを無効化',
      checkout_created: '決済を作成',
      checkout_cancelled: '決済を取消',
      receipt_sent: '領収書を再送',
      refund_made: '返金',
      link_created: '固定リンクを作成',
      link_changed: '固定リンクを変更',
      settings_changed: '設定を変更',
      picture_replaced: '画像を変更',
      picture_removed: '画像を削除',
      webhook_created: 'Webhookを追加',
      webhook_changed: 'Webhookを変更',
      webhook_removed: 'Webhookを削除',
      webhook_rolled: 'Webhookのシークレットを更新',
      webhook_pinged: 'Webhookのテスト送信',
      webhook_replayed: 'Webhookへまとめて再送',
      event_redelivered: 'イベントを再送',
      shop_opened: 'ショップを開設',
      shop_closed: 'ショップを閉鎖',
      shop_reopened: 'ショップを再開',
      outbox_retried: '送信を再試行',
      set_aside_read: '保留の内容を確認',
      set_aside_retried: '保留を再処理',
      set_aside_dropped: '保留を破棄',
    },
  },
  'en-US': {
    title: 'People',
    members: 'People',
    audit: 'Audit list',
    lead: 'Who can use this shop in the console.',
    you: 'You',
    noPasskey: 'No passkey yet',
    joined: (time) => `Joined: ${time}`,
    changeRole: 'Change role',
    changeRoleTitle: (name) => `Role of ${name}`,
    role: 'Role',
    roleDetails: {
      owner: 'Everything, with refunds, settings, API keys and people.',
      staff: 'Creates and cancels checkouts, sends receipts again. No refunds.',
      viewer: 'Reads and changes nothing.',
    },
    remove: 'Remove',
    removeTitle: (name) => `Remove ${name} from this shop?`,
    removeText: 'They can no longer enter this shop, from now on. What they have changed stays in the audit list.',
    removed: 'The person was removed.',
    waitingPasskey: (name, time) => `The passkey “${name}”, enrolled after a recovery, confirms refunds from ${time}.`,
    approve: 'Approve',
    approveTitle: (name) => `Approve the new passkey of ${name}?`,
    approveText:
      'It can then refund and change settings, API keys and people at once. Ask the person first, by telephone or face to face.',
    approved: 'The passkey was approved.',
    invite: 'Invite',
    inviteText: 'They get a mail with a link that works once, within 72 hours.',
    email: 'Email address',
    emailProblem: 'Enter an email address, such as hanako@example.com.',
    mailLanguage: 'Language of the mail',
    invited: 'The invitation was sent.',
    invitations: 'Invitations',
    noInvitations: 'Nobody is invited',
    noInvitationsText: 'Invite those who are to work with this shop too.',
    endsAt: (time) => `Ends: ${time}`,
    withdraw: 'Withdraw',
    withdrawTitle: 'Withdraw this invitation?',
    withdrawText: 'The link that was sent no longer works.',
    withdrawn: 'The invitation was withdrawn.',
    link: 'Link of the invitation',
    linkShownOnce: 'No mail can be sent here: pass this link on to the person yourself. It is shown this once.',
    auditLead: 'What was changed in the console, in live and in test mode. Nobody can remove a line.',
    noAudit: 'Nothing was changed yet',
    noAuditText: 'Each change that somebody makes appears here.',
    when: 'Time',
    who: 'Who',
    what: 'What',
    subject: 'About',
    noMode: 'Both',
    mode: 'Mode',
    actions: {
      person_invited: 'Invited a person',
      invitation_withdrawn: 'Withdrew an invitation',
      person_joined: 'Joined',
      person_changed: 'Changed the profile',
      role_changed: 'Changed a role',
      person_removed: 'Removed a person',
      person_recovered: 'Recovered by a link',
      passkey_enrolled: 'Enrolled a passkey',
      passkey_removed: 'Removed a passkey',
      passkey_approved: 'Approved a passkey',
      session_ended: 'Ended another session',
      key_created: 'Created an API key',
      key_rolled: 'Rolled an API key',
      key_revoked: 'Revoked an API key',
      checkout_created: 'Created a checkout',
      checkout_cancelled: 'Cancelled a checkout',
      receipt_sent: 'Sent a receipt again',
      refund_made: 'Refunded',
      link_created: 'Created a reusable link',
      link_changed: 'Changed a reusable link',
      settings_changed: 'Changed settings',
      picture_replaced: 'Replaced a picture',
      picture_removed: 'Removed a picture',
      webhook_created: 'Added a webhook',
      webhook_changed: 'Changed a webhook',
      webhook_removed: 'Removed a webhook',
      webhook_rolled: 'Rolled a webhook’s secret',
      webhook_pinged: 'Sent a ping',
      webhook_replayed: 'Replayed events to a webhook',
      event_redelivered: 'Sent an event again',
      shop_opened: 'Opened the shop',
      shop_closed: 'Closed the shop',
      shop_reopened: 'Reopened the shop',
      outbox_retried: 'Retried a delivery or a mail',
      set_aside_read: 'Looked at something set aside',
      set_aside_retried: 'Retried something set aside',
      set_aside_dropped: 'Dropped something set aside',
    },
  },
}
