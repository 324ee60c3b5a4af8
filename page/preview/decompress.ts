/** Decompression of what lz-string's `compressToEncodedURIComponent` writes, which stops where a text is long enough. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-'
const BITS_PER_SIGN = 6
/** The number of each sign, by its character code. To look for it in the alphabet, bit by bit, took most of a preview's time. */
const NUMBERS = new Uint8Array(128)
for (const [number, sign] of Array.from(ALPHABET).entries()) NUMBERS[sign.charCodeAt(0)] = number
/** Codes that are no entry of the dictionary: a new character of 8 bits, one of 16 bits, the end. */
const [SHORT_CHARACTER, LONG_CHARACTER, END] = [0, 1, 2]

/** Reads numbers, the lowest bit first, from signs whose highest bit comes first. */
const bitReader = (compressed: string) => {
  let at = 0
  const read = (count: number): number => {
    let number = 0
    for (let bit = 0; bit < count; bit += 1, at += 1) {
      // Behind the end there are zeros.
      const sign = NUMBERS[compressed.charCodeAt(Math.floor(at / BITS_PER_SIGN))] ?? 0
      number |= ((sign >> (BITS_PER_SIGN - 1 - (at % BITS_PER_SIGN))) & 1) << bit
    }
    return number
  }
  return {
    read,
    isBehindEnd: (): boolean => at > compressed.length * BITS_PER_SIGN,
    /** The compressor ends with zeros: one at least, and no sign more than it needs. */
    endsHere: (): boolean =>
      Math.floor(at / BITS_PER_SIGN) === compressed.length - 1 && read(BITS_PER_SIGN - (at % BITS_PER_SIGN)) === 0,
  }
}

/**
 * The text, or as much of it as `most` allows; undefined where the compressor would not have written just this: of plain words
 * one in ten decompresses to something. What is kept while it is read is as long as what was read so far.
 */
export const decompress = (compressed: string, most: number): string | undefined => {
  if (!/^[A-Za-z0-9+-]+$/.test(compressed)) return undefined
  const { read, isBehindEnd, endsHere } = bitReader(compressed)
  // Its first three numbers are no entries.
  const entries = ['', '', '']
  const known = new Set<string>()
  // Each entry, and each new character, brings the dictionary nearer to numbers of one bit more.
  let [bits, room] = [2, 2]
  const makeRoom = (): void => {
    room -= 1
    if (room === 0) [bits, room] = [bits + 1, 2 ** bits]
  }
  const add = (entry: string): boolean => {
    if (known.has(entry)) return false
    known.add(entry)
    entries.push(entry)
    return true
  }
  let text = ''
  let last = ''
  while (text.length < most) {
    const code = read(bits)
    if (isBehindEnd()) return undefined
    if (code === END) return endsHere() ? text : undefined
    const isNew = code === SHORT_CHARACTER || code === LONG_CHARACTER
    const character = isNew ? String.fromCharCode(read(code === SHORT_CHARACTER ? 8 : 16)) : ''
    if (isNew && (!add(character) || (code === LONG_CHARACTER && character < '\u0100'))) return undefined
    if (isNew) makeRoom()
    // A number that is about to be given: the last entry and its own first character.
    const entry = isNew ? character : (entries[code] ?? (code === entries.length ? last + last.charAt(0) : ''))
    if (entry === '') return undefined
    if (last !== '' && !add(last + entry.charAt(0))) return undefined
    makeRoom()
    text += entry
    last = entry
  }
  return text.slice(0, most)
}
