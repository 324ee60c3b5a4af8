/** Draws a mail that this server sends in its own name: in the language that was chosen, or else in two. */
import { toPageLocale, type PageLocale } from '#contract/locale.ts'
import type { DrawnMail } from './draw-mail.ts'
import { mailHtml, mailText, oneLine, type MailBlock } from './mail-blocks.ts'
import { mailWords, type Language } from './words/mail-words.ts'

export interface OwnMail {
  readonly drawn: DrawnMail
  /** Those that it was drawn in. */
  readonly languages: readonly PageLocale[]
}

/** Who reads the mail is not known: a shop in Japan, or the developers that it has hired. */
const WITHOUT_A_CHOICE: readonly PageLocale[] = ['ja', 'en-US']

/** `sender`: the host of this server. `subjectEnd` follows the subjects of all languages. */
export const drawOwnMail = (
  { locale: chosenLocale, sender }: { readonly locale: string | null; readonly sender: string },
  subjectIn: (language: Language) => string,
  blocksIn: (language: Language) => MailBlock[],
  subjectEnd = '',
): OwnMail => {
  const chosen = chosenLocale === null ? undefined : toPageLocale(chosenLocale)
  const languages = chosen === undefined ? WITHOUT_A_CHOICE : [chosen]
  const spoken = languages.map((locale) => ({ locale, words: mailWords[locale] }))
  const subject = oneLine(spoken.map(subjectIn).join(' / ') + subjectEnd)
  const parts = spoken.map((language) => ({ locale: language.locale, blocks: blocksIn(language) }))
  const face = { name: sender, colorCode: '', subject }
  return { languages, drawn: { subject, text: mailText(sender, parts), html: mailHtml(face, parts) } }
}
