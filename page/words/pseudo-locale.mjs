/**
 * Pseudo-language for tests: readable English with accents, a third longer. A text on a screen that is not in it was never
 * made translatable. The page does not import it; it is plain JavaScript because a journey sends it to the browser as it is.
 */

const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const ACCENTED = 'åƀçđéƒğħîĵķļɱñöþɋřšŧûṽŵẋýžÅɃÇÐÉƑĞĦÎĴĶĻṀÑÖÞɊŘŠŦÛṼŴẊÝŽ'

/** @param {string} letter */
const accent = (letter) => ACCENTED[PLAIN.indexOf(letter)] ?? letter

/**
 * [‼ Ŧħîš îš ŧħé ŧéẋŧ~~~~~ ‼]
 * @param {string} text
 */
export const pseudoText = (text) => {
  const more = '~'.repeat(Math.ceil(text.length * 0.3))
  return `[‼ ${Array.from(text, accent).join('')}${more} ‼]`
}

/**
 * A character that no text contains, in place of an argument: arguments stay as they are.
 * @param {number} index
 */
const placeholder = (index) => String.fromCharCode(0xe000 + index)

/**
 * @param {CallableFunction} textOf
 * @returns {(...args: string[]) => string}
 */
const pseudoFunction =
  (textOf) =>
  (...args) => {
    /** @type {unknown} */
    const english = Reflect.apply(
      textOf,
      undefined,
      args.map((_, index) => placeholder(index)),
    )
    return args.reduce((text, arg, index) => text.replaceAll(placeholder(index), arg), pseudoText(String(english)))
  }

/**
 * The same dictionary in the pseudo-language: texts, functions that return texts, and groups of them.
 * @param {unknown} words
 * @returns {unknown}
 */
export const pseudoWords = (words) => {
  if (typeof words === 'string') return pseudoText(words)
  if (typeof words === 'function') return pseudoFunction(words)
  if (typeof words !== 'object' || words === null) return words
  return Object.fromEntries(Object.entries(words).map(([name, part]) => [name, pseudoWords(part)]))
}
