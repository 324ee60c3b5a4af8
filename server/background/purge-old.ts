/** Purges what is old: rows that nobody needs any more, each kind by its own retention. */
import type { Instant } from '#contract/jst.ts'
import { BROWSER_KEPT_MS, RETENTION, type Retention } from '#payment/retention.ts'
import type { Dependencies } from '../dependencies.ts'
import { errorFacts } from '../log.ts'
import { forgetOldAddresses } from '../store/erasure/old-addresses.ts'
import { forgetOldBrowsers } from '../store/checkout/authentications.ts'
import { forgetCancelledOpenings } from '../store/checkout/cancelled-openings.ts'
import { forgetOldKeys } from '../store/checkout/idempotency-keys.ts'
import { inBackground } from '../store/engine/urgency.ts'
import { forgetOldVelocity } from '../store/checkout/card-testing.ts'
import { forgetOldHours, sumShopHours } from '../store/checkout/shop-velocity-rows.ts'
import { clearEndpoints } from '../store/outbox/clear-endpoints.ts'
import { endLateWaits, forgetOldSendings } from '../store/outbox/deliveries.ts'
import { forgetOldEvents } from '../store/outbox/events.ts'
import { forgetUnconfirmed } from '../store/outbox/mail-addresses.ts'
import { endLateMailWaits } from '../store/outbox/mail-claims.ts'
import { forgetOldCounts } from '../store/outbox/mail-counts.ts'
import { emptyOldMails } from '../store/outbox/mails.ts'
import { forgetOldNotificationHours } from '../store/outbox/notification-hours.ts'
import { deleteOldChallenges } from '../store/people/challenges.ts'
import { deleteOldLinks } from '../store/people/links.ts'
import { deleteOldPersonMails, endLatePersonMailWaits } from '../store/people/person-mails.ts'
import { deleteOldSessions } from '../store/people/sessions.ts'
import { forgetOldAssets } from '../store/page/page-assets.ts'
import { forgetOldReconciliations } from '../store/reports/reconciliations.ts'

/**
 * Deletes, in batches and behind payments: cards and networks that the limits on card testing no longer need, the browser facts
 * of yesterday, old idempotency keys, cancelled openings of links, sessions, links and challenges of people that have ended, files of pages of earlier releases, and by their retention deliveries with their tries, events, the content of mails and the
 * addresses of shoppers. Ends waits that a wrong clock has left. What fails is tried again in the next round. While the clock
 * is not confirmed, nothing is deleted.
 */
export const purgeOld = async (
  { database, clock, clockCheck, log }: Dependencies,
  retention: Retention = RETENTION,
  isStopped: () => boolean = () => false,
): Promise<void> => {
  if (!clockCheck.isConfirmed()) return
  const before = (keptMs: number): Instant => clock.now() - keptMs
  const batches: readonly (() => Promise<boolean>)[] = [
    () => forgetOldVelocity(database, clock.now()),
    () => forgetOldHours(database, clock.now()),
    () => forgetOldBrowsers(database, before(BROWSER_KEPT_MS)),
    () => forgetOldKeys(database, clock.now()),
    () => forgetCancelledOpenings(database, clock.now()),
    () => clearEndpoints(database),
    () => forgetOldSendings(database, before(retention.deliveriesMs)),
    () => endLateWaits(database, clock.now()),
    () => endLateMailWaits(database, clock.now()),
    () => forgetOldEvents(database, before(retention.eventsMs)),
    () => emptyOldMails(database, before(retention.mailsMs)),
    () => forgetUnconfirmed(database, clock.now()),
    () => forgetOldCounts(database, clock.now()),
    () => forgetOldNotificationHours(database, clock.now()),
    () => deleteOldSessions(database, clock.now()),
    () => deleteOldChallenges(database, clock.now()),
    () => deleteOldLinks(database, clock.now()),
    () => deleteOldPersonMails(database, clock.now()),
    () => endLatePersonMailWaits(database, clock.now()),
    () => forgetOldAssets(database, clock.now()),
    () => forgetOldReconciliations(database, clock.now()),
    () => forgetOldAddresses(database, before(retention.addressesMs)),
  ]
  try {
    // Before their cards are deleted.
    await inBackground(() => sumShopHours(database, clock.now()))
    for (const nextBatch of batches) while (!isStopped() && (await inBackground(nextBatch)));
  } catch (error) {
    log.error('a round of the worker failed', errorFacts(error))
  }
}
