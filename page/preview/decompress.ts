/** Decompression of what lz-string's `compressToEncodedURIComponent` writes, which stops where a text is long enough. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-'
const BITS_PER_SIGN = 6
/** Codes that are no entry of the dictionary: a new character of 8 bits, one of 16 bits, the end. */
const [SHORT_CHARACTER, LONG_CHARACTER, END] = [0, 1, 2]

/** Reads numbers, the lowest bit first, from signs whose highest bit comes first. Behind the end there are zeros. */
const bitReader = (signs: readonly number[]) => {
  let at = 0
  const read = (count: number): number => {
    let number = 0
    for (let bit = 0; bit < count; bit += 1, at += 1) {
      const sign = signs[Math.floor(at / BITS_PER_SIGN)] ?? 0
      number |= ((sign >> (BITS_PER_SIGN - 1 - (at % BITS_PER_SIGN))) & 1) << bit
    }
    return number
  }
  return {
    read,
    isBehindEnd: (): boolean => at > signs.length * BITS_PER_SIGN,
    /** The compressor ends with zeros: one at least, and no sign more than it needs. */
    endsHere: (): boolean =>
      Math.floor(at / BITS_PER_SIGN) === signs.length - 1 && read(BITS_PER_SIGN - (at % BITS_PER_SIGN)) === 0,
  }
}

/**
 * The text, or as much of it as `most` allows; undefined where the compressor would not have written just this: of plain words
 * one in ten decompresses to something. What is kept while it is read is as long as what was read so far.
 */
export const decompress = (compressed: string, most: number): string | undefined => {
  // Looked for once: for each bit, it took most of the time of a preview.
  const signs = Array.from(compressed, (sign) => ALPHABET.indexOf(sign))
  if (signs.includes(-1)) return undefined
  const { read, isBehindEnd, endsHere } = bitReader(signs)
  // Its first three numbers are no entries.
  const entries = ['', '', '']
  /** Each entry is another one and a character: as numbers they are found faster than as texts. Before a character alone: none. */
  const known = new Set<number>()
  // Each entry, and each new character, brings the dictionary nearer to numbers of one bit more.
  let [bits, room] = [2, 2]
  const makeRoom = (): void => {
    room -= 1
    if (room === 0) [bits, room] = [bits + 1, 2 ** bits]
  }
  const add = (before: number, character: string): boolean => {
    const key = before * 0x10000 + character.charCodeAt(0)
    if (known.has(key)) return false
    known.add(key)
    entries.push((entries[before] ?? '') + character)
    return true
  }
  let text = ''
  /** The number of the entry that was read last; 0: none yet. */
  let last = 0
  while (text.length < most) {
    const code = read(bits)
    if (isBehindEnd()) return undefined
    if (code === END) return endsHere() ? text : undefined
    const isNew = code === SHORT_CHARACTER || code === LONG_CHARACTER
    const character = isNew ? String.fromCharCode(read(code === SHORT_CHARACTER ? 8 : 16)) : ''
    if (isNew && (!add(0, character) || (code === LONG_CHARACTER && character < '\u0100'))) return undefined
    if (isNew) makeRoom()
    const number = isNew ? entries.length - 1 : code
    // A number that is about to be given: the last entry and its own first character.
    const first = (entries[number] ?? (number === entries.length ? entries[last] : undefined))?.charAt(0) ?? ''
    if (first === '') return undefined
    if (last !== 0 && !add(last, first)) return undefined
    makeRoom()
    text += entries[number] ?? ''
    last = number
  }
  return text.slice(0, most)
}
