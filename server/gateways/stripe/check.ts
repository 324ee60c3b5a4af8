/** Stripe, check of an account: whether its key works, is of this mode and may do all that a shop needs. */
import { Check } from 'typebox/value'
import type { MerchantMode } from '#contract/access.ts'
import type { Clock } from '#payment/ports.ts'
import { systemClock } from '../../dependencies.ts'
import type { AcquirerReply } from '../acquirer-http.ts'
import type { AccountProblem } from '../credentials.ts'
import { missingPermission, refusesCardNumbers } from './account-fault.ts'
import { createStripeClient, type StripeAccount, type StripeClient } from './client.ts'
import { Balance } from './wire.ts'

const CHECK_TIMEOUT_MS = 10_000

const KEY = /^(?:sk|rk)_(test|live)_[A-Za-z0-9_]{8,240}$/

/** Undefined: no secret key of Stripe. */
const modeOfKey = (secretKey: string): MerchantMode | undefined => {
  const [, mode] = KEY.exec(secretKey) ?? []
  return mode === 'test' || mode === 'live' ? mode : undefined
}

const keyProblem = (secretKey: string, mode: MerchantMode): AccountProblem | undefined => {
  const ofKey = modeOfKey(secretKey)
  if (ofKey === mode) return undefined
  const mend = `give a restricted key that begins with rk_${mode}_ (Stripe’s dashboard, Developers, API keys).`
  if (ofKey !== undefined)
    return { problem: `the key is one of ${ofKey} mode, and the account is for ${mode} mode`, mend }
  return secretKey.startsWith('pk_')
    ? { problem: 'the key is a publishable key, which cannot charge a card', mend }
    : { problem: 'the key is no secret key of Stripe', mend }
}

/** A number that Stripe publishes for tests: in live mode it is declined, and in both it shows whether numbers are taken at all. */
const PUBLISHED_TEST_CARD = { number: '4242424242424242', exp_month: 12, exp_year: 2050, cvc: '737' } as const

type Request = (stripe: StripeClient, signal: AbortSignal) => Promise<AcquirerReply>

/**
 * Permissions of a restricted key as Stripe's dashboard names them, where charges and refunds have one, and a request that needs
 * each and changes nothing: without its fields, Stripe refuses a POST as malformed, but only after it has looked at the
 * permission.
 */
const PERMISSIONS: readonly (readonly [permission: string, request: Request])[] = [
  ['PaymentIntents: Write', (stripe, signal) => stripe.post('/payment_intents', {}, signal)],
  [
    'PaymentMethods: Write',
    (stripe, signal) => stripe.post('/payment_methods', { type: 'card', card: PUBLISHED_TEST_CARD }, signal),
  ],
  ['Charges and Refunds: Write', (stripe, signal) => stripe.post('/refunds', {}, signal)],
  ['Charges and Refunds: Read', (stripe, signal) => stripe.get('/charges', { limit: 1 }, signal)],
  ['Disputes: Read', (stripe, signal) => stripe.get('/disputes', { limit: 1 }, signal)],
]

const missing = (permission: string, reply: AcquirerReply): AccountProblem => {
  const word = missingPermission(reply)
  return {
    problem: `the key lacks the permission ${permission}${word === undefined ? '' : ` (${word})`}`,
    mend: 'add it to the restricted key (Stripe’s dashboard, Developers, API keys, Edit key). The key stays the same: run this check again.',
  }
}

const NO_ANSWER: AccountProblem = {
  problem: 'Stripe did not answer',
  mend: 'check the API base, the network and the proxy of this server, then try again.',
}
const odd = (status: number): AccountProblem => ({
  problem: `Stripe answered HTTP ${status}`,
  mend: 'check the API base, and status.stripe.com; then try again.',
})

const balanceProblem = (reply: AcquirerReply, mode: MerchantMode): AccountProblem | undefined => {
  const { status, body } = reply
  if (status === 401)
    return {
      problem: 'Stripe does not accept the key',
      mend: 'it may be revoked, expired or misspelt: create a new one (Stripe’s dashboard, Developers, API keys), and set it.',
    }
  if (status === 403) return missing('Balance: Read', reply)
  if (status !== 200 || !Check(Balance, body)) return odd(status)
  return body.livemode === (mode === 'live')
    ? undefined
    : { problem: `Stripe says that the key is not one of ${mode} mode`, mend: `give a key of ${mode} mode.` }
}

const permissionProblem = (permission: string, reply: AcquirerReply): AccountProblem | undefined => {
  if (reply.status === 403) return missing(permission, reply)
  if (refusesCardNumbers(reply))
    return {
      problem: 'Stripe takes no card numbers from the servers of this account',
      mend: 'ask Stripe’s support for access to the raw card data APIs, and for the import of 3-D Secure results; then run this check again.',
    }
  return [200, 400, 402].includes(reply.status) ? undefined : odd(reply.status)
}

interface Options {
  readonly clock?: Pick<Clock, 'now'>
  readonly timeLimit?: (ms: number) => AbortSignal
}

/**
 * All problems that can be seen without a payment; none: the account is ready. Whether Stripe has enabled the import of 3-D
 * Secure results for it, and which brands, only a payment shows.
 */
export const checkStripeAccount = async (
  account: StripeAccount,
  mode: MerchantMode,
  { clock = systemClock, timeLimit = (ms) => AbortSignal.timeout(ms) }: Options = {},
): Promise<readonly AccountProblem[]> => {
  const ofKey = keyProblem(account.secretKey, mode)
  if (ofKey !== undefined) return [ofKey]
  const stripe = createStripeClient(account, clock)
  const ask = (request: Request): Promise<AcquirerReply | null> =>
    request(stripe, timeLimit(CHECK_TIMEOUT_MS)).catch(() => null)
  const balance = await ask((client, signal) => client.get('/balance', {}, signal))
  if (balance === null) return [NO_ANSWER]
  const first = balanceProblem(balance, mode)
  // Without a key that works in this mode, the other questions would be answered by nobody.
  if (first !== undefined && balance.status !== 403) return [first]
  const problems = first === undefined ? [] : [first]
  for (const [permission, request] of PERMISSIONS) {
    const reply = await ask(request)
    if (reply === null) return [...problems, NO_ANSWER]
    const problem = permissionProblem(permission, reply)
    if (problem !== undefined) problems.push(problem)
  }
  return problems
}
