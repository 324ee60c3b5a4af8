/** CSV answers: an export as a file, whole or in pieces. */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { BYTE_ORDER_MARK } from '#contract/csv.ts'

type Pieces = AsyncIterable<string> | Iterable<string>

async function* withMark(pieces: Pieces): AsyncGenerator<string, void> {
  yield BYTE_ORDER_MARK
  yield* pieces
}

/** The body of the answer, whose headers it sets. It is sent in pieces as they are read: a whole year fills no memory. */
export const sendCsv = (
  reply: FastifyReply,
  { contentType = 'text/csv' }: { readonly contentType?: string },
  name: string,
  pieces: Pieces,
): Readable => {
  reply.type(`${contentType}; charset=utf-8`).header('content-disposition', `attachment; filename="${name}.csv"`)
  return Readable.from(withMark(pieces))
}
