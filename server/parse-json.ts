/** JSON of outside servers. */

/** What an outside server sent as JSON; null where it is none. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
