/** Write queue of SQLite: one transaction at a time, background work after payments. */
import { AsyncResource } from 'node:async_hooks'
import { isInBackground } from './background-work.ts'
import type { InTurn } from './event-loop-turns.ts'

/** After eight payments in a row, one background transaction runs: a busy server must still expire its links. */
const OTHERS_IN_A_ROW = 8

export interface WriteQueue {
  /** Runs `work` after those before it, and returns its result. */
  add<T>(work: () => Promise<T>): Promise<T>
}

export const createWriteQueue = (inTurn: InTurn): WriteQueue => {
  const payments: (() => Promise<void>)[] = []
  const background: (() => Promise<void>)[] = []
  let othersInARow = 0
  let isRunning = false

  const takeNext = (): (() => Promise<void>) | undefined => {
    const isBackground = payments.length === 0 || (background.length > 0 && othersInARow >= OTHERS_IN_A_ROW)
    othersInARow = isBackground ? 0 : othersInARow + 1
    return (isBackground ? background : payments).shift()
  }
  const run = async (): Promise<void> => {
    isRunning = true
    while (payments.length + background.length > 0) {
      await inTurn(async () => takeNext()?.())
    }
    isRunning = false
  }
  return {
    add: (work) =>
      new Promise((resolve, reject) => {
        // In the async context of the caller, not of the first in the queue.
        const bound = AsyncResource.bind(() => work().then(resolve, reject))
        ;(isInBackground() ? background : payments).push(bound)
        if (!isRunning) void run()
      }),
  }
}
