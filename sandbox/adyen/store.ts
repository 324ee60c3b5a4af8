/** Store of the Adyen double: every statement it needs, on one database file for one process. */
import { DatabaseSync } from 'node:sqlite'
import {
  integerColumn,
  nullableInteger,
  readAccount,
  readAnswer,
  readModification,
  readNotification,
  readPayment,
  SCHEMA,
  type Account,
  type Modification,
  type Payment,
  type Row,
  type StoredAnswer,
  type StoredNotification,
} from './rows.ts'

interface AccountSettings extends Account {
  readonly apiKeyHash: string
  readonly reportKeyHash: string
}

export interface AdyenStore {
  /** All that it writes is written, or nothing: a payment without its notification would never be heard of. */
  atomically<Result>(work: () => Result): Result
  clockOffset(): number
  setClockOffset(offsetMs: number): void
  saveAccount(settings: AccountSettings): void
  account(merchantAccount: string): Account | undefined
  knowsApiKey(hash: string): boolean
  isApiKey(merchantAccount: string, hash: string): boolean
  isReportKey(merchantAccount: string, hash: string): boolean
  setNextResult(merchantAccount: string, resultCode: string): void
  takeNextResult(merchantAccount: string): string | null
  savePayment(payment: Payment): void
  payment(pspReference: string): Payment | undefined
  paymentsOf(reference: string): Payment[]
  duePayments(now: number): Payment[]
  addModification(modification: Modification): void
  saveModification(modification: Modification): void
  modification(pspReference: string): Modification | undefined
  modificationsOf(paymentPspReference: string): Modification[]
  /** All that has happened in a dispute, by its own reference. */
  modificationsOfDispute(pspReference: string): Modification[]
  dueCaptures(now: number): Modification[]
  /** What no report of the account has told of yet. */
  unreported(merchantAccount: string): Modification[]
  /** What the report tells of: lines, and reversals of earlier lines. */
  reported(merchantAccount: string, batch: number): Modification[]
  lastBatch(merchantAccount: string): number
  addBatch(merchantAccount: string, batch: number, now: number): void
  batchClosedAt(merchantAccount: string, batch: number): number | undefined
  answer(merchantAccount: string, key: string): StoredAnswer | undefined
  saveAnswer(merchantAccount: string, key: string, answer: StoredAnswer): void
  addNotification(merchantAccount: string, pspReference: string, item: string, dueAt: number): void
  notification(sequence: number): StoredNotification | undefined
  notifications(merchantAccount: string): StoredNotification[]
  dueNotifications(now: number): StoredNotification[]
  undelivered(merchantAccount: string): StoredNotification[]
  setNotification(sequence: number, attempts: number, nextAttemptAt: number | null): void
  sendAgain(merchantAccount: string, pspReference: string, now: number): number
  /** Whether a queued payment or a late capture is due. */
  hasDue(now: number): boolean
  /** When the next payment, capture or notification is due; one that is being sent now is not among them. */
  nextDueAt(now: number): number | undefined
  close(): void
}

/** For a predecessor that is about to end; short, because the event loop is blocked meanwhile. */
const LOCK_TIMEOUT_MS = 250

export const openAdyenStore = (file: string): AdyenStore => {
  const database = new DatabaseSync(file, { timeout: LOCK_TIMEOUT_MS })
  // Exclusive: a second process could book one payment twice between its read and its write.
  database.exec('pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = full')
  database.exec(SCHEMA)
  const sql = (text: string): ReturnType<DatabaseSync['prepare']> => database.prepare(text)

  const selectOffset = sql('select offset_ms from clock')
  const upsertOffset = sql(`insert into clock (id, offset_ms) values (1, ?)
    on conflict (id) do update set offset_ms = excluded.offset_ms`)
  const upsertAccount =
    sql(`insert into accounts (merchant_account, api_key_hash, report_key_hash, webhook_url, hmac_key)
    values (?, ?, ?, ?, ?) on conflict (merchant_account) do update set api_key_hash = excluded.api_key_hash,
    report_key_hash = excluded.report_key_hash, webhook_url = excluded.webhook_url, hmac_key = excluded.hmac_key`)
  const insertLive = sql('insert or ignore into live_accounts (merchant_account) values (?)')
  const deleteLive = sql('delete from live_accounts where merchant_account = ?')
  const selectAccount = sql(`select a.*, l.merchant_account is not null as is_live from accounts a
    left join live_accounts l on l.merchant_account = a.merchant_account where a.merchant_account = ?`)
  const selectAccountOfKey = sql('select merchant_account from accounts where api_key_hash = ? limit 1')
  const updateNextResult = sql('update accounts set next_result = ? where merchant_account = ?')
  const upsertPayment = sql(`insert into payments (psp_reference, merchant_account, reference, amount_yen,
    payment_method, last_four, auth_code, status, refusal_reason, is_manual_capture, at_capture, at_capture_ms,
    created_at, due_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    on conflict (psp_reference) do update set status = excluded.status, refusal_reason = excluded.refusal_reason,
    due_at = excluded.due_at`)
  const selectPayment = sql('select * from payments where psp_reference = ?')
  const selectPayments = sql('select * from payments where reference = ? order by rowid')
  const selectDuePayments = sql('select * from payments where due_at <= ? order by due_at, rowid')
  const insertModification = sql(`insert into modifications (psp_reference, payment_psp_reference, kind, reference,
    amount_yen, status, created_at, due_at, batch, reversed_batch) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const updateModification = sql(`update modifications set status = ?, due_at = ?, batch = ?, reversed_batch = ?
    where psp_reference = ? and payment_psp_reference = ? and kind = ?`)
  const selectModification = sql('select * from modifications where psp_reference = ?')
  const selectOfDispute = sql(`select * from modifications where psp_reference = ? and kind in
    ('dispute', 'chargeback', 'chargeback_reversed', 'second_chargeback') order by position`)
  const selectModifications = sql('select * from modifications where payment_psp_reference = ? order by position')
  const selectDueCaptures = sql('select * from modifications where due_at <= ? order by due_at, position')
  const ofAccount = `select m.* from modifications m join payments p on p.psp_reference = m.payment_psp_reference
    where p.merchant_account = ?`
  const selectUnreported = sql(`${ofAccount} and m.kind in ('capture', 'refund', 'chargeback',
    'chargeback_reversed', 'second_chargeback') and
    ((m.status = 'done' and m.batch is null) or
    (m.status = 'failed' and m.batch is not null and m.reversed_batch is null)) order by m.position`)
  const selectReported = sql(`${ofAccount} and (m.batch = ? or m.reversed_batch = ?) order by m.position`)
  const selectLastBatch = sql('select coalesce(max(number), 0) as number from batches where merchant_account = ?')
  const insertBatch = sql('insert into batches (merchant_account, number, closed_at) values (?, ?, ?)')
  const selectBatch = sql('select closed_at from batches where merchant_account = ? and number = ?')
  const selectAnswer = sql('select * from answers where merchant_account = ? and idempotency_key = ?')
  const upsertAnswer = sql(`insert or replace into answers (merchant_account, idempotency_key, request_hash, status,
    body, created_at, ready_at) values (?, ?, ?, ?, ?, ?, ?)`)
  const insertNotification = sql(`insert into notifications (merchant_account, psp_reference, item, attempts,
    next_attempt_at) values (?, ?, ?, 0, ?)`)
  const selectNotification = sql('select * from notifications where sequence = ?')
  const selectNotifications = sql('select * from notifications where merchant_account = ? order by sequence')
  const selectDueNotifications = sql(`select n.* from notifications n
    join accounts a on a.merchant_account = n.merchant_account
    where n.next_attempt_at <= ? and a.webhook_url is not null order by n.sequence`)
  const selectUndelivered = sql(`select * from notifications where merchant_account = ? and next_attempt_at is not null
    order by sequence`)
  const updateNotification = sql('update notifications set attempts = ?, next_attempt_at = ? where sequence = ?')
  const updateSendAgain = sql(`update notifications set next_attempt_at = ? where merchant_account = ?
    and psp_reference = ?`)
  const selectNextDue = sql(`select min(due_at) as due_at from (
    select due_at from payments where due_at is not null union all
    select due_at from modifications where due_at is not null union all
    select n.next_attempt_at from notifications n join accounts a on a.merchant_account = n.merchant_account
    where n.next_attempt_at > ? and a.webhook_url is not null)`)
  const selectAnyDue = sql(`select 1 as found where exists (select 1 from payments where due_at <= ?)
    or exists (select 1 from modifications where due_at <= ?)`)

  const readIfFound = <Value>(row: Row | undefined, read: (row: Row) => Value): Value | undefined =>
    row === undefined ? undefined : read(row)

  return {
    atomically: (work) => {
      database.exec('begin immediate')
      try {
        const result = work()
        database.exec('commit')
        return result
      } catch (error) {
        database.exec('rollback')
        throw error
      }
    },
    clockOffset: () => readIfFound(selectOffset.get(), (row) => integerColumn(row, 'offset_ms')) ?? 0,
    setClockOffset: (offsetMs) => void upsertOffset.run(offsetMs),
    saveAccount: (settings) => {
      const { merchantAccount, apiKeyHash, reportKeyHash, webhookUrl, hmacKey, isLive } = settings
      upsertAccount.run(merchantAccount, apiKeyHash, reportKeyHash, webhookUrl, hmacKey)
      const inMode = isLive ? insertLive : deleteLive
      inMode.run(merchantAccount)
    },
    account: (merchantAccount) => readIfFound(selectAccount.get(merchantAccount), readAccount),
    knowsApiKey: (hash) => selectAccountOfKey.get(hash) !== undefined,
    isApiKey: (merchantAccount, hash) => selectAccount.get(merchantAccount)?.['api_key_hash'] === hash,
    isReportKey: (merchantAccount, hash) => selectAccount.get(merchantAccount)?.['report_key_hash'] === hash,
    setNextResult: (merchantAccount, resultCode) => void updateNextResult.run(resultCode, merchantAccount),
    takeNextResult: (merchantAccount) => {
      const next = selectAccount.get(merchantAccount)?.['next_result']
      if (typeof next !== 'string') return null
      updateNextResult.run(null, merchantAccount)
      return next
    },
    savePayment: (payment) =>
      void upsertPayment.run(
        payment.pspReference,
        payment.merchantAccount,
        payment.reference,
        payment.amountYen,
        payment.paymentMethod,
        payment.lastFour,
        payment.authCode,
        payment.status,
        payment.refusalReason,
        payment.isManualCapture ? 1 : 0,
        payment.atCapture.kind,
        payment.atCapture.ms,
        payment.createdAt,
        payment.dueAt,
      ),
    payment: (pspReference) => readIfFound(selectPayment.get(pspReference), readPayment),
    paymentsOf: (reference) => selectPayments.all(reference).map(readPayment),
    duePayments: (now) => selectDuePayments.all(now).map(readPayment),
    addModification: (each) =>
      void insertModification.run(
        each.pspReference,
        each.paymentPspReference,
        each.kind,
        each.reference,
        each.amountYen,
        each.status,
        each.createdAt,
        each.dueAt,
        each.batch,
        each.reversedBatch,
      ),
    saveModification: (each) => {
      const { status, dueAt, batch, reversedBatch, pspReference, paymentPspReference, kind } = each
      updateModification.run(status, dueAt, batch, reversedBatch, pspReference, paymentPspReference, kind)
    },
    modification: (pspReference) => readIfFound(selectModification.get(pspReference), readModification),
    modificationsOf: (paymentPspReference) => selectModifications.all(paymentPspReference).map(readModification),
    modificationsOfDispute: (pspReference) => selectOfDispute.all(pspReference).map(readModification),
    dueCaptures: (now) => selectDueCaptures.all(now).map(readModification),
    unreported: (merchantAccount) => selectUnreported.all(merchantAccount).map(readModification),
    reported: (merchantAccount, batch) => selectReported.all(merchantAccount, batch, batch).map(readModification),
    lastBatch: (merchantAccount) =>
      readIfFound(selectLastBatch.get(merchantAccount), (row) => integerColumn(row, 'number')) ?? 0,
    addBatch: (merchantAccount, batch, now) => void insertBatch.run(merchantAccount, batch, now),
    batchClosedAt: (merchantAccount, batch) =>
      readIfFound(selectBatch.get(merchantAccount, batch), (row) => integerColumn(row, 'closed_at')),
    answer: (merchantAccount, key) => readIfFound(selectAnswer.get(merchantAccount, key), readAnswer),
    saveAnswer: (merchantAccount, key, { requestHash, status, body, createdAt, readyAt }) =>
      void upsertAnswer.run(merchantAccount, key, requestHash, status, body, createdAt, readyAt),
    addNotification: (merchantAccount, pspReference, item, dueAt) =>
      void insertNotification.run(merchantAccount, pspReference, item, dueAt),
    notification: (sequence) => readIfFound(selectNotification.get(sequence), readNotification),
    notifications: (merchantAccount) => selectNotifications.all(merchantAccount).map(readNotification),
    dueNotifications: (now) => selectDueNotifications.all(now).map(readNotification),
    undelivered: (merchantAccount) => selectUndelivered.all(merchantAccount).map(readNotification),
    setNotification: (sequence, attempts, nextAttemptAt) =>
      void updateNotification.run(attempts, nextAttemptAt, sequence),
    sendAgain: (merchantAccount, pspReference, now) =>
      Number(updateSendAgain.run(now, merchantAccount, pspReference).changes),
    hasDue: (now) => selectAnyDue.get(now, now) !== undefined,
    nextDueAt: (now) => readIfFound(selectNextDue.get(now), (row) => nullableInteger(row, 'due_at')) ?? undefined,
    close: () => database.close(),
  }
}
