/** Pay as the page does: the calls of the shopper's page in their order, and where the payment ends. */
import type { Static, TSchema } from 'typebox'
import { Type } from 'typebox'
import { Check, Clean } from 'typebox/value'
import type { Call } from '#contract/calls.ts'
import type { ErrorCode } from '#contract/error-table.ts'
import { THREE_DS_LIMITS } from '#contract/page.ts'
import { MERCHANT_HEADER, shopperAddress } from '#contract/paths.ts'
import * as calls from '#contract/shopper-calls.ts'
import { parseJson } from '../../parse-json.ts'
import { createThreeDSFrames, NoSandbox, type BankAction, type FramePorts } from './three-ds-frames.ts'

/** A call that was refused: its code, or its status where it has none. */
interface Refused {
  readonly refused: string
}

const isRefused = (value: object): value is Refused => 'refused' in value

type Authentication = 'none' | 'without a challenge' | 'with a challenge'

export type PaymentEnding =
  | { readonly ended: 'paid' }
  /** `code`: of the call that was refused, or what went wrong in the frames. */
  | { readonly ended: 'not paid'; readonly code: string }
  /** The acquirer has not said yet what became of the charge. */
  | { readonly ended: 'unknown' }
  /** Nothing was tried: `code` is that of the first call. */
  | { readonly ended: 'not started'; readonly code: string }
  | { readonly ended: 'no sandbox'; readonly host: string }

export interface TestPayment {
  readonly ending: PaymentEnding
  readonly authentication: Authentication
}

interface TestCheckout {
  readonly checkoutId: string
  /** Of its page, such as http://demo.localhost:3000. */
  readonly origin: string
}

interface PayingWith {
  readonly number: string
  readonly email: string
  readonly atBank: BankAction
}

const CARD = { expiryMonth: 12, expiryYear: 2099, cvc: '123', name: 'TARO YAMADA' } as const

const POLL_MS = 1000
/** The sandbox ends every challenge that nobody answers in half of it. */
const POLLS_MAX = 60
/** The acquirer's slowest card takes half a minute, and an inquiry follows: three minutes. */
const CONFIRM_MS = 2000
const READS_MAX = 90

/** Refusals of a start after which the shopper sees "Payment failed.": the payment was tried. */
const TRIED = ['card_declined', 'authentication_unavailable']

const IN_DOUBT = 'payment_in_progress' satisfies ErrorCode
const NOTHING = 'nothing_charged' satisfies ErrorCode

const ErrorAnswer = Type.Object({ code: Type.String() })

export const payAsThePageDoes = async (
  ports: FramePorts,
  { checkoutId, origin }: TestCheckout,
  { number, email, atBank }: PayingWith,
): Promise<TestPayment> => {
  const { send, sleep } = ports
  const frames = createThreeDSFrames(ports, 'kaikei sandbox pay')
  const merchant = new URL(origin).hostname.split('.')[0] ?? ''

  const ask = async <Path extends TSchema, Body extends TSchema, Answer extends TSchema>(
    call: Call<Path, Body, Answer> & { readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' },
    values: Readonly<Record<string, string>>,
    body?: object,
  ): Promise<Static<Answer> | Refused> => {
    const { method } = call
    if (method === 'PUT' || method === 'DELETE') throw new Error(`a payment sends no ${method}`)
    const { status, text } = await send({
      method,
      url: new URL(shopperAddress(call, values), origin),
      headers: {
        [MERCHANT_HEADER]: merchant,
        'user-agent': 'kaikei sandbox pay',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const json = parseJson(text)
    const answer = status === call.status ? Clean(call.answer, json) : undefined
    if (Check(call.answer, answer)) return answer
    return { refused: Check(ErrorAnswer, json) ? json.code : `HTTP ${status}` }
  }

  /** As the page reads before it speaks: what the checkout says is what happened. */
  const readEnding = async (code: string): Promise<PaymentEnding> => {
    for (let reads = 0; reads < READS_MAX; reads += 1) {
      const read = await ask(calls.readCheckout, { checkoutId })
      if (!isRefused(read) && read.status === 'paid') return { ended: 'paid' }
      // A doubt that has ended without a charge: what the pay call said of it is over.
      if (!isRefused(read) && !read.paymentPending)
        return { ended: 'not paid', code: code === IN_DOUBT ? NOTHING : code }
      await sleep(CONFIRM_MS)
    }
    return { ended: 'unknown' }
  }

  const pay = async (orderCode: string): Promise<PaymentEnding> => {
    const body = { cvc: CARD.cvc, locale: 'ja_JP', receiptEmail: email }
    const paid = await ask(calls.pay, { checkoutId, orderCode }, body)
    return readEnding(isRefused(paid) ? paid.refused : NOTHING)
  }

  const giveUp = async (
    report: typeof calls.reportCollectError,
    orderCode: string,
    code: string,
  ): Promise<PaymentEnding> => {
    await ask(report, { orderCode })
    return readEnding(code)
  }

  const isResultReady = async (orderCode: string): Promise<boolean> => {
    for (let polls = 0; polls < POLLS_MAX; polls += 1) {
      const monitored = await ask(calls.monitorChallenge, { orderCode })
      if (!isRefused(monitored) && monitored.event === 'AuthResultReady') return true
      await sleep(POLL_MS)
    }
    return false
  }

  const challenge = async (orderCode: string, challengeUrl: string): Promise<PaymentEnding> => {
    const told = await frames.answerChallenge(challengeUrl, atBank)
    const unknown = told.find((message) => message !== '3DS_AUTH_RESULT_READY')
    if (unknown !== undefined) return giveUp(calls.reportChallengeError, orderCode, 'unknown event in the challenge')
    if (told.length > 0 || (await isResultReady(orderCode))) return pay(orderCode)
    return giveUp(calls.reportChallengeError, orderCode, 'challenge not answered')
  }

  const run = async (): Promise<TestPayment> => {
    const card = { number, email, ...CARD }
    const started = await ask(calls.startPayment, { checkoutId }, { card })
    if (isRefused(started)) {
      const { refused: code } = started
      const ending = TRIED.includes(code) ? await readEnding(code) : ({ ended: 'not started', code } as const)
      return { authentication: 'none', ending }
    }
    const { orderCode, collectUrl, monitoringUrl } = started
    if (!started.threeDSRequired || collectUrl === undefined || monitoringUrl === undefined)
      return { authentication: 'none', ending: await pay(orderCode) }
    const first = await frames.collect({ collectUrl, monitoringUrl }, THREE_DS_LIMITS.collectLimitMs)
    if (first !== null && first !== '3DS_DO_AUTH') {
      const ending = await giveUp(calls.reportCollectError, orderCode, 'unknown event while collecting')
      return { authentication: 'none', ending }
    }
    const authenticated = await ask(calls.authenticate, { orderCode })
    if (isRefused(authenticated)) return { authentication: 'none', ending: await readEnding(authenticated.refused) }
    const { threeDSType, challengeUrl } = authenticated
    return threeDSType === 'challenge' && challengeUrl !== undefined
      ? { authentication: 'with a challenge', ending: await challenge(orderCode, challengeUrl) }
      : { authentication: 'without a challenge', ending: await pay(orderCode) }
  }

  try {
    return await run()
  } catch (error) {
    if (!(error instanceof NoSandbox)) throw error
    return { authentication: 'none', ending: { ended: 'no sandbox', host: error.message } }
  }
}
