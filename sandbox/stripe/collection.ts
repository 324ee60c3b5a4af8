/** Collection: the records of one kind in the database, found by id, by what they belong to, or newest first. */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import type { Static, TSchema } from 'typebox'
import { Check } from 'typebox/schema'

export const OBJECTS_SCHEMA = `
  create table if not exists objects (
    sequence integer primary key autoincrement,
    id text not null unique,
    kind text not null,
    account text not null,
    created integer not null,
    parent text,
    label text,
    due_at integer,
    data text not null
  ) strict;
  create index if not exists objects_of_account on objects (account, kind, sequence);
  create index if not exists objects_of_parent on objects (parent, kind);
  create index if not exists objects_of_label on objects (label, kind);
  create index if not exists objects_due on objects (due_at) where due_at is not null;
`

interface Identity {
  readonly id: string
  readonly account: string
  readonly created: number
}

/** By what a record is found besides its id. */
export interface Found {
  readonly parent: string | null
  readonly label: string | null
  readonly dueAt: number | null
}

export interface Page {
  readonly parent: string | null
  readonly label: string | null
  /** Seconds, both inclusive. */
  readonly createdFrom: number
  readonly createdTo: number
  /** Id of the record after which the page begins. */
  readonly startingAfter: string | null
  readonly limit: number
}

export interface Collection<Kept> {
  insert(record: Kept): void
  update(record: Kept): void
  find(id: string): Kept | undefined
  /** Undefined for the record of another account, or of another mode. */
  findOf(account: string, id: string): Kept | undefined
  ofParent(parent: string): Kept[]
  ofLabel(label: string): Kept[]
  all(account: string): Kept[]
  due(now: number): Kept[]
  /** Newest first. */
  page(account: string, page: Page): Kept[]
}

export const openCollection = <Schema extends TSchema>(
  database: DatabaseSync,
  kind: string,
  schema: Schema,
  identityOf: (record: Static<Schema>) => Identity,
  foundBy: (record: Static<Schema>) => Found,
): Collection<Static<Schema>> => {
  type Kept = Static<Schema>
  const insert = database.prepare(
    'insert into objects (id, kind, account, created, parent, label, due_at, data) values (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const update = database.prepare('update objects set due_at = ?, data = ? where id = ? and kind = ?')
  const selectOne = database.prepare('select data from objects where id = ? and kind = ?')
  const selectOfParent = database.prepare(
    'select data from objects where parent = ? and kind = ? order by sequence desc',
  )
  const selectOfLabel = database.prepare('select data from objects where label = ? and kind = ? order by sequence desc')
  const selectAll = database.prepare('select data from objects where account = ? and kind = ? order by sequence desc')
  const selectDue = database.prepare(
    'select data from objects where due_at <= ? and kind = ? order by due_at, sequence',
  )
  const selectPage = database.prepare(`select data from objects where account = $account and kind = $kind
    and ($parent is null or parent = $parent) and ($label is null or label = $label)
    and created >= $from and created <= $to
    and ($after is null or sequence < (select sequence from objects where id = $after))
    order by sequence desc limit $limit`)

  const read = (row: Record<string, SQLOutputValue>): Kept => {
    const value: unknown = JSON.parse(String(row['data']))
    if (!Check(schema, value)) throw new Error(`a stored ${kind} is not as it was written`)
    return value
  }
  const find = (id: string): Kept | undefined => {
    const row = selectOne.get(id, kind)
    return row === undefined ? undefined : read(row)
  }

  return {
    find,
    insert: (record) => {
      const { id, account, created } = identityOf(record)
      const { parent, label, dueAt } = foundBy(record)
      insert.run(id, kind, account, created, parent, label, dueAt, JSON.stringify(record))
    },
    update: (record) => {
      update.run(foundBy(record).dueAt, JSON.stringify(record), identityOf(record).id, kind)
    },
    findOf: (account, id) => {
      const record = find(id)
      return record !== undefined && identityOf(record).account === account ? record : undefined
    },
    ofParent: (parent) => selectOfParent.all(parent, kind).map(read),
    ofLabel: (label) => selectOfLabel.all(label, kind).map(read),
    all: (account) => selectAll.all(account, kind).map(read),
    due: (now) => selectDue.all(now, kind).map(read),
    page: (account, page) =>
      selectPage
        .all({
          account,
          kind,
          parent: page.parent,
          label: page.label,
          from: page.createdFrom,
          to: page.createdTo,
          after: page.startingAfter,
          limit: page.limit,
        })
        .map(read),
  }
}
