/** Mail addresses: the operator or the address itself registers it, and it then gets the mails that were held back. */
import type { ChangedBy } from '../store/checkout/changes.ts'
import { MAIL_LIFETIME_MS } from '#payment/mail-retries.ts'
import { comparableAddress } from '#payment/erasure.ts'
import { UNREGISTERED } from '#payment/mail-permission.ts'
import type { Dependencies } from '../dependencies.ts'
import { confirmByToken, findByToken, registerByOperator, type MailAddressRef } from '../store/outbox/mail-addresses.ts'
import { refusedMailsTo } from '../store/outbox/mails.ts'
import { retryNamedMail } from './retry-outbox.ts'

type AddressDependencies = Pick<Dependencies, 'database' | 'clock'>

/** Sends the mails of the last 72 hours; older ones are out of date. Returns how many. */
const sendHeldBack = async (
  deps: AddressDependencies,
  ref: MailAddressRef,
  by: Pick<ChangedBy, 'actor' | 'why'>,
): Promise<number> => {
  const since = deps.clock.now() - MAIL_LIFETIME_MS
  const held = await refusedMailsTo(
    deps.database,
    { ...ref, address: comparableAddress(ref.address) },
    UNREGISTERED,
    since,
  )
  let sent = 0
  for (const mail of held) if (await retryNamedMail(deps, mail, by)) sent += 1
  return sent
}

/** `isNew`: the address was not registered before. */
export const registerMailAddress = async (
  deps: AddressDependencies,
  ref: MailAddressRef,
): Promise<{ readonly isNew: boolean; readonly mails: number }> => {
  const isNew = await registerByOperator(deps.database, ref, deps.clock.now())
  return { isNew, mails: await sendHeldBack(deps, ref, { actor: 'operator', why: 'the address was registered' }) }
}

/** State of a confirmation link. `gone`: unknown, or expired. */
export type ConfirmationLink = 'open' | 'confirmed' | 'gone'

export const readConfirmationLink = async (
  { database, clock }: AddressDependencies,
  merchantId: string,
  token: string,
): Promise<ConfirmationLink> => {
  const found = await findByToken(database, merchantId, token, clock.now())
  if (found === null) return 'gone'
  return found.registered === null ? 'open' : 'confirmed'
}

/** A link that was used before, or has expired, changes nothing. */
export const confirmMailAddress = async (
  deps: AddressDependencies,
  merchantId: string,
  token: string,
): Promise<void> => {
  const address = await confirmByToken(deps.database, merchantId, token, deps.clock.now())
  if (address === null) return
  await sendHeldBack(deps, { merchantId, address }, { actor: 'shopper', why: 'the address was confirmed' })
}
