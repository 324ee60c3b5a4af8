/** Draw person mail: a link to the console, an invitation, or the notice of a recovery, in the language of its reader. */
import { LINK_PATHS } from '#contract/console/sign-in.ts'
import type { ConsoleLocale } from '#contract/console/locale.ts'
import { jstText } from '#contract/jst.ts'
import type { PersonMailFacts } from '../../store/people/person-mails.ts'
import type { DrawnMail } from './draw-mail.ts'
import { mailHtml, mailText, oneLine, type MailBlock } from './mail-blocks.ts'
import { personWords } from './words/person-words.ts'

export interface PersonMailToDraw {
  readonly locale: ConsoleLocale
  readonly facts: PersonMailFacts
  /** Of its link, if it has one. */
  readonly token: string
  /** Of the console. */
  readonly origin: string
  /** Who writes: the host of this server. */
  readonly sender: string
}

interface Drawn {
  readonly title: string
  readonly blocks: readonly MailBlock[]
}

const contentOf = ({ locale, facts, token, origin }: PersonMailToDraw): Drawn => {
  const words = personWords[locale]
  const { host } = new URL(origin)
  switch (facts.kind) {
    case 'sign_in': {
      const url = `${origin}${LINK_PATHS.sign_in}${token}`
      return {
        title: words.signInTitle,
        blocks: [
          { block: 'paragraph', text: words.signIn(host) },
          { block: 'address', name: words.signInLink, url },
          { block: 'foot', lines: [words.signInIgnore] },
        ],
      }
    }
    case 'invitation': {
      const shop = oneLine(facts.shop ?? words.installation)
      const url = `${origin}${LINK_PATHS.invitation}${token}`
      return {
        title: words.invitationTitle(shop),
        blocks: [
          { block: 'paragraph', text: words.invitation(shop, host) },
          { block: 'address', name: words.invitationLink, url },
          { block: 'foot', lines: [words.invitationIgnore] },
        ],
      }
    }
    case 'recovery':
      return {
        title: words.recoveryTitle(oneLine(facts.name)),
        blocks: [
          { block: 'paragraph', text: words.recovery },
          {
            block: 'rows',
            rows: [
              { name: words.person, value: facts.name },
              { name: words.address, value: facts.email },
              { name: words.at, value: jstText(facts.at, locale) },
            ],
          },
          { block: 'paragraph', text: words.recoveryIfNot },
          { block: 'address', name: words.open, url: `${origin}/` },
        ],
      }
  }
}

export const drawPersonMail = (mail: PersonMailToDraw): DrawnMail => {
  const { locale, sender } = mail
  const { title, blocks } = contentOf(mail)
  const subject = oneLine(title)
  const parts = [{ locale, blocks: [{ block: 'heading', text: title } as const, ...blocks] }]
  return { subject, text: mailText(sender, parts), html: mailHtml({ name: sender, colorCode: '', subject }, parts) }
}
