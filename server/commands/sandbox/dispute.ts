/** Sandbox dispute command: a card holder disputes a paid test checkout, and the dispute is won or lost. */
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { isLoopback } from '#contract/loopback.ts'
import { readMerchantCheckout } from '#contract/merchant/checkouts.ts'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import { readMerchantApi } from '../../config/merchant-api.ts'
import { origin, Problem, wholeNumber, type Environment } from '../../config/readers.ts'
import { parseJson } from '../../parse-json.ts'
import { answerOf } from '../checkout/checkouts.ts'
import { readCheckoutId } from '../checkout/option-values.ts'
import { isProblem, PROGRAM, type Command, type CommandProblem } from '../command.ts'
import { factLines, yenText } from '../table.ts'
import { sendByHttp } from './pay.ts'
import type { FramePorts } from './three-ds-frames.ts'

const STATUSES = ['inquiry', 'open', 'won', 'lost'] as const

/** What the sandbox answers. */
const Disputed = Type.Object({
  disputeId: Type.String(),
  status: Type.Enum([...STATUSES]),
  amount: Type.Integer(),
  movements: Type.Array(
    Type.Object({
      movementId: Type.String(),
      kind: Type.Enum(['chargeback', 'chargeback_reversal']),
      amount: Type.Integer(),
    }),
  ),
})
const Refused = Type.Object({ error: Type.String(), status: Type.Optional(Type.String()) })

/** Its acquirer is reached on its own machine alone, by the port behind the server's, or where SANDBOX_URL says. */
const sandboxOf = (env: Environment, serverUrl: string): URL | CommandProblem => {
  const { hostname, port } = new URL(serverUrl)
  try {
    const named = origin(env, 'SANDBOX_URL')
    if (named !== null) return new URL('/acquirer/control/disputes', named)
    if (!isLoopback(hostname))
      return {
        problem:
          'The sandbox’s acquirer is reached on its own machine alone: run this there, with KAIKEI_URL=http://localhost:<PORT>/merchant/v1.',
      }
    const sandboxPort = wholeNumber(env, 'SANDBOX_PORT', { from: 1, to: 65535, otherwise: Number(port || 80) + 1 })
    return new URL(`http://127.0.0.1:${sandboxPort}/acquirer/control/disputes`)
  } catch (error) {
    if (error instanceof Problem) return { problem: error.message }
    throw error
  }
}

const NO_SANDBOX =
  'No sandbox answers at the port behind KAIKEI_URL: start the server with SANDBOX=on, or set SANDBOX_PORT or SANDBOX_URL.'

/** Why a dispute is not as wanted. */
const refusalOf = (body: unknown, wanted: string): string => {
  const { error, status } = Check(Refused, body) ? body : { error: '', status: undefined }
  if (error === 'charge_not_found')
    return 'The sandbox does not know this payment: it went through another acquirer, and is disputed there.'
  if (error === 'charge_refunded') return 'All of this payment was given back: there is nothing to dispute.'
  if (error !== 'dispute_status') return NO_SANDBOX
  return status === 'none'
    ? 'This payment is not disputed: open a dispute first, with --status open.'
    : `The dispute of this payment is ${status} and cannot become ${wanted}.`
}

const transactionOf = ({ id, mode, transactionId }: MerchantCheckoutAnswer): string | CommandProblem => {
  if (mode !== 'test') return { problem: `${id} is a live checkout: only test checkouts are disputed here.` }
  return transactionId ?? { problem: `${id} is not paid: pay it first, with ${PROGRAM} sandbox pay ${id}` }
}

export const createSandboxDispute = (send: FramePorts['send']): Command => ({
  summary: 'disputes a paid test checkout as a card holder would (chargeback), or ends its dispute',
  places: ['checkout'],
  options: {
    status: {
      value: STATUSES.join('|'),
      help: 'inquiry: the issuer asks, no money is taken; open: the money is taken; won: it is given back; lost: it is not. Left out, open',
    },
  },
  example: 'sandbox dispute lg5hy5gqkz3x7tjx2jn3mcw4ap6tdoeb --status won',
  run: async (given, env) => {
    const path = readCheckoutId(given.text('checkout'))
    if (isProblem(path)) return path
    const wanted = STATUSES.find((each) => each === (given.textOrNull('status') ?? 'open'))
    if (wanted === undefined) return { problem: `--status must be one of ${STATUSES.join(', ')}.` }
    const api = readMerchantApi(env)
    if ('problem' in api) return api
    const url = sandboxOf(env, api.url)
    if (isProblem(url)) return url
    const read = await answerOf(env, readMerchantCheckout, { path })
    if (isProblem(read)) return read
    const transactionId = transactionOf(read.answer)
    if (typeof transactionId !== 'string') return transactionId
    const body = JSON.stringify({ transactionId, status: wanted })
    const headers = { 'content-type': 'application/json' }
    const sent = await send({ method: 'POST', url, headers, body }).catch(() => null)
    if (sent === null) return { problem: NO_SANDBOX }
    const answer = parseJson(sent.text)
    if (sent.status !== 200 || !Check(Disputed, answer)) return { problem: refusalOf(answer, wanted) }
    const { disputeId, status, amount, movements } = answer
    const last = movements.at(-1)
    return {
      value: { checkoutId: path.checkoutId, disputeId, status, amount, movements },
      lines: factLines({
        checkout: path.checkoutId,
        dispute: disputeId,
        status,
        amount: yenText(amount),
        moved: last === undefined ? 'nothing' : `${last.kind} ${yenText(last.amount)}`,
      }),
    }
  },
})

export const sandboxDispute = createSandboxDispute(sendByHttp)
