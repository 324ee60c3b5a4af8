/** Retention settings: after how many days what is of no use any more is forgotten. */
import { RETENTION_DAYS, retentionOf, type Retention } from '#payment/retention.ts'
import { Problem, wholeNumber, type Environment } from './readers.ts'

/** Ten years: whoever wants to keep for longer wants to keep for ever. */
const DAYS_MAX = 3650

/** A delivery is tried for up to four days, and a mail for three: what is still under way must be there. */
const DELIVERIES_DAYS_MIN = 7
const MAILS_DAYS_MIN = 4

/** A payment claimed on the last day of a link is paid within 180 days of its creation. */
const ADDRESSES_DAYS_MIN = 190

export const readRetention = (env: Environment): Retention => {
  const days = (name: string, from: number, otherwise: number): number =>
    wholeNumber(env, name, { from, to: DAYS_MAX, otherwise })
  const deliveries = days('KEEP_DELIVERIES_DAYS', DELIVERIES_DAYS_MIN, RETENTION_DAYS.deliveries)
  const events = days('KEEP_EVENTS_DAYS', DELIVERIES_DAYS_MIN, RETENTION_DAYS.events)
  if (events < deliveries)
    throw new Problem(
      `KEEP_EVENTS_DAYS is ${events} and KEEP_DELIVERIES_DAYS ${deliveries}: an event must be kept as long as its deliveries; raise the first or lower the second.`,
    )
  return retentionOf({
    deliveries,
    events,
    mails: days('KEEP_MAILS_DAYS', MAILS_DAYS_MIN, RETENTION_DAYS.mails),
    addresses: days('KEEP_ADDRESSES_DAYS', ADDRESSES_DAYS_MIN, RETENTION_DAYS.addresses),
  })
}
