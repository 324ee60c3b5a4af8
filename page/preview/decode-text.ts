/**
 * Compressed text of a preview's query: decompressed if it was compressed, otherwise as it is; and no more of it than a
 * checkout may have.
 */
import { decompress } from './decompress.ts'

const LINE_ENDS = /\r\n?/g

/** Control characters except tab and line feed, what turns the direction of words, lone surrogates, and no characters. */
const FORBIDDEN_CHARACTER = /(?![\t\n])[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Noncharacter_Code_Point}]/u
const ALL_FORBIDDEN_CHARACTERS = /(?![\t\n])[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Noncharacter_Code_Point}]/gu

/** As the schemas of the API count: characters, of which some are two units of a string. */
const cutTo = (text: string, most: number): string =>
  text.length <= most ? text : Array.from(text).slice(0, most).join('').trim()

/** Text that server and browser draw alike: characters that HTML drops or rewrites would be a hydration mismatch. */
export const plainText = (value: string): string =>
  value.replace(LINE_ENDS, '\n').replace(ALL_FORBIDDEN_CHARACTERS, '').trim()

export const decodeText = (value: string, most: number): string => {
  // A query turns + into a space, and + is a character of the compressed alphabet.
  const text = decompress(value.replaceAll(' ', '+'), 2 * most)?.replace(LINE_ENDS, '\n') ?? ''
  return cutTo(text === '' || FORBIDDEN_CHARACTER.test(cutTo(text, most)) ? plainText(value) : text.trim(), most)
}
