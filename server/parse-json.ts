/** JSON of outside servers and of stored rows. */

/** Every escape of JSON, so that a pair is read as one and `\\ud83d`, which is a backslash and five letters, as none. */
const ESCAPES = /\\(?:u[dD][89aAbB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[dD][89a-fA-F][0-9a-fA-F]{2}|[^])/g
const ESCAPED_HALF_LENGTH = '\\ud83d'.length

const isHalf = (escape: string): boolean => escape.length === ESCAPED_HALF_LENGTH

/** Whether a JSON text can hold half a surrogate: what was read from bytes holds one as an escape alone. */
export const mayHoldHalf = (json: string): boolean => /\\u[dD][89a-fA-F]/.test(json)

/**
 * Half a surrogate, in a key or a value, is read as U+FFFD. Written again it would be an escape that PHP, Ruby and jq refuse,
 * with the whole page that it stands on.
 */
export const parseWellFormed = (json: string): unknown =>
  JSON.parse(mayHoldHalf(json) ? json.replaceAll(ESCAPES, (escape) => (isHalf(escape) ? '\\ufffd' : escape)) : json)

/** What an outside server sent as JSON; null where it is none. */
export const parseJson = (text: string): unknown => {
  try {
    return parseWellFormed(text)
  } catch {
    return null
  }
}
