/** Coalesced reads: one statement reads the checkouts that are asked for in the same turn of the event loop. */
import type { Row } from '../engine/database.ts'
import { text } from '../engine/columns.ts'

/** Keys of one statement: their rows are read within a millisecond or two. More keys become further statements. */
export const COALESCED_MAX = 50

/** The row of one checkout; an empty list where there is none. */
export type ReadOne = (merchantId: string, id: string) => Promise<Row[]>
/** The rows of many checkouts, in any order. */
export type ReadMany = (merchantIds: readonly string[], ids: readonly string[]) => Promise<Row[]>

interface Asked {
  readonly merchantId: string
  readonly id: string
  readonly resolve: (rows: Row[]) => void
  readonly reject: (error: unknown) => void
}

const keyOf = (merchantId: string, id: string): string => `${merchantId} ${id}`

/**
 * A round trip to the database costs more than the row, so calls of one turn share it. The statement is sent after all of
 * these calls, so each sees what was committed before it. An error is thrown to all of them.
 */
export const coalesceReads = (readOne: ReadOne, readMany: ReadMany): ReadOne => {
  let waiting: Asked[] = []
  const readAll = async (batch: readonly Asked[]): Promise<(each: Asked) => Row[]> => {
    const [first] = batch
    if (first !== undefined && batch.length === 1) {
      const rows = await readOne(first.merchantId, first.id)
      return () => rows
    }
    const rows = await readMany(
      batch.map(({ merchantId }) => merchantId),
      batch.map(({ id }) => id),
    )
    const byKey = new Map(rows.map((row) => [keyOf(text(row, 'merchant_id'), text(row, 'id')), [row]]))
    return ({ merchantId, id }) => byKey.get(keyOf(merchantId, id)) ?? []
  }
  const send = async (batch: readonly Asked[]): Promise<void> => {
    try {
      const rowsOf = await readAll(batch)
      for (const each of batch) each.resolve(rowsOf(each))
    } catch (error) {
      for (const each of batch) each.reject(error)
    }
  }
  const sendWaiting = (): void => {
    const asked = waiting
    waiting = []
    for (let from = 0; from < asked.length; from += COALESCED_MAX) void send(asked.slice(from, from + COALESCED_MAX))
  }
  return (merchantId, id) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(sendWaiting)
      waiting.push({ merchantId, id, resolve, reject })
    })
}
