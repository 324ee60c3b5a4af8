/** CSV (RFC 4180) read piece by piece: rows of fields, with a limit on the length of a row. */

/** The text is no CSV that can be read. */
export class UnreadableCsv extends Error {
  override readonly name = 'UnreadableCsv'
}

const ROW_MAX = 64 * 1024

/** The fields of one row. A quote stands only around a whole field, and twice inside of one. */
const fieldsOf = (row: string): string[] => {
  if (!row.includes('"')) return row.split(',')
  const fields: string[] = []
  let at = 0
  for (;;) {
    const isQuoted = row[at] === '"'
    const end = isQuoted ? closingQuote(row, at + 1) + 1 : nextComma(row, at)
    const field = isQuoted ? row.slice(at + 1, end - 1).replaceAll('""', '"') : row.slice(at, end)
    if (!isQuoted && field.includes('"')) throw new UnreadableCsv('a quote inside of a field')
    fields.push(field)
    if (end === row.length) return fields
    if (row[end] !== ',') throw new UnreadableCsv('text after a quoted field')
    at = end + 1
  }
}

const nextComma = (row: string, from: number): number => {
  const found = row.indexOf(',', from)
  return found === -1 ? row.length : found
}

const closingQuote = (row: string, from: number): number => {
  let at = row.indexOf('"', from)
  while (at !== -1 && row[at + 1] === '"') at = row.indexOf('"', at + 2)
  if (at === -1) throw new UnreadableCsv('a quote that does not end')
  return at
}

const quotesIn = (text: string): number => text.split('"').length - 1

/** The rows of a text that comes in pieces. No more than one row is kept. */
export async function* rowsOf(pieces: AsyncIterable<Uint8Array<ArrayBuffer>>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let kept = ''
  /** Takes the rows that are whole out of what is kept. A line break between quotes ends no row. */
  function* wholeRows(): Generator<string[]> {
    let begin = 0
    let from = 0
    let isQuoted = false
    for (let end = kept.indexOf('\n'); end !== -1; end = kept.indexOf('\n', from)) {
      isQuoted = isQuoted !== (quotesIn(kept.slice(from, end)) % 2 === 1)
      from = end + 1
      if (isQuoted) continue
      const row = kept.slice(begin, end)
      begin = from
      yield fieldsOf(row.endsWith('\r') ? row.slice(0, -1) : row)
    }
    kept = kept.slice(begin)
    if (kept.length > ROW_MAX) throw new UnreadableCsv('a row that is too long')
  }
  for await (const piece of pieces) {
    kept += decode(decoder, piece)
    yield* wholeRows()
  }
  kept += decode(decoder)
  if (kept !== '') {
    kept += '\n'
    yield* wholeRows()
    if (kept !== '') throw new UnreadableCsv('a quote that does not end')
  }
}

const decode = (decoder: TextDecoder, piece?: Uint8Array<ArrayBuffer>): string => {
  try {
    return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true })
  } catch {
    throw new UnreadableCsv('no UTF-8')
  }
}
