/** Planted webhook bugs: faults that lose, double or delay what a merchant is told. */
import type { PlantedBug } from './planted-bug.ts'

export const WEBHOOK_PLANTED_BUGS: readonly PlantedBug[] = [
  {
    name: 'fan-out loses what is more than twenty deliveries',
    file: 'server/store/outbox/fan-out.ts',
    find: 'if (wants(endpoint, type)) made.push',
    replace: 'if (wants(endpoint, type) && made.length < 20) made.push',
    caughtBy: 'proof/webhooks/webhooks.test.ts',
  },
  {
    name: 'two events of a checkout have the same number',
    file: 'server/store/checkout/transitions.ts',
    find: 'const count = locked.eventCount + events.length',
    replace:
      'const count = locked.eventCount + Math.min(events.length, 1) * (transitions.refunds === undefined ? 1 : 0)',
    also: [
      {
        file: 'server/store/engine/migrations/0009-events.sql',
        find: 'CREATE UNIQUE INDEX events_sequence',
        replace: 'CREATE INDEX events_sequence',
      },
    ],
    caughtBy: 'proof/webhooks/webhooks.test.ts',
  },
  {
    name: 'the lease of a delivery never ends',
    file: 'server/store/outbox/deliveries.ts',
    find: 'now + DELIVERY_LEASE_MS, eventId',
    replace: 'now + DELIVERY_LEASE_MS * 1e6, eventId',
    caughtBy: 'proof/webhooks/webhooks.test.ts',
  },
  {
    name: 'an endpoint that is gone is sent what waited',
    file: 'payment/webhook-retries.ts',
    find: 'const GONE = 410',
    replace: 'const GONE = 411',
    caughtBy: 'proof/webhooks/webhooks.test.ts',
  },
  {
    name: 'an endpoint that fails may have every place',
    file: 'server/background/webhooks/webhook-worker.ts',
    find: 'const CONCURRENCY = 64',
    replace: 'const CONCURRENCY = 4',
    caughtBy: 'proof/webhooks/webhooks.test.ts',
  },
]
