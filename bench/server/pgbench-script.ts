/**
 * pgbench script: the statements that the store sent for one operation, for pgbench to send the same. Of two recordings of
 * an operation, what is equal is a constant, and a text that differs is an id: pgbench makes one of its own for each run.
 *
 * It differs from what the store sends in this: ids that pgbench makes are numbers of 19 digits, shorter than ours; a null is
 * written into the statement, because pgbench has no variable for it; times and JSON are those of the first recording. All of
 * this makes pgbench faster, if anything.
 */
import { namesLockText } from '../../server/store/engine/postgres.ts'
import type { StoreEvent } from './recording-database.ts'

export interface PgbenchScript {
  readonly text: string
  /** Given to pgbench as `-D name=value`. */
  readonly constants: Readonly<Record<string, string>>
}

type Value = string | number | null

interface Sent {
  readonly text: string
  readonly values: readonly Value[]
}

const asSent = (event: StoreEvent): Sent => {
  switch (event.kind) {
    case 'begin':
      return { text: 'BEGIN ISOLATION LEVEL READ COMMITTED', values: [] }
    case 'commit':
      return { text: 'COMMIT', values: [] }
    case 'lock names':
      return { text: namesLockText(event.names), values: event.names }
    case 'statement':
      return event
  }
}

/** JSON is stored and never looked for: any will do. */
const isJson = (text: string): boolean => /^[[{]/.test(text)

const LOWEST_ID = '2000000000000000000'
const HIGHEST_ID = '8999999999999999999'

export const pgbenchScript = (
  first: readonly StoreEvent[],
  second: readonly StoreEvent[],
  /** The id of the first recording's checkout where it was there before, and the line that sets the variable `checkout`. */
  prepared: { readonly id: string; readonly line: readonly string[] } | null,
): PgbenchScript => {
  const variables = new Map<string, string>(prepared === null ? [] : [[prepared.id, 'checkout']])
  const constants = new Map<string, string>()
  const named = (names: Map<string, string>, value: string, prefix: string): string => {
    const name = names.get(value) ?? `${prefix}${names.size}`
    names.set(value, name)
    return `:${name}`
  }
  const marked = (value: Value, other: Value | undefined): string => {
    if (value === null) return 'NULL'
    const isId = typeof value === 'string' && value !== other && !isJson(value)
    return isId ? named(variables, value, 'id') : named(constants, String(value), 'constant')
  }
  if (first.length !== second.length) throw new Error('an operation sent other statements the second time')
  const statements = first.map((event, place) => {
    const sent = asSent(event)
    const again = asSent(second[place] ?? event)
    if (sent.text !== again.text) throw new Error(`an operation sent another statement the second time: ${again.text}`)
    return sent.text.replace(/\$(\d+)/g, (_mark, number: string) =>
      marked(sent.values[Number(number) - 1] ?? null, again.values[Number(number) - 1]),
    )
  })
  const made = [...variables.values()].filter((name) => name !== 'checkout')
  const lines = [
    ...(prepared?.line ?? []),
    ...made.map((name) => `\\set ${name} random(${LOWEST_ID}, ${HIGHEST_ID})`),
    ...statements.map((text) => `${text};`),
  ]
  return {
    text: `${lines.join('\n')}\n`,
    constants: Object.fromEntries([...constants].map(([value, name]) => [name, value])),
  }
}

/** Transactions a second, connecting not counted, by what pgbench prints. NaN unless all ended well. */
export const rateIn = (output: string): number => {
  const rate = Number(/^tps = ([\d.]+) \(without initial connection time\)$/m.exec(output)?.[1] ?? Number.NaN)
  return /^number of failed transactions: 0 /m.test(output) ? rate : Number.NaN
}
