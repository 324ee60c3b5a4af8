/** Missed events: those that were fanned out while an endpoint could not be read, and that it gets once it can. */
import type { Instant } from '#contract/jst.ts'
import { UnreadableRow } from '../engine/columns.ts'
import type { Database } from '../engine/database.ts'
import type { SetAside } from '../merchant/set-aside.ts'
import { lockEndpoint } from '../merchant/webhook-endpoints.ts'
import { replayNext, type EventPlace } from './fan-out.ts'

/** A transaction that has stored an event may have lasted so long: it is listed behind later ones. */
const LATE_EVENTS_MS = 60_000

/** Does nothing where it is another queue's, or still cannot be read. What it was sent already is not sent again. */
export const makeUpFor = async (
  database: Database,
  { merchantId, queue, id, at }: SetAside,
  now: Instant,
): Promise<void> => {
  if (queue !== 'endpoints') return
  try {
    for (let after: EventPlace | null = [at - LATE_EVENTS_MS, '']; after !== null;) {
      const place: EventPlace = after
      after = await database.transact(async (sql) => {
        const endpoint = await lockEndpoint(sql, { merchantId, endpointId: id })
        if (endpoint === null || endpoint.disabled !== null) return null
        const from: EventPlace = place[0] < endpoint.createdAt ? [endpoint.createdAt, ''] : place
        return (await replayNext(sql, endpoint, endpoint, from, now, 'once')).next
      })
    }
  } catch (error) {
    if (!(error instanceof UnreadableRow)) throw error
  }
}
