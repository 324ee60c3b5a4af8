/** Unreadable settings: rows of shops, of their accounts and of their endpoints that this release cannot read. */
import { prefixedColumns, readEach, text, type UnreadableRow } from '../engine/columns.ts'
import type { Row, Sql, SqlValue } from '../engine/database.ts'
import { accountFromRow, ACCOUNT_SELECT } from './acquirer-accounts.ts'
import { MERCHANT_COLUMNS, merchantFromRow } from './merchants.ts'
import { idOfKey, type NewSetAside, type Queue, type SetAsideRef } from './set-aside.ts'
import { ENDPOINT_COLUMNS, endpointFromRow } from './webhook-endpoints.ts'

interface Settings {
  /** With the columns that its reader wants and `owner`, the id of its merchant. */
  readonly select: string
  readonly owner: string
  /** By which it is set aside, beside its merchant. */
  keyOf(row: Row): readonly SqlValue[]
  read(row: Row): unknown
}

/** A shop has one row of settings. */
const THE_SETTINGS = ['settings']

/** An endpoint that is disabled or removed is told of nothing, and misses nothing. */
const SETTINGS = {
  shops: {
    select: `SELECT merchants.id AS owner, ${MERCHANT_COLUMNS} FROM merchants WHERE TRUE`,
    owner: 'merchants.id',
    keyOf: () => THE_SETTINGS,
    read: merchantFromRow,
  },
  accounts: {
    select: ACCOUNT_SELECT.replace('SELECT ', 'SELECT merchants.id AS owner, ').concat(' WHERE TRUE'),
    owner: 'acquirer_accounts.merchant_id',
    keyOf: (row) => [text(row, 'mode')],
    read: accountFromRow,
  },
  endpoints: {
    select: `SELECT merchant_id AS owner, ${prefixedColumns(ENDPOINT_COLUMNS, 'webhook_endpoints', '')}
      FROM webhook_endpoints WHERE removed_at IS NULL AND disabled_at IS NULL`,
    owner: 'merchant_id',
    keyOf: (row) => [text(row, 'id')],
    read: endpointFromRow,
  },
} as const satisfies Partial<Readonly<Record<Queue, Settings>>>

type SettingsQueue = keyof typeof SETTINGS
export const SETTINGS_QUEUES = ['shops', 'accounts', 'endpoints'] as const satisfies readonly SettingsQueue[]

const isSettingsQueue = (queue: Queue): queue is SettingsQueue => Object.hasOwn(SETTINGS, queue)

/** As `name` of what cannot be read. */
const setAsideOf = (queue: SettingsQueue, row: Row, error: UnreadableRow): NewSetAside => {
  const id = idOfKey(SETTINGS[queue].keyOf(row))
  return { merchantId: text(row, 'owner'), queue, id, why: error.message, said: null }
}

const unreadableAmong = (queue: SettingsQueue, rows: readonly Row[]): NewSetAside[] => {
  const found: NewSetAside[] = []
  readEach<unknown>(rows, SETTINGS[queue].read, (row, error) => void found.push(setAsideOf(queue, row, error)))
  return found
}

const MERCHANTS_AT_ONCE = 100

/** Of the next merchants behind this id: what cannot be read, and the last of these merchants; null: there are no more. */
export const nextUnreadableSettings = async (
  sql: Sql,
  after: string,
): Promise<{ readonly unreadable: readonly NewSetAside[]; readonly next: string | null }> => {
  const merchants = await sql.rows(
    `SELECT id FROM merchants WHERE id > $1 ORDER BY id LIMIT ${MERCHANTS_AT_ONCE}`,
    after,
  )
  const last = merchants.at(-1)
  if (last === undefined) return { unreadable: [], next: null }
  const unreadable: NewSetAside[] = []
  for (const queue of SETTINGS_QUEUES) {
    const { select, owner } = SETTINGS[queue]
    const rows = await sql.rows(`${select} AND ${owner} > $1 AND ${owner} <= $2`, after, text(last, 'id'))
    unreadable.push(...unreadableAmong(queue, rows))
  }
  return { unreadable, next: merchants.length < MERCHANTS_AT_ONCE ? null : text(last, 'id') }
}

/** Also where it is no setting, or is there no more. */
export const isSettingReadable = async (sql: Sql, { merchantId, queue, id }: SetAsideRef): Promise<boolean> => {
  if (!isSettingsQueue(queue)) return true
  const { select, owner } = SETTINGS[queue]
  const unreadable = unreadableAmong(queue, await sql.rows(`${select} AND ${owner} = $1`, merchantId))
  return unreadable.every((each) => each.id !== id)
}
