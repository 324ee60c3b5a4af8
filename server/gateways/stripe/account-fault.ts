/** Stripe, account fault: why it refuses the calls of an account, whatever card or amount they are about. */
import type { AcquirerReply } from '../acquirer-http.ts'
import { failureOf } from './failure.ts'

const messageOf = (reply: AcquirerReply): string => {
  const { message } = failureOf(reply) ?? {}
  return typeof message === 'string' ? message : ''
}

/** Stripe has no code for it: the address of its help page is what its message keeps. */
export const refusesCardNumbers = (reply: AcquirerReply): boolean =>
  failureOf(reply)?.type === 'invalid_request_error' && /raw-card-data|card numbers directly/.test(messageOf(reply))

/** Stripe's own word for a permission that a restricted key lacks, such as `rak_charge_write`; of its message nothing else is kept. */
export const missingPermission = (reply: AcquirerReply): string | undefined =>
  reply.status === 403 ? /\brak_[a-z_]{1,60}\b/.exec(messageOf(reply))?.[0] : undefined

/** Undefined: the answer is about the payment, not about the account. */
export const accountFaultOf = (reply: AcquirerReply): string | undefined => {
  if (reply.status === 401) return 'Stripe does not accept the key (HTTP 401)'
  if (reply.status === 403) return `the key lacks the permission ${missingPermission(reply) ?? 'for a call'} (HTTP 403)`
  return refusesCardNumbers(reply) ? 'Stripe takes no card numbers from the servers of this account' : undefined
}
