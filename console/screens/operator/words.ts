/** Words of the operator's screens: shops, doubts, outbox, checks, audit list. */
import type { SetAsideOutcome } from '#contract/console/operator.ts'
import type { WordsOf } from '../../words/language.tsx'

interface OperatorWords {
  readonly title: string
  readonly shops: string
  readonly doubts: string
  readonly outbox: string
  readonly doctor: string
  readonly audit: string

  readonly shopsLead: string
  readonly openShop: string
  readonly noShops: string
  readonly noShopsText: string
  readonly open: string
  readonly closed: (time: string) => string
  readonly opened: (time: string) => string
  readonly close: string
  readonly closeTitle: (name: string) => string
  readonly closeText: string
  readonly closedDone: string
  readonly reopen: string
  readonly reopenTitle: (name: string) => string
  readonly reopenText: string
  readonly reopenedDone: string
  readonly label: string
  readonly labelHint: (host: string) => string
  readonly labelProblem: string
  readonly shopName: string
  readonly shopNameProblem: string
  readonly shopEmail: string
  readonly shopEmailHint: string
  readonly ownerEmail: string
  readonly ownerHint: string
  readonly emailProblem: string
  readonly mailLanguage: string
  readonly shopOpened: string
  readonly link: string
  readonly linkShownOnce: string

  readonly doubtsLead: string
  readonly noDoubts: string
  readonly noDoubtsText: string
  readonly kinds: Readonly<Record<'charge' | 'refund', string>>
  readonly kind: string
  readonly shop: string
  readonly amount: string
  readonly since: string
  readonly asked: string
  readonly next: string
  readonly checkout: string
  readonly more: (count: number) => string
  readonly held: (count: number) => string

  readonly outboxLead: string
  readonly show: string
  readonly states: Readonly<Record<'all' | 'waiting' | 'failed', string>>
  readonly noOutbox: string
  readonly noOutboxText: string
  readonly outboxKinds: Readonly<Record<'delivery' | 'mail', string>>
  readonly deletedEvent: string
  readonly tries: (count: number) => string
  readonly lastAnswer: (answer: string) => string
  readonly nextTry: (time: string) => string
  readonly noNextTry: string
  readonly sinceTime: (time: string) => string
  readonly tryAgain: string
  readonly triedAgain: string

  readonly setAside: string
  readonly setAsideLead: string
  readonly moreSetAside: (count: number) => string
  readonly look: string
  readonly nothingMore: string
  readonly retry: string
  readonly drop: string
  readonly dropTitle: string
  readonly dropText: string
  readonly outcomes: Readonly<Record<SetAsideOutcome, string>>

  readonly doctorLead: string
  readonly run: string
  readonly notRun: string
  readonly notRunText: string
  readonly results: Readonly<Record<'ok' | 'warn' | 'fail', string>>
  readonly ranAt: (time: string) => string
  readonly mend: (text: string) => string

  readonly auditLead: string
}

export const operatorWords: WordsOf<OperatorWords> = {
  ja: {
    title: '運用',
    shops: 'ショップ',
    doubts: '確認中の決済',
    outbox: '送信待ち',
    doctor: '点検',
    audit: '操作履歴',

    shopsLead: 'このサーバーにあるすべてのショップです。',
    openShop: 'ショップを開設',
    noShops: 'ショップはまだありません',
    noShopsText: '開設すると、最初のオーナーに招待が届きます。',
    open: '営業中',
    closed: (time) => `閉鎖: ${time}`,
    opened: (time) => `開設: ${time}`,
    close: '閉鎖する',
    closeTitle: (name) => `「${name}」を閉鎖しますか？`,
    closeText:
      'APIキーとコンソールが使えなくなり、新しい支払いは始められません。処理中の支払いと返金は最後まで確認されます。',
    closedDone: 'ショップを閉鎖しました。',
    reopen: '再開する',
    reopenTitle: (name) => `「${name}」を再開しますか？`,
    reopenText: 'APIキーと決済リンクが、以前と同じように使えるようになります。',
    reopenedDone: 'ショップを再開しました。',
    label: 'ラベル',
    labelHint: (host) => `決済ページのアドレスになります: tea.${host}`,
    labelProblem: '半角の英小文字、数字、ハイフンで入力してください。',
    shopName: 'ショップ名',
    shopNameProblem: 'ショップ名を入力してください。',
    shopEmail: 'ショップのメールアドレス（任意）',
    shopEmailHint: '領収書に表示され、ショップへのお知らせの宛先になります。',
    ownerEmail: '最初のオーナーのメールアドレス',
    ownerHint: '招待のリンクは72時間、1回だけ使えます。',
    emailProblem: 'メールアドレスを入力してください。例: hanako@example.com',
    mailLanguage: 'メールの言語',
    shopOpened: 'ショップを開設し、オーナーを招待しました。',
    link: '招待のリンク',
    linkShownOnce: 'メールを送信できないため、このリンクをオーナーに直接お渡しください。今だけ表示されます。',

    doubtsLead: '結果がまだ分からない支払いと返金です。サーバーが決済会社に問い合わせを続けています。',
    noDoubts: '結果の分からない決済はありません',
    noDoubtsText: '通信の途中で応答が途切れた支払いや返金が、ここに表示されます。',
    kinds: { charge: '支払い', refund: '返金' },
    kind: '種類',
    shop: 'ショップ',
    amount: '金額',
    since: '発生',
    asked: '問い合わせ',
    next: '次の問い合わせ',
    checkout: '決済',
    more: (count) => `古いものから${count}件を表示しています。ほかにもあります。`,
    held: (count) => `復元のあと、支払い済みの可能性があるため受付を止めている決済: ${count}件`,

    outboxLead: 'ショップとお客様へのお知らせのうち、送信待ちのものと失敗したものです。',
    show: '表示',
    states: { all: 'すべて', waiting: '送信待ち', failed: '失敗' },
    noOutbox: '送信待ちも失敗もありません',
    noOutboxText: 'Webhookとメールは、すべて届いています。',
    outboxKinds: { delivery: 'Webhook', mail: 'メール' },
    deletedEvent: '削除済みのイベント（再送信できません）',
    tries: (count) => `送信した回数: ${count}`,
    lastAnswer: (answer) => `最後の応答: ${answer}`,
    nextTry: (time) => `次の送信: ${time}`,
    noNextTry: '自動では送信されません',
    sinceTime: (time) => `発生: ${time}`,
    tryAgain: '今すぐ送信',
    triedAgain: '送信を始めました。',

    setAside: '読み取れずに保留しているもの',
    setAsideLead:
      '決済会社からの通知や送信待ちのうち、内容を読み取れなかったものです。ほかの処理は止まりません。確認して、もう一度処理するか、破棄してください。',
    moreSetAside: (count) => `古いものから${count}件を表示しています。ほかにもあります。`,
    look: '内容を見る',
    nothingMore: 'これ以上の内容はありません。',
    retry: 'もう一度処理する',
    drop: '破棄する',
    dropTitle: '破棄しますか？',
    dropText: '破棄すると、二度と処理されません。',
    outcomes: {
      'looked at': '内容を表示しました。',
      'put back': 'もう一度処理します。読み取れなければ、再び保留になります。',
      dropped: '破棄しました。',
      'left its queue': 'もとのデータがすでにないため、保留から外しました。',
      gone: 'ほかの担当者がすでに処理しました。',
      'still unreadable': 'このバージョンでは読み取れません。何も変更していません。',
      'not whole':
        '長すぎて全体を保存できなかったか、暗号鍵が失われたため、もう一度処理できません。破棄だけができます。',
      'never dropped': '決済やショップの設定に関わるため、破棄できません。データの修復が必要です。',
    },

    doctorLead:
      'データベース、時計、証明書、メール、決済会社など、サーバーに必要なものを点検します。結果は英語で表示されます。',
    run: '点検する',
    notRun: 'まだ点検していません',
    notRunText: '30秒ほどかかることがあります。',
    results: { ok: '正常', warn: '注意', fail: '異常' },
    ranAt: (time) => `点検した日時: ${time}`,
    mend: (text) => `対処: ${text}`,

    auditLead:
      '運用担当者の招待や復旧など、ショップに属さない変更の記録です。誰も消すことはできません。ショップで行われた変更は、各ショップの操作履歴にあります。',
  },
  'en-US': {
    title: 'Operator',
    shops: 'Shops',
    doubts: 'Doubts',
    outbox: 'Outbox',
    doctor: 'Doctor',
    audit: 'Audit list',

    shopsLead: 'All shops of this installation.',
    openShop: 'Open a shop',
    noShops: 'No shops yet',
    noShopsText: 'Open one: its first owner is invited.',
    open: 'Open',
    closed: (time) => `Closed: ${time}`,
    opened: (time) => `Opened: ${time}`,
    close: 'Close',
    closeTitle: (name) => `Close “${name}”?`,
    closeText:
      'Its API keys and its console open nothing, and no payment is started. Payments and refunds under way are still resolved.',
    closedDone: 'The shop is closed.',
    reopen: 'Reopen',
    reopenTitle: (name) => `Reopen “${name}”?`,
    reopenText: 'Its API keys and its links work as before.',
    reopenedDone: 'The shop is open.',
    label: 'Label',
    labelHint: (host) => `It becomes the address of its pages: tea.${host}`,
    labelProblem: 'Use a to z, 0 to 9 and hyphens.',
    shopName: 'Name of the shop',
    shopNameProblem: 'Enter the name of the shop.',
    shopEmail: 'Email address of the shop (optional)',
    shopEmailHint: 'On its receipts, and where mails to the shop go.',
    ownerEmail: 'Email address of the first owner',
    ownerHint: 'The link of the invitation works once, within 72 hours.',
    emailProblem: 'Enter an email address, such as hanako@example.com.',
    mailLanguage: 'Language of the mail',
    shopOpened: 'The shop is open, and its owner is invited.',
    link: 'Link of the invitation',
    linkShownOnce: 'No mail can be sent here: pass this link on to the owner yourself. It is shown this once.',

    doubtsLead: 'Charges and refunds whose outcome is unknown. The server goes on asking the acquirer.',
    noDoubts: 'Nothing is in doubt',
    noDoubtsText: 'Charges and refunds that got no answer appear here until they are resolved.',
    kinds: { charge: 'Charge', refund: 'Refund' },
    kind: 'Kind',
    shop: 'Shop',
    amount: 'Amount',
    since: 'Since',
    asked: 'Asked',
    next: 'Next inquiry',
    checkout: 'Checkout',
    more: (count) => `The ${count} oldest are shown. There are more.`,
    held: (count) => `Closed to payment after a restore, because they may have been paid: ${count}`,

    outboxLead: 'Webhook deliveries and mails that wait or have failed.',
    show: 'Show',
    states: { all: 'All', waiting: 'Waiting', failed: 'Failed' },
    noOutbox: 'Nothing waits, and nothing has failed',
    noOutboxText: 'All webhooks and mails have arrived.',
    outboxKinds: { delivery: 'Webhook', mail: 'Mail' },
    deletedEvent: 'an event that was deleted, and cannot be sent again',
    tries: (count) => `Tries: ${count}`,
    lastAnswer: (answer) => `Last answer: ${answer}`,
    nextTry: (time) => `Next try: ${time}`,
    noNextTry: 'It is tried no more by itself',
    sinceTime: (time) => `Since: ${time}`,
    tryAgain: 'Try now',
    triedAgain: 'It is being sent.',

    setAside: 'Set aside, because it cannot be read',
    setAsideLead:
      'Notifications of acquirers and rows that wait to be worked on. Nothing else is held up by them. Look at each, and have it tried again or drop it.',
    moreSetAside: (count) => `The ${count} oldest are shown. There are more.`,
    look: 'Look',
    nothingMore: 'There is no more to see.',
    retry: 'Try again',
    drop: 'Drop',
    dropTitle: 'Drop it?',
    dropText: 'It is never read again.',
    outcomes: {
      'looked at': 'Shown.',
      'put back': 'It is read again. Where that fails, it is set aside again.',
      dropped: 'It is dropped.',
      'left its queue': 'Its row is gone, so it is not listed here any more.',
      gone: 'Somebody else has decided already.',
      'still unreadable': 'This release reads it no better. Nothing was changed.',
      'not whole': 'It was too long to be kept whole, or its key is lost. It can only be dropped.',
      'never dropped': 'It is a payment, its books or a setting, and cannot be dropped: the row must be mended.',
    },

    doctorLead: 'Looks at what the server needs: database, clock, certificate, mail, acquirers and others.',
    run: 'Run the checks',
    notRun: 'Not run yet',
    notRunText: 'It may take 30 seconds.',
    results: { ok: 'OK', warn: 'Warning', fail: 'Failed' },
    ranAt: (time) => `Run at: ${time}`,
    mend: (text) => `Mend: ${text}`,

    auditLead:
      'What was changed that belongs to no shop, such as operators who were invited or recovered. Nobody can remove a line. What was changed at a shop is in the audit list of that shop.',
  },
}
