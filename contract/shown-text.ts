/** Shown text: a text that nobody would see is empty, and no text turns the direction of the words around it. */

/** Spaces, controls, what Unicode has every font draw as nothing (U+200B, U+3164, tags), and the Braille pattern without a dot. */
const NOTHING = /^[\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u

export const drawsNothing = (text: string): boolean => NOTHING.test(text)

/** Arabic and Hebrew need none of these. With one of them an amount is drawn backwards, or a name as another name. */
const TURNS = /\p{Bidi_Control}/u

/** Why a shopper may not be shown a text: continues the sentence that begins with its field. */
export const turningProblem = (text: string): string | undefined => {
  const sign = TURNS.exec(text)?.[0].codePointAt(0)
  if (sign === undefined) return undefined
  const name = sign.toString(16).toUpperCase().padStart(4, '0')
  return `holds U+${name}, which turns the direction of the words around it. Leave it out.`
}
