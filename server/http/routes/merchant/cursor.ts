/** Cursor: the place where a page of a list ended, as a text that means nothing to its reader. */
import type { Place } from '../../../store/engine/list-page.ts'

/** Dots stand in no id: ours are letters and digits, a merchant's refund ids letters, digits, - and _. */
const SEPARATOR = '.'
const PLACE = /^(?:0|[1-9]\d{0,15})(?:\.[\w-]{1,64}){1,2}$/

export const writeCursor = (place: Place): string => Buffer.from(place.join(SEPARATOR)).toString('base64url')

/** Undefined for a text that this list cannot have given out. `ids`: how many the list is ordered by, behind the time. */
export const readCursor = (text: string, ids: number): Place | undefined => {
  const decoded = Buffer.from(text, 'base64url').toString('latin1')
  // The decoder passes over what it does not know: only the very text that was given out is taken back.
  if (!PLACE.test(decoded) || Buffer.from(decoded).toString('base64url') !== text) return undefined
  const [at, ...rest] = decoded.split(SEPARATOR)
  return rest.length === ids && Number.isSafeInteger(Number(at)) ? [Number(at), ...rest] : undefined
}
