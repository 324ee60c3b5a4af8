/** Draw confirmation: the one mail that asks an address whether it wants mails that an API key can cause. */
import { toPageLocale, type PageLocale } from '#contract/locale.ts'
import { CONFIRMATION_PATH } from '../../origins.ts'
import { WITHOUT_A_CHOICE } from './draw-endpoint-mail.ts'
import type { DrawnMail } from './draw-mail.ts'
import { mailHtml, mailText, oneLine, type MailBlock, type MailPart } from './mail-blocks.ts'
import { mailWords } from './words/mail-words.ts'

export interface ConfirmationToDraw {
  /** As on the wire. Null: nobody has chosen one. */
  readonly locale: string | null
  /** Of the pages of the merchant. */
  readonly origin: string
  readonly token: string
  /** Who writes: the host of this server. */
  readonly sender: string
}

const blocksOf = (locale: PageLocale, { origin, token }: ConfirmationToDraw): MailBlock[] => {
  const words = mailWords[locale]
  const { host } = new URL(origin)
  return [
    { block: 'heading', text: words.confirmTitle },
    { block: 'paragraph', text: words.confirm(host) },
    { block: 'address', name: words.confirmLink, url: `${origin}${CONFIRMATION_PATH}${token}?locale=${locale}` },
    { block: 'foot', lines: [words.confirmIgnore] },
  ]
}

/** And in which languages it was drawn. */
export const drawConfirmation = (
  mail: ConfirmationToDraw,
): { readonly drawn: DrawnMail; readonly languages: readonly PageLocale[] } => {
  const chosen = mail.locale === null ? undefined : toPageLocale(mail.locale)
  const languages = chosen === undefined ? WITHOUT_A_CHOICE : [chosen]
  const subject = oneLine(languages.map((locale) => mailWords[locale].confirmTitle).join(' / '))
  const parts: MailPart[] = languages.map((locale) => ({ locale, blocks: blocksOf(locale, mail) }))
  const face = { name: mail.sender, colorCode: '', subject }
  return { languages, drawn: { subject, text: mailText(mail.sender, parts), html: mailHtml(face, parts) } }
}
