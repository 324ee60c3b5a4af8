/** Order store: the acquirer's own record of orders, refunds and disputes, one database file for one process. */
import { DatabaseSync } from 'node:sqlite'
import { DISPUTES_SCHEMA, openDisputeStore, type DisputeStore } from './dispute-store.ts'
import { newId } from './ids.ts'
import {
  integerColumn,
  readChargeDetails,
  readOrder,
  readRefund,
  readRefundRefusal,
  SCHEMA,
  type ChargeDetails,
  type ChargeOutcome,
  type Order,
  type Refund,
  type RefundRefusal,
} from './order-rows.ts'

export type RefundOutcome =
  | { readonly kind: 'refunded'; readonly refund: Refund }
  | { readonly kind: 'order_not_found' }
  | { readonly kind: 'refund_mismatch' }
  | { readonly kind: RefundRefusal }

/** Orders after this sequence number whose money moved in a time, or that are not charged. */
interface Page {
  readonly after: number
  readonly limit: number
  readonly from: number
  readonly to: number
}

export interface OrderStore {
  readonly disputes: DisputeStore
  find(orderId: string): Order | undefined
  findCharge(transactionId: string): Order | undefined
  /** Returns the order as it is afterwards: an id that is already known keeps its first charge. */
  insertIfAbsent(details: ChargeDetails, outcome: ChargeOutcome): Order
  enqueue(details: ChargeDetails, dueAt: number): void
  fence(orderId: string): Order
  refund(orderId: string, refundId: string, amountYen: number, now: number): RefundOutcome
  findRefund(orderId: string, refundId: string): Refund | undefined
  refundsOf(orderId: string): Refund[]
  list(page: Page): Order[]
  /** Books every charge that is due, and returns whether there was one. */
  bookDueCharges(now: number): boolean
  nextDueAt(): number | undefined
  close(): void
}

/** For a predecessor that is about to end; short, because the event loop is blocked meanwhile. */
const LOCK_TIMEOUT_MS = 250

export const openOrderStore = (file: string): OrderStore => {
  const database = new DatabaseSync(file, { timeout: LOCK_TIMEOUT_MS })
  // Exclusive: a second acquirer on the same file could book one order id twice between its read and its write.
  database.exec('pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = full')
  database.exec(SCHEMA + DISPUTES_SCHEMA)

  const fromOrders = `o.*, coalesce((select sum(r.amount_yen) from refunds r where r.order_id = o.order_id), 0)
    as refunded_yen from orders o`
  const selectOrder = database.prepare(`select ${fromOrders} where o.order_id = ?`)
  const selectCharge = database.prepare(`select ${fromOrders} where o.transaction_id = ?`)
  const selectPage = database.prepare(`select ${fromOrders} where o.sequence > :after and (o.status <> 'charged'
    or (o.approved_at >= :from and o.approved_at < :to)
    or exists (select 1 from refunds r where r.order_id = o.order_id and r.refunded_at >= :from and r.refunded_at < :to)
    or exists (select 1 from dispute_movements m where m.order_id = o.order_id and m.moved_at >= :from and m.moved_at < :to))
    order by o.sequence limit :limit`)
  const insertOrder = database.prepare(`insert into orders (order_id, status, amount_yen, brand, last_four, fingerprint,
    due_at, transaction_id, approved_at, reason, declined_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    on conflict (order_id) do nothing`)
  const insertVoid = database.prepare(`insert into orders (order_id, status) values (?, 'void')
    on conflict (order_id) do nothing`)
  const selectDueOrders = database.prepare(`select order_id from orders where status = 'pending' and due_at <= ?
    order by due_at, sequence`)
  const bookOrder = database.prepare(`update orders set status = 'charged', due_at = null, transaction_id = ?,
    approved_at = ? where order_id = ? and status = 'pending'`)
  const insertQueued = database.prepare(`insert into queued_charges (order_id, amount_yen, brand, last_four,
    fingerprint, due_at) values (?, ?, ?, ?, ?, ?)`)
  const selectDueQueued = database.prepare(`select * from queued_charges where due_at <= ? order by due_at, position`)
  const deleteQueued = database.prepare('delete from queued_charges where position = ?')
  const selectNextDue = database.prepare(`select min(due_at) as due_at from (
    select due_at from orders where status = 'pending' union all select due_at from queued_charges)`)
  const selectRefund = database.prepare('select * from refunds where order_id = ? and refund_id = ?')
  const selectRefunds = database.prepare('select * from refunds where order_id = ? order by position')
  const insertRefund = database.prepare(`insert into refunds (order_id, refund_id, amount_yen, refunded_at)
    values (?, ?, ?, ?)`)
  const selectRefusal = database.prepare('select reason from refused_refunds where order_id = ? and refund_id = ?')
  const insertRefusal = database.prepare('insert into refused_refunds (order_id, refund_id, reason) values (?, ?, ?)')

  const find: OrderStore['find'] = (orderId) => {
    const row = selectOrder.get(orderId)
    return row === undefined ? undefined : readOrder(row)
  }

  const findCharge: OrderStore['findCharge'] = (transactionId) => {
    const row = selectCharge.get(transactionId)
    return row === undefined ? undefined : readOrder(row)
  }

  const mustFind = (orderId: string): Order => {
    const order = find(orderId)
    if (order === undefined) throw new Error('an order that was just written is missing')
    return order
  }

  const findRefund: OrderStore['findRefund'] = (orderId, refundId) => {
    const row = selectRefund.get(orderId, refundId)
    return row === undefined ? undefined : readRefund(row)
  }

  const findOrRecordRefusal = (order: Order, refundId: string, amountYen: number): RefundRefusal | undefined => {
    const earlier = selectRefusal.get(order.orderId, refundId)
    if (earlier !== undefined) return readRefundRefusal(earlier)
    const refusal =
      order.status !== 'charged'
        ? 'order_not_charged'
        : order.refundedYen + amountYen > order.details.amountYen
          ? 'refund_exceeds_charge'
          : undefined
    // A caller that was refused may refund the money under another id: the same request, late or repeated, must not move it.
    if (refusal !== undefined) insertRefusal.run(order.orderId, refundId, refusal)
    return refusal
  }

  const insertRow = ({ orderId, amountYen, card }: ChargeDetails, outcome: ChargeOutcome): void => {
    insertOrder.run(
      orderId,
      outcome.status,
      amountYen,
      card.brand,
      card.lastFour,
      card.fingerprint,
      outcome.status === 'pending' ? outcome.dueAt : null,
      outcome.status === 'charged' ? outcome.transactionId : null,
      outcome.status === 'charged' ? outcome.approvedAt : null,
      outcome.status === 'declined' ? outcome.reason : null,
      outcome.status === 'declined' ? outcome.declinedAt : null,
    )
  }

  const nextDueAt: OrderStore['nextDueAt'] = () => {
    const row = selectNextDue.get()
    return row === undefined || row['due_at'] === null ? undefined : integerColumn(row, 'due_at')
  }

  const bookAllDue = (now: number): void => {
    for (const row of selectDueOrders.all(now)) bookOrder.run(newId('txn'), now, row['order_id'] ?? null)
    for (const row of selectDueQueued.all(now)) {
      deleteQueued.run(integerColumn(row, 'position'))
      // An id that was fenced or charged meanwhile is left as it is: that is the refusal of the late request.
      insertRow(readChargeDetails(row), { status: 'charged', transactionId: newId('txn'), approvedAt: now })
    }
  }

  return {
    disputes: openDisputeStore(database, (work) => inTransaction(database, work)),
    find,
    findCharge,
    findRefund,
    nextDueAt,
    insertIfAbsent: (details, outcome) => {
      insertRow(details, outcome)
      return mustFind(details.orderId)
    },
    enqueue: ({ orderId, amountYen, card }, dueAt) => {
      insertQueued.run(orderId, amountYen, card.brand, card.lastFour, card.fingerprint, dueAt)
    },
    fence: (orderId) => {
      insertVoid.run(orderId)
      return mustFind(orderId)
    },
    refund: (orderId, refundId, amountYen, now) => {
      const earlier = findRefund(orderId, refundId)
      if (earlier !== undefined) {
        return earlier.amountYen === amountYen ? { kind: 'refunded', refund: earlier } : { kind: 'refund_mismatch' }
      }
      const order = find(orderId)
      if (order === undefined) return { kind: 'order_not_found' }
      const refusal = findOrRecordRefusal(order, refundId, amountYen)
      if (refusal !== undefined) return { kind: refusal }
      insertRefund.run(orderId, refundId, amountYen, now)
      return { kind: 'refunded', refund: { orderId, refundId, amountYen, refundedAt: now } }
    },
    refundsOf: (orderId) => selectRefunds.all(orderId).map(readRefund),
    list: ({ after, limit, from, to }) => selectPage.all({ after, limit, from, to }).map(readOrder),
    bookDueCharges: (now) => {
      const dueAt = nextDueAt()
      if (dueAt === undefined || dueAt > now) return false
      inTransaction(database, () => bookAllDue(now))
      return true
    },
    close: () => database.close(),
  }
}

// One commit for leaving the queue and entering the orders: a kill between the two would lose the charge.
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
