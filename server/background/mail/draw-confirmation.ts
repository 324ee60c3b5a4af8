/** Draw confirmation: the one mail that asks an address whether it wants mails that an API key can cause. */
import { CONFIRMATION_PATH } from '../../origins.ts'
import { drawOwnMail, type OwnMail } from './draw-own-mail.ts'

export interface ConfirmationToDraw {
  /** As on the wire. Null: nobody has chosen one. */
  readonly locale: string | null
  /** Of the pages of the merchant. */
  readonly origin: string
  readonly token: string
  /** Who writes: the host of this server. */
  readonly sender: string
}

export const drawConfirmation = (mail: ConfirmationToDraw): OwnMail => {
  const { origin, token } = mail
  return drawOwnMail(
    mail,
    ({ words }) => words.confirmTitle,
    ({ locale, words }) => [
      { block: 'heading', text: words.confirmTitle },
      { block: 'paragraph', text: words.confirm(new URL(origin).host) },
      { block: 'address', name: words.confirmLink, url: `${origin}${CONFIRMATION_PATH}${token}?locale=${locale}` },
      { block: 'foot', lines: [words.confirmIgnore] },
    ],
  )
}
