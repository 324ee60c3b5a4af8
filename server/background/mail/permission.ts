/** Permission of a mail: whether its address is registered and its caps have room, asked before it leaves. */
import { CONFIRMATION, mailRuleOf, MAIL_CAPS, nextMailDay, overCap, UNREGISTERED } from '#payment/mail-permission.ts'
import type { Instant } from '#contract/jst.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Sql } from '../../store/engine/database.ts'
import { isRegistered, markAsked, unmarkAsked } from '../../store/outbox/mail-addresses.ts'
import type { ClaimedConfirmation, ClaimedMail, MailOutcome } from '../../store/outbox/mail-claims.ts'
import { countedMail, countMail, keepBack, type CountedMail } from '../../store/outbox/mail-counts.ts'
import { confirmationWrite } from '../../store/outbox/mails.ts'

type PermissionDependencies = Pick<Dependencies, 'database' | 'log' | 'random'>

/** Counted, so that it may go; or what becomes of it instead. `counted` is null for a mail that was counted when it was asked for. */
export type Permission = { readonly counted: CountedMail | null } | { readonly instead: MailOutcome }

/** The first of a day calls a person: a key may be in the wrong hands. */
const ALARMED_AT = 1

/** Within its caps, and counted: null; or why not. */
const countWithin = async (
  sql: Sql,
  counted: CountedMail,
): Promise<{ readonly why: string; readonly isFirst: boolean } | null> => {
  const why = overCap(counted.class, await countMail(sql, counted))
  return why === null ? null : { why, isFirst: (await keepBack(sql, counted)) === ALARMED_AT }
}

/** After the commit: a transaction may run again, and an alarm cannot be rolled back. */
const alarmIfFirst = (
  { log }: Pick<Dependencies, 'log'>,
  { merchantId }: CountedMail,
  over: Awaited<ReturnType<typeof countWithin>>,
): void => {
  if (over?.isFirst === true) log.alarm('mails of a merchant are kept back', { merchant: merchantId, why: over.why })
}

/** Written with the note that it was: an address is asked once, whatever crashes. */
const askToConfirm = async (
  deps: PermissionDependencies,
  { merchantId, recipient, locale }: Exclude<ClaimedMail, ClaimedConfirmation>,
  now: Instant,
): Promise<void> => {
  const counted = countedMail({ class: CONFIRMATION, merchantId, recipient }, now)
  const over = await deps.database.transact(async (sql) => {
    const ref = { merchantId, address: recipient }
    if (!(await markAsked(sql, ref, now))) return null
    const overNow = await countWithin(sql, counted)
    // Without this it would not be asked on another day either.
    if (overNow !== null) await unmarkAsked(sql, ref)
    else await sql.writeAll(confirmationWrite({ merchantId, id: deps.random.id(), recipient, locale }, now))
    return overNow
  })
  alarmIfFirst(deps, counted, over)
}

export const askPermission = async (
  deps: PermissionDependencies,
  mail: ClaimedMail,
  now: Instant,
): Promise<Permission> => {
  if (mail.to === 'address') return { counted: null }
  const { merchantId, recipient } = mail
  const rule = mailRuleOf(mail.kind, mail.facts.mode)
  if (rule.needsRegistration && !(await isRegistered(deps.database, { merchantId, address: recipient }))) {
    await askToConfirm(deps, mail, now)
    return { instead: { outcome: 'refused', answer: UNREGISTERED } }
  }
  const counted = countedMail({ class: rule.class, merchantId, recipient }, now)
  const over = await countWithin(deps.database, counted)
  if (over === null) return { counted }
  alarmIfFirst(deps, counted, over)
  const answer = over.why
  return MAIL_CAPS[rule.class].over === 'is refused'
    ? { instead: { outcome: 'refused', answer } }
    : { instead: { outcome: 'waits', answer, until: nextMailDay(now) } }
}
