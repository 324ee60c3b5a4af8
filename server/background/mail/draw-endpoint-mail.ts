/** Draw endpoint mail: what a shop reads about an endpoint of its own that fails, in its language. */
import { jstText } from '#contract/jst.ts'
import type { EndpointMailFacts } from '#contract/mail-facts.ts'
import type { EndpointMailKind } from '#payment/endpoint-mail.ts'
import { COMMAND_NAMES } from '../../config/release.ts'
import { drawOwnMail, type OwnMail } from './draw-own-mail.ts'
import type { MailBlock, MailStep } from './mail-blocks.ts'
import type { MailWords } from './words/en-US.ts'
import type { Language } from './words/mail-words.ts'

export interface EndpointMailToDraw {
  readonly kind: EndpointMailKind
  /** As on the wire. Null: the shop has chosen none. */
  readonly locale: string | null
  readonly facts: EndpointMailFacts
  readonly shopName: string
  /** Who writes: the host of this server. */
  readonly sender: string
  /** The base of the merchant API. */
  readonly merchantApi: string
}

const textsOf = (words: MailWords, { kind, shopName }: EndpointMailToDraw) => {
  switch (kind) {
    case 'endpoint_failing':
      return { subject: words.failingSubject(shopName), title: words.failingTitle, message: words.failing }
    case 'endpoint_disabled':
      return { subject: words.disabledSubject(shopName), title: words.disabledTitle, message: words.disabled }
    case 'endpoint_gone':
      return { subject: words.disabledSubject(shopName), title: words.disabledTitle, message: words.gone }
  }
}

const stepsOf = (words: MailWords, { kind, facts, merchantApi }: EndpointMailToDraw): MailStep[] => {
  const { endpointId, failingSince } = facts
  const webhook = `${merchantApi}/webhooks/${endpointId}`
  const since = new Date(failingSince).toISOString()
  const look = [`GET ${webhook}/deliveries`, `${COMMAND_NAMES.program} webhook deliveries ${endpointId}`]
  return [
    { name: words.stepLook, lines: look },
    ...(kind === 'endpoint_failing'
      ? []
      : [{ name: words.stepEnable, lines: [`PATCH ${webhook}`, '{"enabled": true}'] }]),
    { name: words.stepReplay, lines: [`POST ${webhook}/replay`, `{"since": "${since}"}`] },
  ]
}

const answerText = (answer: EndpointMailFacts['lastAnswer']): string =>
  'status' in answer ? `HTTP ${answer.status}` : answer.problem

const blocksOf = ({ locale, words }: Language, mail: EndpointMailToDraw): MailBlock[] => {
  const { facts, shopName } = mail
  const { title, message } = textsOf(words, mail)
  const rows = [
    { name: words.endpointAddress, value: facts.address },
    { name: words.failingSince, value: jstText(facts.failingSince, locale) },
    { name: words.lastAnswer, value: answerText(facts.lastAnswer) },
    { name: words.endpointId, value: `${facts.endpointId} (${facts.mode})` },
  ]
  return [
    { block: 'heading', text: title },
    { block: 'paragraph', text: message },
    { block: 'rows', rows },
    { block: 'subheading', text: words.whatToDo },
    { block: 'steps', steps: stepsOf(words, mail) },
    { block: 'paragraph', text: words.nothingLost },
    { block: 'small', lines: [words.whyShop(shopName)] },
  ]
}

export const drawEndpointMail = (mail: EndpointMailToDraw): OwnMail =>
  drawOwnMail(
    mail,
    ({ words }) => {
      const { subject } = textsOf(words, mail)
      return mail.facts.mode === 'test' ? words.asTest(subject) : subject
    },
    (language) => blocksOf(language, mail),
  )
