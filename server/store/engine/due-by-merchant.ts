/**
 * Due by merchant: the longest waiting row of each merchant comes first, then the second of each, so that a merchant with
 * thousands of rows does not delay the others. To rank all rows that wait took a fifth of a second among 20,000.
 */

export interface Queue {
  /** Of its part in the statement. */
  readonly name: string
  readonly table: string
  /** All rows of its index, whether due or not. */
  readonly waits: string
  readonly isDue: string
  /** Columns of that index behind the merchant: the time, and what tells apart what is due at the same time. */
  readonly order: readonly [at: string, ...rest: string[]]
}

const next = ({ table, waits, isDue, order }: Queue, column: string, merchantId: string, isBehind = 'TRUE'): string =>
  `(SELECT t.${column} FROM ${table} AS t WHERE t.merchant_id = ${merchantId} AND ${waits} AND ${isDue} AND ${isBehind}
    ORDER BY ${order.map((each) => `t.${each}`).join(', ')} LIMIT 1)`

/** In the order of the whole index: else PostgreSQL, without statistics, takes another one and reads all that does not wait. */
const nextMerchant = ({ table, waits, order }: Queue, last: string): string =>
  `(SELECT t.merchant_id FROM ${table} AS t WHERE ${waits} AND t.merchant_id > ${last}
    ORDER BY ${['merchant_id', ...order].map((each) => `t.${each}`).join(', ')} LIMIT 1)`

/** One look at the index for each merchant with rows that wait, and one for each row that is taken. */
const walkOf = (queue: Queue, most: string): string => {
  const { name, order } = queue
  const [at] = order
  const columns = order.join(', ')
  const behind = `(${order.map((each) => `t.${each}`).join(', ')}) > (${order.map((each) => `${name}.${each}`).join(', ')})`
  const first = order.map((each) => `${next(queue, each, `${name}_shops.merchant_id`)} AS ${each}`)
  return `${name}_shops (merchant_id) AS (
    SELECT ${nextMerchant(queue, "''")}
    UNION ALL
    SELECT ${nextMerchant(queue, `${name}_shops.merchant_id`)}
    FROM ${name}_shops WHERE ${name}_shops.merchant_id IS NOT NULL
  ), ${name} (merchant_id, ${columns}, place) AS (
    SELECT * FROM (SELECT merchant_id, ${columns}, 1 AS place FROM (
        SELECT merchant_id, ${first.join(', ')} FROM ${name}_shops WHERE merchant_id IS NOT NULL) AS found
      WHERE ${at} IS NOT NULL ORDER BY ${at}, merchant_id LIMIT ${most}) AS firsts
    UNION ALL
    SELECT merchant_id, ${order.map((each) => next(queue, each, `${name}.merchant_id`, behind)).join(', ')}, place + 1
    FROM ${name} WHERE ${at} IS NOT NULL AND place < ${most})`
}

/**
 * A statement that answers columns of all queues: the rows of one thing, alike in all these columns, are one. `most`: the
 * parameter with the most rows that it answers. Both engines end a walk once its LIMIT is reached.
 */
export const dueByMerchant = (queues: readonly Queue[], columns: readonly string[], most: string): string => {
  const named = ['merchant_id', ...columns].join(', ')
  const walked = queues.map(
    ({ name, order: [at] }) => `SELECT * FROM (SELECT ${named}, ${at} AS due_since, place FROM ${name}
      WHERE ${at} IS NOT NULL LIMIT ${most}) AS some_${name}`,
  )
  return `WITH RECURSIVE ${queues.map((queue) => walkOf(queue, most)).join(', ')}
    SELECT ${named} FROM (${walked.join(' UNION ALL ')}) AS due GROUP BY ${named}
    ORDER BY MIN(place), MIN(due_since), ${named} LIMIT ${most}`
}
