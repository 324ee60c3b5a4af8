/** People: who signs in to the console. One person for one mail address. */
import { createHash } from 'node:crypto'
import type { Instant } from '#contract/jst.ts'
import { isConsoleLocale, type ConsoleLocale } from '#contract/console/locale.ts'
import { integer, oneOf, prefixedColumns, text } from '../engine/columns.ts'
import type { Row, Sql } from '../engine/database.ts'

export interface Person {
  readonly id: string
  /** In lower case. */
  readonly email: string
  readonly name: string
  readonly locale: ConsoleLocale
  /** Of the whole installation. */
  readonly isOperator: boolean
}

/** Of sessions, links and challenges only the hash is stored: nobody signs in with a copy of the database. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** With a prefix, because they are joined to the columns of a session. */
export const PERSON_COLUMNS = prefixedColumns('id, email, name, locale, is_operator', 'people', 'person_')

export const personFromRow = (row: Row): Person => ({
  id: text(row, 'person_id'),
  email: text(row, 'person_email'),
  name: text(row, 'person_name'),
  locale: oneOf(row, 'person_locale', isConsoleLocale),
  isOperator: integer(row, 'person_is_operator') === 1,
})

export const findPerson = async (sql: Sql, id: string): Promise<Person | null> => {
  const [row] = await sql.rows(`SELECT ${PERSON_COLUMNS} FROM people WHERE id = $1`, id)
  return row === undefined ? null : personFromRow(row)
}

/** `email` in lower case. */
export const findPersonByEmail = async (sql: Sql, email: string): Promise<Person | null> => {
  const [row] = await sql.rows(`SELECT ${PERSON_COLUMNS} FROM people WHERE email = $1`, email)
  return row === undefined ? null : personFromRow(row)
}

export const hasPeople = async (sql: Sql): Promise<boolean> =>
  (await sql.rows('SELECT id FROM people LIMIT 1')).length > 0

/** All people, by address. */
export const listPeople = async (sql: Sql): Promise<Person[]> => {
  const rows = await sql.rows(`SELECT ${PERSON_COLUMNS} FROM people`)
  // Not sorted by the database: PostgreSQL sorts text by its locale.
  return rows.map(personFromRow).toSorted((one, other) => (one.email < other.email ? -1 : 1))
}

export const insertPerson = async (sql: Sql, person: Person, now: Instant): Promise<void> => {
  await sql.rows(
    'INSERT INTO people (id, email, name, locale, is_operator, has_recovered, created_at) VALUES ($1, $2, $3, $4, $5, 0, $6)',
    person.id,
    person.email,
    person.name,
    person.locale,
    person.isOperator ? 1 : 0,
    now,
  )
}

export const savePerson = async (sql: Sql, { id, name, locale, isOperator }: Person): Promise<void> => {
  await sql.rows(
    'UPDATE people SET name = $2, locale = $3, is_operator = $4 WHERE id = $1',
    id,
    name,
    locale,
    isOperator ? 1 : 0,
  )
}

/** Whether the person has recovered since an invitation was last accepted with one passkey alone. */
export const hasRecovered = async (sql: Sql, id: string): Promise<boolean> =>
  (await sql.rows('SELECT id FROM people WHERE id = $1 AND has_recovered = 1', id)).length > 0

export const saveRecovered = async (sql: Sql, id: string, isRecovered: boolean): Promise<void> => {
  await sql.rows('UPDATE people SET has_recovered = $2 WHERE id = $1', id, isRecovered ? 1 : 0)
}

/** With passkeys, sessions and memberships. What the person has changed stays in the audit list. */
export const deletePerson = async (sql: Sql, id: string): Promise<void> => {
  for (const table of ['person_sessions', 'passkeys', 'memberships'])
    await sql.rows(`DELETE FROM ${table} WHERE person_id = $1`, id)
  await sql.rows('DELETE FROM people WHERE id = $1', id)
}

export const listOperators = async (sql: Sql): Promise<Person[]> => {
  const rows = await sql.rows(`SELECT ${PERSON_COLUMNS} FROM people WHERE is_operator = 1`)
  return rows.map(personFromRow)
}
