/** Store of the double: one database file for one process, so that everything it has answered survives a kill. */
import { randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { OBJECTS_SCHEMA, openCollection, type Collection } from './collection.ts'
import { ChargeRecord, DisputeRecord, IntentRecord, PaymentMethodRecord, RefundRecord } from './records.ts'

/** Confirm that arrives late: its connection was dropped, and it is executed when it is due. */
interface QueuedConfirm {
  readonly position: number
  readonly account: string
  readonly intent: string
  readonly parameters: string
  readonly idempotencyKey: string | null
  readonly fingerprint: string
}

export interface StoredAnswer {
  readonly fingerprint: string
  readonly status: number
  readonly body: string
}

export interface Store {
  readonly intents: Collection<IntentRecord>
  readonly paymentMethods: Collection<PaymentMethodRecord>
  readonly charges: Collection<ChargeRecord>
  readonly refunds: Collection<RefundRecord>
  readonly disputes: Collection<DisputeRecord>
  enqueue(confirm: Omit<QueuedConfirm, 'position'>, dueAt: number): void
  queuedUntil(now: number): QueuedConfirm[]
  removeQueued(confirm: QueuedConfirm): void
  findAnswer(account: string, key: string, savedAfter: number): StoredAnswer | undefined
  saveAnswer(account: string, key: string, answer: StoredAnswer, now: number): void
  /** How far the clock of the double is ahead of the machine's, in milliseconds. */
  clockAhead(): number
  advanceClock(ms: number): void
  inTransaction<Result>(work: () => Result): Result
  close(): void
}

const SCHEMA = `
  create table if not exists queued_confirms (
    position integer primary key autoincrement,
    due_at integer not null,
    account text not null,
    intent text not null,
    parameters text not null,
    idempotency_key text,
    fingerprint text not null
  ) strict;
  create table if not exists idempotency_keys (
    account text not null,
    key text not null,
    saved_at integer not null,
    fingerprint text not null,
    status integer not null,
    body text not null,
    primary key (account, key)
  ) strict;
  create table if not exists clock (one integer primary key check (one = 1), ahead_ms integer not null) strict;
  insert into clock values (1, 0) on conflict do nothing;
`

/** For a predecessor that is about to end; short, because the event loop is blocked meanwhile. */
const LOCK_TIMEOUT_MS = 250

export const openStore = (file: string): Store => {
  const database = new DatabaseSync(file, { timeout: LOCK_TIMEOUT_MS })
  // Exclusive: a second process on the same file could charge one intent twice between its read and its write.
  database.exec('pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = full')
  database.exec(OBJECTS_SCHEMA + SCHEMA)

  const insertQueued = database.prepare(`insert into queued_confirms
    (due_at, account, intent, parameters, idempotency_key, fingerprint) values (?, ?, ?, ?, ?, ?)`)
  const selectQueued = database.prepare('select * from queued_confirms where due_at <= ? order by due_at, position')
  const deleteQueued = database.prepare('delete from queued_confirms where position = ?')
  const selectAnswer = database.prepare('select * from idempotency_keys where account = ? and key = ? and saved_at > ?')
  const saveAnswer = database.prepare(`insert or replace into idempotency_keys
    (account, key, saved_at, fingerprint, status, body) values (?, ?, ?, ?, ?, ?)`)
  const selectClock = database.prepare('select ahead_ms from clock')
  const moveClock = database.prepare('update clock set ahead_ms = ahead_ms + ?')

  return {
    intents: openCollection(database, 'payment_intent', IntentRecord, identityOf, ({ metadata, dueAt }) => ({
      parent: null,
      label: metadata['order'] ?? null,
      dueAt,
    })),
    paymentMethods: openCollection(database, 'payment_method', PaymentMethodRecord, identityOf, () => ({
      parent: null,
      label: null,
      dueAt: null,
    })),
    charges: openCollection(database, 'charge', ChargeRecord, identityOf, ({ intent, transferGroup }) => ({
      parent: intent,
      label: transferGroup,
      dueAt: null,
    })),
    refunds: openCollection(database, 'refund', RefundRecord, identityOf, ({ charge, intent, later }) => ({
      parent: charge,
      label: intent,
      dueAt: later?.dueAt ?? null,
    })),
    disputes: openCollection(database, 'dispute', DisputeRecord, identityOf, ({ charge, intent }) => ({
      parent: charge,
      label: intent,
      dueAt: null,
    })),
    enqueue: ({ account, intent, parameters, idempotencyKey, fingerprint }, dueAt) => {
      insertQueued.run(dueAt, account, intent, parameters, idempotencyKey, fingerprint)
    },
    queuedUntil: (now) =>
      selectQueued.all(now).map((row) => ({
        position: Number(row['position']),
        account: String(row['account']),
        intent: String(row['intent']),
        parameters: String(row['parameters']),
        idempotencyKey: row['idempotency_key'] === null ? null : String(row['idempotency_key']),
        fingerprint: String(row['fingerprint']),
      })),
    removeQueued: ({ position }) => {
      deleteQueued.run(position)
    },
    findAnswer: (account, key, savedAfter) => {
      const row = selectAnswer.get(account, key, savedAfter)
      if (row === undefined) return undefined
      return { fingerprint: String(row['fingerprint']), status: Number(row['status']), body: String(row['body']) }
    },
    saveAnswer: (account, key, { fingerprint, status, body }, now) => {
      saveAnswer.run(account, key, now, fingerprint, status, body)
    },
    clockAhead: () => Number(selectClock.get()?.['ahead_ms'] ?? 0),
    advanceClock: (ms) => {
      moveClock.run(ms)
    },
    inTransaction: (work) => inTransaction(database, work),
    close: () => database.close(),
  }
}

const identityOf = <Kept extends { id: string; account: string; created: number }>(record: Kept): Kept => record

// One commit for the change and the answer under its idempotency key: a kill between the two would charge a retry twice.
const inTransaction = <Result>(database: DatabaseSync, work: () => Result): Result => {
  database.exec('begin immediate')
  try {
    const result = work()
    database.exec('commit')
    return result
  } catch (error) {
    database.exec('rollback')
    throw error
  }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export const newId = (prefix: string): string =>
  `${prefix}_${Array.from(randomBytes(24), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('')}`
