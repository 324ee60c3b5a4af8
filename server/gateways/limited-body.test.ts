import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AnswerTooLong, piecesOf } from './limited-body.ts'

const read = async (response: Response, most: number): Promise<number> => {
  let bytes = 0
  for await (const piece of piecesOf(response, most)) bytes += piece.byteLength
  return bytes
}

test('an answer of the size that is allowed is read to its end, and one without a body has no pieces', async () => {
  assert.equal(await read(new Response('x'.repeat(1000)), 1000), 1000)
  assert.equal(await read(new Response(null, { status: 204 }), 0), 0)
})

test('an answer that never ends is given up at the size that is allowed, and its connection is closed', async () => {
  let sent = 0
  let isClosed = false
  const endless = new ReadableStream({
    pull: (controller) => {
      sent += 100
      controller.enqueue(new Uint8Array(100))
    },
    cancel: () => {
      isClosed = true
    },
  })
  await assert.rejects(read(new Response(endless), 1000), AnswerTooLong)
  assert.ok(isClosed && sent <= 1300, `${sent}`)
})
