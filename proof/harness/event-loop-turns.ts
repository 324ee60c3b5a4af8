/** Event loop turns: how many there were while something was worked on; a server is heard only between two of them. */
export const turnsOf = async (work: () => Promise<unknown>): Promise<number> => {
  let [turns, isOver] = [0, false]
  const countTurns = (): void => {
    turns += 1
    if (!isOver) setImmediate(countTurns)
  }
  setImmediate(countTurns)
  try {
    await work()
  } finally {
    isOver = true
  }
  return turns
}
