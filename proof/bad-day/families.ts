/** Families of attacks, as `npm run prove -- bad-day <family>` names them. */
import type { Attack } from './attacked-server.ts'
import { cardTesting } from './card-testing.ts'
import { clocks } from './clocks.ts'
import { diskFull } from './disk-full.ts'
import { floods } from './floods.ts'
import { liveLimits } from './live-limits.ts'
import { misuse } from './misuse.ts'
import { outbox } from './outbox.ts'
import { requestCost } from './request-cost.ts'
import { sqlite } from './sqlite.ts'

export const FAMILIES: Readonly<Record<string, readonly Attack[]>> = {
  'request-cost': requestCost,
  floods,
  'card-testing': [...cardTesting, ...liveLimits],
  sqlite,
  clocks,
  'disk-full': diskFull,
  outbox,
  misuse,
}
