/** Person as the caller of the merchant API: who has signed in, for which shop and mode the call is, and whether the role allows it. */
import type { FastifyRequest } from 'fastify'
import { isMerchantMode, mayCall, needsConfirmingPasskey, type KeyAccess } from '#contract/access.ts'
import { MODE_HEADER } from '#contract/console/paths.ts'
import { ROLE_ACCESS, ROLES, type Role } from '#contract/console/roles.ts'
import { isRefusal, refuse, refuseField, type Refusal } from '#contract/errors.ts'
import { MERCHANT_HEADER } from '#contract/paths.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Caller } from '../../operations/caller.ts'
import { confirmationProblem, newPasskeyProblem } from '../../operations/people/passkeys.ts'
import { isMerchantLabel } from '../../origins.ts'
import { findMemberShop } from '../../store/merchant/callers.ts'
import { notYetLive, type CallNeeds } from '../api-key.ts'
import type { CountCall } from '../limits/key-limits.ts'
import type { CheckSession } from './session-check.ts'

/** The least role that may make a call of this access. */
const roleFor = (access: KeyAccess): Role => ROLES.findLast((role) => mayCall(ROLE_ACCESS[role], access)) ?? 'owner'

/** A text for a header that was sent once; '' for one that is missing. */
const headerText = ({ headers }: FastifyRequest, name: string): string => {
  const sent = headers[name]
  return typeof sent === 'string' ? sent : ''
}

/** `countCall`: counts the call, where it is asked for the first time. */
export type CheckPerson = (request: FastifyRequest, needs: CallNeeds, countCall: CountCall) => Promise<Caller | Refusal>

/**
 * Whose session makes a call, or why it may not. The membership is read for each call: a person who was removed from a shop
 * loses access with the next call. A shop that does not exist, and one that the person does not belong to, are answered alike.
 */
export const createPersonCheck =
  ({ database, clock }: Pick<Dependencies, 'database' | 'clock'>, checkSession: CheckSession): CheckPerson =>
  async (request, { access, cost, isRefund }, countCall) => {
    const signedIn = await checkSession(request)
    if (isRefusal(signedIn)) return signedIn
    const { person, session } = signedIn
    // A mailbox alone begins such a session.
    if (session.passkey === null) return refuse('passkey_needed')
    const [label, mode] = [headerText(request, MERCHANT_HEADER), headerText(request, MODE_HEADER)]
    if (label === '') return refuseField('Merchant', 'is missing. Send the label of the shop in this header.')
    if (!isMerchantMode(mode)) return refuseField('Mode', 'must be test or live. Send it in this header.')
    const retryAfterSeconds = countCall({ callerHash: person.id, mode, cost, isRefund })
    if (retryAfterSeconds > 0)
      return refuse('too_many_requests', { retryAfterSeconds }, 'You have made too many calls. Wait a little.')
    const found = isMerchantLabel(label) ? await findMemberShop(database, { label, mode, personId: person.id }) : null
    const needed = roleFor(access)
    if (found === null || !mayCall(ROLE_ACCESS[found.role], access)) return refuse('role_not_allowed', { needed })
    const { role, ...shop } = found
    if (shop.merchant.closedAt !== null) return refuse('shop_closed')
    if (notYetLive(shop) !== null) return refuse('shop_not_live')
    const now = clock.now()
    // A mailbox alone gets such a passkey too: it changes no settings and no webhooks before its day is over.
    const tooNew = needsConfirmingPasskey({ access, method: request.method }) ? newPasskeyProblem(session, now) : null
    const problem = tooNew ?? (isRefund ? confirmationProblem(session, now) : null)
    return problem ?? { ...shop, access: ROLE_ACCESS[role], by: { kind: 'person', person, session, role } }
  }
