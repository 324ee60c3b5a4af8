/** Did you mean: the known words that a misspelt one is closest to. */

/** Longer words are no typing mistakes of ours; the cost of a comparison is bounded by it. */
const WORD_MAX = 30

/** At most two letters may be wrong, of a short word fewer. */
const WRONG_MAX = 2
const LETTERS_FOR_EACH_WRONG = 3

const SHOWN_MAX = 3

/** Letters to add, leave out, change, or swap with their neighbour (optimal string alignment). */
const distance = (one: string, other: string): number => {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_letter, at) => at)]
  const cell = (row: number, column: number): number => rows[row]?.[column] ?? Infinity
  for (let row = 1; row <= one.length; row += 1) {
    rows.push([row])
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      const ways = [cell(row - 1, column) + 1, cell(row, column - 1) + 1, cell(row - 1, column - 1) + (isSame ? 0 : 1)]
      rows[row]?.push(Math.min(...ways, isSwapped ? cell(row - 2, column - 2) + 1 : Infinity))
    }
  }
  return cell(one.length, other.length)
}

/** The closest first; none where nothing is close. */
export const closeTo = (typed: string, known: readonly string[]): string[] => {
  const word = typed.toLowerCase()
  if (word === '' || word.length > WORD_MAX) return []
  const wrongMax = Math.min(WRONG_MAX, Math.floor(word.length / LETTERS_FOR_EACH_WRONG))
  return known
    .map((each) => ({ each, wrong: distance(word, each.slice(0, WORD_MAX)) }))
    .filter(({ wrong }) => wrong <= wrongMax)
    .toSorted((one, other) => one.wrong - other.wrong)
    .slice(0, SHOWN_MAX)
    .map(({ each }) => each)
}
