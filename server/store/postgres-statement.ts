/** Statement of PostgreSQL: planned once a connection by its name. */
import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { Row, SqlValue } from './database.ts'

/**
 * More than the program has of its own. Lists have a statement for each combination of filters: were all of them named, one
 * caller could have every connection keep thousands of plans.
 */
const NAMED_MAX = 500

/** Named statements are parsed and planned once a connection; undefined: this one is parsed each time. */
const statementNames = new Map<string, string>()
const statementName = (statement: string): string | undefined => {
  const known = statementNames.get(statement)
  if (known !== undefined || statementNames.size >= NAMED_MAX) return known
  const name = createHash('sha256').update(statement).digest('hex').slice(0, 32)
  statementNames.set(statement, name)
  return name
}

/** Sends one statement, and answers its rows. A list as a value is an array of PostgreSQL. */
export const sendStatement = async (
  client: pg.ClientBase,
  statement: string,
  values: readonly SqlValue[] | readonly (readonly string[])[],
): Promise<Row[]> => {
  const name = statementName(statement)
  const query = { ...(name === undefined ? {} : { name }), text: statement, values: [...values] }
  return (await client.query<Row>(query)).rows
}
