/** Measurement of CPU time: of a whole request, and of the longest piece of work between two turns of the event loop. */

const toMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000

/** Over all threads of the process: what a request takes away from others, wherever it is worked on. */
export const cpuTimeMs = async (work: () => Promise<unknown>): Promise<number> => {
  const start = process.cpuUsage()
  await work()
  return toMs(process.cpuUsage(start))
}

/** Of the main thread: for so long no payment had a turn. */
export const longestPieceMs = async (work: () => Promise<unknown>): Promise<number> => {
  let [longestMs, isOver, last] = [0, false, process.threadCpuUsage()]
  const endPiece = (): void => {
    longestMs = Math.max(longestMs, toMs(process.threadCpuUsage(last)))
    last = process.threadCpuUsage()
    if (!isOver) setImmediate(endPiece)
  }
  setImmediate(endPiece)
  await work()
  isOver = true
  endPiece()
  return longestMs
}

/** The least of a few tries: a collection of garbage, and whatever else the machine does, only add to it. */
export const leastOfSome = async (measure: () => Promise<number>, limitMs: number): Promise<number> => {
  let leastMs = Infinity
  for (let round = 0; round < 8 && leastMs > limitMs; round += 1) leastMs = Math.min(leastMs, await measure())
  return leastMs
}
