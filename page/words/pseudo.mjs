/**
 * A language that nobody speaks: English that can be read and yet is recognised at sight, a third longer. Words that are
 * not in it on a screen were never handed to the translators. The page does not import it and offers it to nobody; it is
 * plain JavaScript because a journey hands it to the browser as it stands.
 */

const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const DRESSED = 'åƀçđéƒğħîĵķļɱñöþɋřšŧûṽŵẋýžÅɃÇÐÉƑĞĦÎĴĶĻṀÑÖÞɊŘŠŦÛṼŴẊÝŽ'

/** @param {string} letter */
const dress = (letter) => DRESSED[PLAIN.indexOf(letter)] ?? letter

/**
 * [‼ Ŧħîš îš ŧħé ŧéẋŧ~~~~~ ‼]
 * @param {string} text
 */
export const pseudoText = (text) => {
  const more = '~'.repeat(Math.ceil(text.length * 0.3))
  return `[‼ ${Array.from(text, dress).join('')}${more} ‼]`
}

/**
 * A stand-in that no text holds: what a text is given stays as it is.
 * @param {number} place
 */
const standIn = (place) => String.fromCharCode(0xe000 + place)

/**
 * @param {CallableFunction} say
 * @returns {(...given: string[]) => string}
 */
const pseudoSaying =
  (say) =>
  (...given) => {
    /** @type {unknown} */
    const said = Reflect.apply(
      say,
      undefined,
      given.map((_, place) => standIn(place)),
    )
    return given.reduce((text, each, place) => text.replaceAll(standIn(place), each), pseudoText(String(said)))
  }

/**
 * The same dictionary in the pseudo-language: texts, sayings and groups of them.
 * @param {unknown} words
 * @returns {unknown}
 */
export const pseudoWords = (words) => {
  if (typeof words === 'string') return pseudoText(words)
  if (typeof words === 'function') return pseudoSaying(words)
  if (typeof words !== 'object' || words === null) return words
  return Object.fromEntries(Object.entries(words).map(([name, part]) => [name, pseudoWords(part)]))
}
