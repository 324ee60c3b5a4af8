import { randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import {
  type Order,
  type Outcome,
  readOrder,
  readRefund,
  readRefundRefusal,
  readTerms,
  type Refund,
  type RefundRefusal,
  schema,
  type Terms,
  whole,
} from './order-rows.ts'

export type RefundOutcome =
  | { kind: 'refunded'; refund: Refund }
  | { kind: 'order_not_found' }
  | { kind: 'refund_mismatch' }
  | { kind: RefundRefusal }

export type Orders = {
  find: (orderId: string) => Order | undefined
  /** The order as it stands afterwards: an id that is already known keeps what it has. */
  place: (terms: Terms, outcome: Outcome) => Order
  enqueue: (terms: Terms, dueAt: number) => void
  fence: (orderId: string) => Order
  refund: (orderId: string, refundId: string, amountYen: number, now: number) => RefundOutcome
  findRefund: (orderId: string, refundId: string) => Refund | undefined
  refundsOf: (orderId: string) => Refund[]
  list: (after: number, limit: number) => Order[]
  /** Books every charge whose time has come, and says whether there was one. */
  settle: (now: number) => boolean
  nextDueAt: () => number | undefined
  close: () => void
}

// For a predecessor on its way out; the event loop stands still meanwhile.
const lockWaitMs = 250

export const openOrders = (file: string): Orders => {
  const database = new DatabaseSync(file, { timeout: lockWaitMs })
  // Exclusive: a second acquirer on the same file could book one order id twice between its look and its write.
  database.exec('pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = full')
  database.exec(schema)

  const orderColumns = `o.*, coalesce((select sum(r.amount_yen) from refunds r where r.order_id = o.order_id), 0)
    as refunded_yen from orders o`
  const selectOrder = database.prepare(`select ${orderColumns} where o.order_id = ?`)
  const selectPage = database.prepare(`select ${orderColumns} where o.sequence > ? order by o.sequence limit ?`)
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

  const find: Orders['find'] = (orderId) => {
    const row = selectOrder.get(orderId)
    return row && readOrder(row)
  }

  const stored = (orderId: string): Order => {
    const order = find(orderId)
    if (!order) throw new Error('an order that was just written is missing')
    return order
  }

  const findRefund: Orders['findRefund'] = (orderId, refundId) => {
    const row = selectRefund.get(orderId, refundId)
    return row && readRefund(row)
  }

  const refusalOf = (order: Order, refundId: string, amountYen: number): RefundRefusal | undefined => {
    const earlier = selectRefusal.get(order.orderId, refundId)
    if (earlier) return readRefundRefusal(earlier)
    const refusal =
      order.status !== 'charged'
        ? 'order_not_charged'
        : order.refundedYen + amountYen > order.terms.amountYen
          ? 'refund_exceeds_charge'
          : undefined
    // Whoever was told no has promised the money to another refund: the same request, late or doubled, must not move it.
    if (refusal) insertRefusal.run(order.orderId, refundId, refusal)
    return refusal
  }

  const insert = ({ orderId, amountYen, card }: Terms, outcome: Outcome): void => {
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

  const nextDueAt: Orders['nextDueAt'] = () => {
    const row = selectNextDue.get()
    return !row || row['due_at'] === null ? undefined : whole(row, 'due_at')
  }

  const bookDue = (now: number): void => {
    for (const row of selectDueOrders.all(now)) bookOrder.run(newTransactionId(), now, row['order_id'] ?? null)
    for (const row of selectDueQueued.all(now)) {
      deleteQueued.run(whole(row, 'position'))
      // An id that was fenced or charged meanwhile is left as it is: that is the refusal of the late request.
      insert(readTerms(row), { status: 'charged', transactionId: newTransactionId(), approvedAt: now })
    }
  }

  return {
    find,
    findRefund,
    nextDueAt,
    place: (terms, outcome) => {
      insert(terms, outcome)
      return stored(terms.orderId)
    },
    enqueue: ({ orderId, amountYen, card }, dueAt) => {
      insertQueued.run(orderId, amountYen, card.brand, card.lastFour, card.fingerprint, dueAt)
    },
    fence: (orderId) => {
      insertVoid.run(orderId)
      return stored(orderId)
    },
    refund: (orderId, refundId, amountYen, now) => {
      const earlier = findRefund(orderId, refundId)
      if (earlier) {
        return earlier.amountYen === amountYen ? { kind: 'refunded', refund: earlier } : { kind: 'refund_mismatch' }
      }
      const order = find(orderId)
      if (!order) return { kind: 'order_not_found' }
      const refusal = refusalOf(order, refundId, amountYen)
      if (refusal) return { kind: refusal }
      insertRefund.run(orderId, refundId, amountYen, now)
      return { kind: 'refunded', refund: { orderId, refundId, amountYen, refundedAt: now } }
    },
    refundsOf: (orderId) => selectRefunds.all(orderId).map(readRefund),
    list: (after, limit) => selectPage.all(after, limit).map(readOrder),
    settle: (now) => {
      const dueAt = nextDueAt()
      if (dueAt === undefined || dueAt > now) return false
      inTransaction(database, () => bookDue(now))
      return true
    },
    close: () => database.close(),
  }
}

// One commit for leaving the queue and entering the book: a kill between the two would lose the charge.
const inTransaction = (database: DatabaseSync, work: () => void): void => {
  database.exec('begin immediate')
  try {
    work()
    database.exec('commit')
  } catch (error) {
    database.exec('rollback')
    throw error
  }
}

const base32 = 'abcdefghijklmnopqrstuvwxyz234567'

export const newTransactionId = (): string =>
  `txn_${Array.from(randomBytes(20), (byte) => base32.charAt(byte % base32.length)).join('')}`
