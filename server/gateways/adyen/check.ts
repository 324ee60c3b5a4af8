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

const ROLES =
  'Give the API credential the roles "Checkout webservice role", "Merchant PAL Webservice role" and "API PCI Payments role" (Customer Area, Developers, API credentials); Adyen adds the last one on request.'

const NO_ANSWER: AccountProblem = {
  problem: 'Adyen did not answer',
  mend: 'Check the API base, the network and the proxy of this server, then try again.',
}

const keyProblem = ({ status, body }: AcquirerReply, { mode }: AdyenAccount): AccountProblem | null => {
  if (status >= 200 && status < 300 && Check(CancelAnswer, body)) return null
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
  if (status === 403) return { problem: 'The API key lacks a role', mend: ROLES }
  return {
    problem: `Adyen answered HTTP ${status}`,
    mend: 'Check the API base, and status.adyen.com; then try again.',
  }
}

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

const webhookProblem = ({ address, hasArrived }: Webhook): AccountProblem | null =>
  hasArrived
    ? null
    : {
        problem: 'No notification of Adyen has arrived that is signed with this HMAC key',
        mend: `Add a standard webhook (Customer Area, Developers, Webhooks) with the URL ${address}, method JSON and this HMAC key. This check has asked Adyen for a notification: check again in some minutes.`,
      }

/**
 * One line for each thing that is wrong; none: all is well. Whether raw card numbers are taken, and whether mpiData shifts the
 * liability, only a payment shows.
 */
export const checkAdyenAccount = async (
  account: AdyenAccount,
  webhook: Webhook,
  clock: Pick<Clock, 'now'>,
): Promise<readonly AccountProblem[]> => {
  const call = { path: '/cancels', body: cancelByReferenceBody(account, NO_PAYMENT) }
  const problem = await sendToAdyen(account, call, { signal: AbortSignal.timeout(CHECK_TIMEOUT_MS), clock }).then(
    (reply) => keyProblem(reply, account),
    () => NO_ANSWER,
  )
  return [problem, reportProblem(account), webhookProblem(webhook)].filter((each) => each !== null)
}
