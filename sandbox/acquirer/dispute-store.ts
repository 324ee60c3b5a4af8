/** Dispute store: disputes of charged orders, and the money that each has moved. */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { newId } from './ids.ts'
import { enumColumn, integerColumn, textColumn } from './order-rows.ts'

export const DISPUTES_SCHEMA = `
  create table if not exists disputes (
    sequence integer primary key autoincrement,
    dispute_id text not null unique,
    order_id text not null unique references orders (order_id),
    status text not null check (status in ('inquiry', 'open', 'won', 'lost')),
    amount_yen integer not null,
    opened_at integer not null
  ) strict;
  create index if not exists disputes_opened on disputes (opened_at);
  create table if not exists dispute_movements (
    position integer primary key autoincrement,
    movement_id text not null unique,
    order_id text not null references disputes (order_id),
    kind text not null check (kind in ('chargeback', 'chargeback_reversal')),
    amount_yen integer not null,
    moved_at integer not null
  ) strict;
  create index if not exists dispute_movements_of_order on dispute_movements (order_id);
`

export const DISPUTE_STATUSES = ['inquiry', 'open', 'won', 'lost'] as const
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number]

const MOVEMENT_KINDS = ['chargeback', 'chargeback_reversal'] as const

export interface DisputeMovement {
  readonly movementId: string
  readonly kind: (typeof MOVEMENT_KINDS)[number]
  readonly amountYen: number
  readonly movedAt: number
}

export interface Dispute {
  readonly sequence: number
  readonly disputeId: string
  readonly orderId: string
  readonly status: DisputeStatus
  readonly amountYen: number
  readonly openedAt: number
  readonly movements: readonly DisputeMovement[]
}

/** Which status may follow; `none`: there is no dispute yet. An inquiry takes no money, so it cannot be lost. */
const NEXT: Readonly<Record<DisputeStatus | 'none', readonly DisputeStatus[]>> = {
  none: ['inquiry', 'open'],
  inquiry: ['open', 'won'],
  open: ['won', 'lost'],
  won: [],
  lost: [],
}

export type DisputeOutcome =
  | { readonly kind: 'disputed'; readonly dispute: Dispute }
  /** The status that it has does not lead to the one that is wanted. */
  | { readonly kind: 'refused'; readonly status: DisputeStatus | 'none' }
  /** All was given back: there is nothing to dispute. */
  | { readonly kind: 'refunded' }

interface DisputePage {
  readonly after: number
  readonly limit: number
  readonly from: number
  readonly to: number
}

export interface DisputeStore {
  /** Opens a dispute of a charged order, or moves the one that it has on. */
  change(order: { orderId: string; amountYen: number }, status: DisputeStatus, now: number): DisputeOutcome
  movementsOf(orderId: string): DisputeMovement[]
  /** Opened in a time, in the order of their sequence numbers. */
  list(page: DisputePage): Dispute[]
}

type Row = Record<string, SQLOutputValue>

const readMovement = (row: Row): DisputeMovement => ({
  movementId: textColumn(row, 'movement_id'),
  kind: enumColumn(row, 'kind', MOVEMENT_KINDS),
  amountYen: integerColumn(row, 'amount_yen'),
  movedAt: integerColumn(row, 'moved_at'),
})

export const openDisputeStore = (
  database: DatabaseSync,
  inTransaction: <Result>(work: () => Result) => Result,
): DisputeStore => {
  const selectOne = database.prepare('select * from disputes where order_id = ?')
  const selectMovements = database.prepare('select * from dispute_movements where order_id = ? order by position')
  const selectPage = database.prepare(`select * from disputes where sequence > :after and opened_at >= :from
    and opened_at < :to order by sequence limit :limit`)
  const insert = database.prepare(`insert into disputes (dispute_id, order_id, status, amount_yen, opened_at)
    values (?, ?, ?, ?, ?)`)
  const update = database.prepare('update disputes set status = ? where order_id = ?')
  const insertMovement = database.prepare(`insert into dispute_movements (movement_id, order_id, kind, amount_yen,
    moved_at) values (?, ?, ?, ?, ?)`)

  const movementsOf = (orderId: string): DisputeMovement[] => selectMovements.all(orderId).map(readMovement)
  const read = (row: Row): Dispute => {
    const orderId = textColumn(row, 'order_id')
    return {
      sequence: integerColumn(row, 'sequence'),
      disputeId: textColumn(row, 'dispute_id'),
      orderId,
      status: enumColumn(row, 'status', DISPUTE_STATUSES),
      amountYen: integerColumn(row, 'amount_yen'),
      openedAt: integerColumn(row, 'opened_at'),
      movements: movementsOf(orderId),
    }
  }
  const find = (orderId: string): Dispute | undefined => {
    const row = selectOne.get(orderId)
    return row === undefined ? undefined : read(row)
  }
  const mustFind = (orderId: string): Dispute => {
    const dispute = find(orderId)
    if (dispute === undefined) throw new Error('a dispute that was just written is missing')
    return dispute
  }
  const move = ({ orderId, amountYen }: Dispute, kind: DisputeMovement['kind'], now: number): void => {
    insertMovement.run(newId('mov'), orderId, kind, amountYen, now)
  }

  return {
    movementsOf,
    change: ({ orderId, amountYen }, status, now) =>
      inTransaction(() => {
        const before = find(orderId)
        const { status: was = 'none' as const, movements: moved = [] } = before ?? {}
        if (!NEXT[was].includes(status)) return { kind: 'refused', status: was }
        if (before === undefined && amountYen === 0) return { kind: 'refunded' }
        if (before === undefined) insert.run(newId('dsp'), orderId, status, amountYen, now)
        else update.run(status, orderId)
        const dispute = mustFind(orderId)
        if (status === 'open') move(dispute, 'chargeback', now)
        if (status === 'won' && moved.length > 0) move(dispute, 'chargeback_reversal', now)
        return { kind: 'disputed', dispute: mustFind(orderId) }
      }),
    list: ({ after, limit, from, to }) => selectPage.all({ after, limit, from, to }).map(read),
  }
}
