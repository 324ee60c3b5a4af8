/**
 * A language that nobody speaks: English that can be read and yet is recognised at sight, a third longer. Words that are
 * not in it on a screen were never handed to the translators. No shopper is offered it and the page does not import it.
 */

const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const DRESSED = 'åƀçđéƒğħîĵķļɱñöþɋřšŧûṽŵẋýžÅɃÇÐÉƑĞĦÎĴĶĻṀÑÖÞɊŘŠŦÛṼŴẊÝŽ'

const dress = (letter: string): string => DRESSED[PLAIN.indexOf(letter)] ?? letter

/** [‼ Ŧħîš îš ŧħé ŧéẋŧ~~~~ ‼] */
export const pseudoText = (text: string): string => {
  const more = '~'.repeat(Math.ceil(text.length * 0.3))
  return `[‼ ${Array.from(text, dress).join('')}${more} ‼]`
}

/** Stand-ins that no text holds: what a text is given stays as it is. */
const standIn = (place: number): string => String.fromCharCode(0xe000 + place)

const pseudoSaying =
  (say: CallableFunction) =>
  (...given: string[]): string => {
    const said: unknown = Reflect.apply(
      say,
      undefined,
      given.map((_, place) => standIn(place)),
    )
    return given.reduce((text, each, place) => text.replaceAll(standIn(place), each), pseudoText(String(said)))
  }

/** The same dictionary in the pseudo-language: texts, sayings and groups of them. */
export const pseudoWords = (words: unknown): unknown => {
  if (typeof words === 'string') return pseudoText(words)
  if (typeof words === 'function') return pseudoSaying(words)
  if (typeof words !== 'object' || words === null) return words
  return Object.fromEntries(Object.entries(words).map(([name, part]) => [name, pseudoWords(part)]))
}
