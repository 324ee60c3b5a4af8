/** Limited body: a long answer of an acquirer, such as a report, in pieces and up to a size. */

/** The answer was longer than it may be. What was read of it is not used. */
export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong'
}

/** The pieces of an answer, as they come. Ends the connection and throws where there are more bytes than `most`. */
export async function* piecesOf(response: Response, most: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let bytes = 0
  // Leaving the loop cancels the body, and with it the connection.
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength
    if (bytes > most) throw new AnswerTooLong(`an answer of more than ${most} bytes`)
    yield piece
  }
}
