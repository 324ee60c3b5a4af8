import lz from 'lz-string'

/** Three texts of this length are decompressed within the time that a request may cost. */
const ENCODED_MAX = 3 * 1024
/** 2,000 characters can decompress to a million; more than this is no text for a page. */
const DECODED_MAX = 16 * 1024

const LINE_ENDS = /\r\n?/g

/** Control characters except tab and line feed, lone surrogates, and code points that are no characters. */
const FORBIDDEN_CHARACTER = /(?![\t\n])[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u
const ALL_FORBIDDEN_CHARACTERS = new RegExp(FORBIDDEN_CHARACTER, 'gu')

const decompress = (compressed: string): string | undefined => {
  if (compressed.length > ENCODED_MAX) return undefined
  try {
    const text: string | null = lz.decompressFromEncodedURIComponent(compressed)
    if (text === null || text === '' || text.length > DECODED_MAX) return undefined
    // One plain word in ten decompresses to something; hardly one in four thousand is the same when compressed again.
    return lz.compressToEncodedURIComponent(text) === compressed ? text.replace(LINE_ENDS, '\n') : undefined
  } catch {
    return undefined
  }
}

/** Text that server and browser draw alike: characters that HTML drops or rewrites would be a hydration mismatch. */
export const plainText = (value: string): string =>
  value.replace(LINE_ENDS, '\n').replace(ALL_FORBIDDEN_CHARACTERS, '').trim()

/** Compressed text of a preview's query: decompressed if it was compressed, otherwise as it is. */
export const decodeText = (value: string): string => {
  // A query turns + into a space, and + is a character of the compressed alphabet.
  const text = decompress(value.replaceAll(' ', '+'))
  return text === undefined || FORBIDDEN_CHARACTER.test(text) ? plainText(value) : text.trim()
}
