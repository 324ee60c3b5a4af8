/** Inflate within limits: what a picture has packed is unpacked to the size that it must have, and no byte further. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createInflate, inflateSync } from 'node:zlib'
import { damaged, type PictureRefusal } from './picture.ts'

/** Each piece is a turn of the event loop: in smaller ones the largest picture took five times as much of it. */
const PIECE_BYTES = 1024 * 1024

/** Short data, such as a colour profile; null where they cannot be unpacked or would be longer. */
export const inflateAtMost = (packed: Buffer, most: number): Buffer | null => {
  try {
    return inflateSync(packed, { maxOutputLength: most })
  } catch {
    return null
  }
}

const isCutShort = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'Z_BUF_ERROR'

type ReadPiece = (piece: Buffer) => void

/** Reading a megabyte of pixels took up to 50 ms: the same in quarters, with a turn of the event loop after each. */
const READ_BYTES = PIECE_BYTES / 4

const readInParts = async (piece: Buffer, read: ReadPiece): Promise<void> => {
  for (let at = 0; at < piece.length; at += READ_BYTES) {
    read(piece.subarray(at, at + READ_BYTES))
    await nextTurn()
  }
}

/** Unpacks piece by piece and keeps none. The number of packed bytes that were used: behind them anything could be hidden. */
const countUnpacked = async (packed: Buffer, size: number, read?: ReadPiece): Promise<number | PictureRefusal> => {
  const stream = createInflate({ chunkSize: PIECE_BYTES })
  stream.end(packed)
  let unpacked = 0
  try {
    for await (const piece of stream) {
      if (!Buffer.isBuffer(piece)) continue
      unpacked += piece.length
      // Leaving the loop ends the stream: a bomb is unpacked no further.
      if (unpacked > size) return damaged('it holds more pixels than its header says')
      if (read !== undefined) await readInParts(piece, read)
    }
  } catch (error) {
    return isCutShort(error) ? { why: 'cut_short' } : damaged('its pixels cannot be unpacked')
  }
  return unpacked < size ? damaged('it holds fewer pixels than its header says') : stream.bytesWritten
}

/**
 * Unpacked in Node's thread pool, one picture at a time: the largest one has 134 MB, and with all threads taken by such
 * pictures nobody could look up the acquirer's address.
 */
let turn: Promise<unknown> = Promise.resolve()

export const inflateExactly = (packed: Buffer, size: number, read?: ReadPiece): Promise<number | PictureRefusal> => {
  const own = turn.then(() => countUnpacked(packed, size, read))
  // One that failed by a fault of ours must not fail those behind it.
  turn = own.catch(() => undefined)
  return own
}
