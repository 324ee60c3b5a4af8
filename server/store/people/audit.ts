/** Audit lists: what people have changed. Only `erase` changes a line: it removes an address. */
import { isMerchantMode, type MerchantMode } from '#contract/access.ts'
import { isAuditAction, type AuditAction } from '#contract/console/audit.ts'
import type { Instant } from '#contract/jst.ts'
import { integer, oneOf, text } from '../engine/columns.ts'
import type { Row, Sql, Write } from '../engine/database.ts'
import { conditions, pageOf, type ListPage, type PageRequest } from '../engine/list-page.ts'
import { insertRecords } from '../engine/write.ts'
import type { Person } from './people.ts'

export interface AuditLine {
  /** 160 bits: random, or derived from a change that is written once however often it is sent. */
  readonly id: string
  /** Null: of the installation, or of a person alone. */
  readonly merchantId: string | null
  readonly mode: MerchantMode | null
  readonly at: Instant
  readonly person: Pick<Person, 'id' | 'name'>
  readonly action: AuditAction
  /** What was changed: the id of a checkout, of a key, the address of a person. Never a secret. */
  readonly subject: string
  /** In words that a person reads; never a secret, and nothing of a card. */
  readonly details: string
}

/** No merchant has this id. */
const INSTALLATION = ''

/** The first line of a change stays. */
const auditWrite = ({ id, merchantId, mode, at, person, action, subject, details }: AuditLine): Write[] =>
  insertRecords(
    'audit_lines',
    [
      {
        id,
        merchant_id: merchantId ?? INSTALLATION,
        mode,
        at,
        person_id: person.id,
        person: person.name,
        action,
        subject,
        details,
      },
    ],
    'ON CONFLICT (merchant_id, id) DO NOTHING',
  )

export const insertAuditLine = async (sql: Sql, line: AuditLine): Promise<void> => sql.writeAll(auditWrite(line))

const fromRow = (row: Row): AuditLine => ({
  id: text(row, 'id'),
  merchantId: text(row, 'merchant_id') || null,
  mode: row['mode'] === null ? null : oneOf(row, 'mode', isMerchantMode),
  at: integer(row, 'at'),
  person: { id: text(row, 'person_id'), name: text(row, 'person') },
  action: oneOf(row, 'action', isAuditAction),
  subject: text(row, 'subject'),
  details: text(row, 'details'),
})

/** The lines of a shop, or of the installation, the newest first. */
export const listAuditLines = async (
  sql: Sql,
  merchantId: AuditLine['merchantId'],
  { after, limit }: PageRequest,
): Promise<ListPage<AuditLine>> => {
  const { values, add } = conditions(merchantId ?? INSTALLATION)
  const place = after === null ? '' : `AND (at, id) < (${after.map(add).join(', ')})`
  const rows = await sql.rows(
    `SELECT id, merchant_id, mode, at, person_id, person, action, subject, details FROM audit_lines
     WHERE merchant_id = $1 ${place} ORDER BY at DESC, id DESC LIMIT ${add(limit + 1)}`,
    ...values,
  )
  return pageOf(rows, limit, { read: fromRow, placeOf: ({ at, id }) => [at, id] })
}
