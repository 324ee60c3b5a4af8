/** Adyen, check of an account: whether its keys work, are of this mode and may do what a shop needs. */
import { Check } from 'typebox/value'
import type { Clock } from '#payment/ports.ts'
import type { AcquirerReply } from '../acquirer-http.ts'
import type { AccountProblem } from '../credentials.ts'
import type { AdyenAccount } from './account.ts'
import { sendToAdyen } from './client.ts'
import { cancelByReferenceBody } from './translate.ts'
import { CancelAnswer, ServiceError } from './wire.ts'

const CHECK_TIMEOUT_MS = 10_000

/** No payment has this reference: a cancel of it changes nothing, and Adyen tells of it by a signed notification. */
const NO_PAYMENT = 'kaikei-check'

const WHERE = '(Customer Area, Developers, API credentials, Roles)'

const NO_CARD_ROLE: AccountProblem = {
  problem: 'The API key may not send payments with card numbers',
  mend: `Give the API credential the roles "Checkout webservice role" and "API PCI Payments role" ${WHERE}; Adyen’s support adds the second on request, for those who handle card numbers by PCI DSS. The key stays the same: run this check again.`,
}
const NO_MODIFICATION_ROLE: AccountProblem = {
  problem: 'The API key may not capture, cancel and refund',
  mend: `Give the API credential the role "Merchant PAL Webservice role" ${WHERE}. The key stays the same: run this check again.`,
}

const NO_ANSWER: AccountProblem = {
  problem: 'Adyen did not answer',
  mend: 'Check the API base, the network and the proxy of this server, then try again.',
}

/** `lacking`: what a key without a role for this call lacks. */
const callProblem = (
  { status, body }: AcquirerReply,
  { mode }: AdyenAccount,
  lacking: AccountProblem,
): AccountProblem | null => {
  const code = Check(ServiceError, body) ? body.errorCode : null
  if (status === 401)
    return {
      problem: `Adyen does not accept the API key in ${mode} mode`,
      mend: `Give the key of a web service user of the ${mode} Customer Area: keys of the other mode do not work here.`,
    }
  if (code === '901')
    return {
      problem: 'Adyen does not know the merchant account, or the API key has no access to it',
      mend: 'Compare merchantAccount with the Customer Area (Settings, Merchant accounts), and add it to the API credential.',
    }
  return status === 403 ? lacking : null
}

const odd = (status: number): AccountProblem => ({
  problem: `Adyen answered HTTP ${status}`,
  mend: 'Check the API base, and status.adyen.com; then try again.',
})

/** Nobody can be charged by it: its number fails the check digit. A key without the roles is refused before that is seen. */
const impossiblePayment = ({ merchantAccount }: AdyenAccount, returnUrl: string): object => ({
  merchantAccount,
  reference: NO_PAYMENT,
  amount: { value: 100, currency: 'JPY' },
  paymentMethod: {
    type: 'scheme',
    number: '4111111111111112',
    expiryMonth: '12',
    expiryYear: '2050',
    cvc: '737',
    holderName: 'KAIKEI CHECK',
  },
  returnUrl,
  channel: 'Web',
  shopperInteraction: 'Ecommerce',
  additionalData: { manualCapture: 'true' },
})

/** Adyen's own words for a request that it read and did not like, or a refusal of the card. */
const isAnswerAboutCard = ({ status, body }: AcquirerReply): boolean =>
  status === 200 || ((status === 400 || status === 422) && Check(ServiceError, body))

const paymentProblem = (reply: AcquirerReply, account: AdyenAccount): AccountProblem | null =>
  callProblem(reply, account, NO_CARD_ROLE) ?? (isAnswerAboutCard(reply) ? null : odd(reply.status))

const isReceived = ({ status, body }: AcquirerReply): boolean =>
  status >= 200 && status < 300 && Check(CancelAnswer, body)

const cancelProblem = (reply: AcquirerReply, account: AdyenAccount): AccountProblem | null =>
  callProblem(reply, account, NO_MODIFICATION_ROLE) ?? (isReceived(reply) ? null : odd(reply.status))

const reportProblem = ({ reportApiKey }: AdyenAccount): AccountProblem | null =>
  reportApiKey === null
    ? {
        problem: 'There is no reportApiKey, so nothing can be reconciled',
        mend: 'Create a report user (Customer Area, Developers, API credentials, role "Merchant Report role") and add its API key.',
      }
    : null

interface Webhook {
  /** Where Adyen must send its notifications. */
  readonly address: string
  /** Whether one that was signed with the account's HMAC key has ever arrived. */
  readonly hasArrived: boolean
}

const webhookProblem = ({ address, hasArrived }: Webhook, isAskedFor: boolean): AccountProblem | null =>
  hasArrived
    ? null
    : {
        problem: 'No notification of Adyen has arrived that is signed with this HMAC key',
        mend: `Add a standard webhook (Customer Area, Developers, Webhooks) with the URL ${address}, method JSON and this HMAC key. ${isAskedFor ? 'This check has asked Adyen for a notification: check again in some minutes.' : 'Then mend the rest and check again: only a check that Adyen accepts makes it send a notification.'}`,
      }

/**
 * One line for each thing that is wrong; none: all is well. Whether mpiData shifts the liability, and which brands are taken,
 * only a payment shows. The payment comes before the cancel of the same reference: whatever Adyen made of it would be undone.
 */
export const checkAdyenAccount = async (
  account: AdyenAccount,
  webhook: Webhook,
  clock: Pick<Clock, 'now'>,
): Promise<readonly AccountProblem[]> => {
  const ask = (path: string, body: object): Promise<AcquirerReply | null> =>
    sendToAdyen(account, { path, body }, { signal: AbortSignal.timeout(CHECK_TIMEOUT_MS), clock }).catch(() => null)
  const others = (isAskedFor: boolean): (AccountProblem | null)[] => [
    reportProblem(account),
    webhookProblem(webhook, isAskedFor),
  ]
  const found = (problems: readonly (AccountProblem | null)[]): readonly AccountProblem[] =>
    problems.filter((each) => each !== null)
  const paid = await ask('/payments', impossiblePayment(account, new URL(webhook.address).origin))
  if (paid === null) return found([NO_ANSWER, ...others(false)])
  const payment = paymentProblem(paid, account)
  // Without a key that works for this account, the other questions would be answered by nobody.
  if (payment !== null && payment !== NO_CARD_ROLE) return found([payment, ...others(false)])
  const cancelled = await ask('/cancels', cancelByReferenceBody(account, NO_PAYMENT))
  if (cancelled === null) return found([payment, NO_ANSWER, ...others(false)])
  return found([payment, cancelProblem(cancelled, account), ...others(isReceived(cancelled))])
}
