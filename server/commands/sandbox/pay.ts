/** Sandbox pay command: pays a test checkout with a card of the sandbox, without a browser. */
import { setTimeout as sleep } from 'node:timers/promises'
import { readMerchantCheckout } from '#contract/merchant/checkouts.ts'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import { answerOf } from '../checkout/checkouts.ts'
import { readCheckoutId } from '../checkout/option-values.ts'
import { isProblem, PROGRAM, type Command, type CommandProblem } from '../command.ts'
import { closeTo } from '../did-you-mean.ts'
import { sendAsBrowser } from '../send-as-browser.ts'
import { SANDBOX_CARDS, type SandboxScenario } from '../sandbox-cards.ts'
import { factLines, yenText } from '../table.ts'
import { payAsThePageDoes, type PaymentEnding, type TestPayment } from './pay-as-the-page-does.ts'
import { BANK_ACTIONS, type BankAction, type FramePorts } from './three-ds-frames.ts'

const SEE = `${PROGRAM} sandbox cards shows them`
const NEW_CHECKOUT = `open another: ${PROGRAM} checkout create --amount 1980`

interface NamedCard extends SandboxScenario {
  readonly number: string
  readonly name: string
}

const CARDS: readonly NamedCard[] = SANDBOX_CARDS.flatMap((scenario) =>
  scenario.cards.map(([number, name]) => ({ ...scenario, number, name })),
)

/** A card by its number, spaces or not, or by its name. A number that is none of them is not repeated: it may be real. */
const readCard = (text: string): NamedCard | CommandProblem => {
  const digits = text.replaceAll(/[ -]/g, '')
  const found = CARDS.find(({ number, name }) => number === digits || name === text)
  if (found !== undefined) return found
  if (/\d{8}/.test(digits)) return { problem: `This is no card of the sandbox, and no other is sent: ${SEE}.` }
  const names = CARDS.map(({ name }) => name)
  const [close] = closeTo(text, names)
  return { problem: `--card is no name of a card${close === undefined ? '' : `; did you mean ${close}?`}: ${SEE}.` }
}

const readAction = (text: string | null, card: NamedCard): BankAction | CommandProblem => {
  const wanted = text ?? card.atBank ?? 'code'
  const action = BANK_ACTIONS.find((each) => each === wanted)
  return action ?? { problem: `--bank must be one of ${BANK_ACTIONS.join(', ')}.` }
}

/** Why this checkout is not paid here; null: it may be. */
const refusalOf = ({ id, mode, status, paymentPending, url }: MerchantCheckoutAnswer): string | null => {
  if (mode !== 'test') return `${id} is a live checkout: only test checkouts are paid here, and nothing was sent.`
  if (status !== 'open') return `${id} is ${status} and cannot be paid: ${NEW_CHECKOUT}`
  if (paymentPending) return `A payment of ${id} is under way: ${PROGRAM} checkout show ${id} tells how it ends.`
  return URL.canParse(url) ? null : 'The server has answered a link that is no web address: check KAIKEI_URL.'
}

const MENDS: Readonly<Record<string, string>> = {
  gateway_unavailable:
    'the server runs without a sandbox (SANDBOX=off), or its circuit breaker is open after cards that got no answer: wait 30 s and run it again.',
  too_many_starts: `this link was tried too often: ${NEW_CHECKOUT}`,
  too_many_attempts: 'too many payments from this network have failed: wait for ten minutes and run it again.',
  payment_in_progress: `another payment is under way: ${PROGRAM} checkout show tells how it ends.`,
  checkout_closed: `the checkout was closed meanwhile: ${NEW_CHECKOUT}`,
  checkout_not_found: 'the page does not know this checkout: KAIKEI_URL and its link lead to different servers.',
}

const AGAIN = 'run it again in a little while; the log of the server tells more.'

/** An ending that is no outcome of the card; null: it is one. */
const problemOf = (ending: PaymentEnding): string | null => {
  switch (ending.ended) {
    case 'paid':
    case 'not paid':
    case 'unknown':
      return null
    case 'not started':
      return `The payment was not started (${ending.code}): ${MENDS[ending.code] ?? AGAIN}`
    case 'no sandbox':
      return `The 3-D Secure server of this checkout, ${ending.host}, is not the sandbox: nothing was paid. Run this against a server with SANDBOX=on.`
  }
}

/** Whether it ended as the card says, or as the card holder wanted it at the bank. */
const isAsExpected = ({ ending, authentication }: TestPayment, { expects }: NamedCard, action: BankAction): boolean => {
  const isRefusedAtBank = authentication === 'with a challenge' && (action === 'wrong' || action === 'cancel')
  const expected = isRefusedAtBank ? 'not paid' : expects
  return ending.ended === expected || (expected === 'either' && ending.ended !== 'unknown')
}

const outcomeText = (ending: PaymentEnding): string =>
  ending.ended === 'not paid' ? `not paid: ${ending.code}` : ending.ended

export const createSandboxPay = (ports: FramePorts): Command => ({
  summary: 'pays a test checkout with a card of the sandbox, without a browser: paid, declined or challenged',
  places: ['checkout'],
  options: {
    card: { value: '<number or name>', help: 'one of sandbox cards, such as declined or challenge; left out, paid' },
    bank: {
      value: BANK_ACTIONS.join('|'),
      help: 'what the card holder does where the bank asks: the right code, wrong ones, Cancel, nothing; left out, what the card is for',
    },
    email: { value: '<address>', help: 'where the receipt goes; left out, taro@example.com' },
  },
  example: 'sandbox pay lg5hy5gqkz3x7tjx2jn3mcw4ap6tdoeb --card challenge',
  endsWithOne: 'it ended otherwise than its card says',
  run: async (given, env, { printError }) => {
    const path = readCheckoutId(given.text('checkout'))
    if (isProblem(path)) return path
    const card = readCard(given.textOrNull('card') ?? 'paid')
    if (isProblem(card)) return card
    const action = readAction(given.textOrNull('bank'), card)
    if (typeof action !== 'string') return action
    const read = await answerOf(env, readMerchantCheckout, { path })
    if (isProblem(read)) return read
    const refused = refusalOf(read.answer)
    if (refused !== null) return { problem: refused }
    const { origin } = new URL(read.answer.url)
    const { checkoutId } = path
    const email = given.textOrNull('email') ?? 'taro@example.com'
    const payment = await payAsThePageDoes(
      ports,
      { checkoutId, origin },
      { number: card.number, email, atBank: action },
    )
    const problem = problemOf(payment.ending)
    if (problem !== null) return { problem }
    const { ending, authentication } = payment
    const asExpected = isAsExpected(payment, card, action)
    const code = ending.ended === 'not paid' ? ending.code : null
    const { number, name, ends } = card
    const told =
      ending.ended === 'unknown'
        ? `${PROGRAM} checkout show ${checkoutId} tells how it ends.`
        : `${PROGRAM} settings show tells the policy of the shop; a card that was refused before is blocked on its link: ${NEW_CHECKOUT}`
    if (!asExpected) printError(`The card ${name} ends "${ends}", and this payment did not: ${told}`)
    return {
      value: { checkoutId, card: number, name, authentication, outcome: ending.ended, code, asExpected },
      lines: factLines({
        checkout: checkoutId,
        amount: yenText(read.answer.amount),
        card: `${number} (${name})`,
        authentication,
        outcome: outcomeText(ending),
      }),
      exitCode: asExpected ? 0 : 1,
    }
  },
})

/** A payment may wait for the acquirer as long as GATEWAY_TIMEOUT_MS allows. */
const LIMITS = { timeoutMs: 130_000, bytesMax: 1024 * 1024 }

export const sendByHttp: FramePorts['send'] = async (request) => {
  const { status, headers, body } = await sendAsBrowser(request, LIMITS)
  return { status, headers, text: body.toString('utf8') }
}

export const sandboxPay = createSandboxPay({
  send: sendByHttp,
  sleep: async (ms, signal) => {
    await sleep(ms, undefined, signal === undefined ? {} : { signal })
  },
})
