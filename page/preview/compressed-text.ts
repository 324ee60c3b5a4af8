import lz from 'lz-string'

const ENCODED_MAX = 4 * 1024
/** Two thousand characters can unpack to a million; more than this is no text for a page. */
const DECODED_MAX = 16 * 1024

const LINE_ENDS = /\r\n?/g

/** What nobody writes: control characters but tab and line feed, halves of characters, and code points that are none. */
const UNWRITTEN = /(?![\t\n])[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u
const ALL_UNWRITTEN = new RegExp(UNWRITTEN, 'gu')

const unpack = (packed: string): string | undefined => {
  if (packed.length > ENCODED_MAX) return undefined
  try {
    const text: string | null = lz.decompressFromEncodedURIComponent(packed)
    if (text === null || text === '' || text.length > DECODED_MAX) return undefined
    // One plain word in ten unpacks to something; hardly one in four thousand comes back when that is packed again.
    return lz.compressToEncodedURIComponent(text) === packed ? text.replace(LINE_ENDS, '\n') : undefined
  } catch {
    return undefined
  }
}

/** Text that server and browser draw alike: what HTML drops or rewrites would make the drawn page differ from the live one. */
export const plainText = (value: string): string => value.replace(LINE_ENDS, '\n').replace(ALL_UNWRITTEN, '').trim()

/** A text of the preview's address: unpacked where it was packed, else as it is. */
export const readText = (value: string): string => {
  // A query turns + into a space, and + is a letter of the packed alphabet.
  const unpacked = unpack(value.replaceAll(' ', '+'))
  return unpacked === undefined || UNWRITTEN.test(unpacked) ? plainText(value) : unpacked.trim()
}
