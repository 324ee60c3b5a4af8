/** Statement of PostgreSQL: planned once a connection by its name. */
import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { Row, SqlValue } from './database.ts'

/**
 * More than the program has of its own. Lists have a statement for each combination of filters: were all of them named, one
 * caller could have every connection keep thousands of plans.
 */
const NAMED_MAX = 500

type Values = readonly SqlValue[] | readonly (readonly string[])[]

/**
 * The queries of one statement. The driver copies, each time, what a query has of its own: text and name, which all of them
 * share, stand on the class instead. Without a name a statement is parsed and planned each time, not once a connection.
 */
const queryClass = (text: string, name: string | undefined) =>
  class {
    readonly values: unknown[]
    constructor(values: Values) {
      this.values = [...values]
    }
    get text(): string {
      return text
    }
    get name(): string | undefined {
      return name
    }
  }

const nameOf = (statement: string): string => createHash('sha256').update(statement).digest('hex').slice(0, 32)

const namedQueries = new Map<string, ReturnType<typeof queryClass>>()
const queryClassOf = (statement: string): ReturnType<typeof queryClass> => {
  const known = namedQueries.get(statement)
  if (known !== undefined) return known
  if (namedQueries.size >= NAMED_MAX) return queryClass(statement, undefined)
  const named = queryClass(statement, nameOf(statement))
  namedQueries.set(statement, named)
  return named
}

/** Sends one statement, and answers its rows. A list as a value is an array of PostgreSQL. */
export const sendStatement = async (client: pg.ClientBase, statement: string, values: Values): Promise<Row[]> => {
  const Query = queryClassOf(statement)
  return (await client.query<Row>(new Query(values))).rows
}
