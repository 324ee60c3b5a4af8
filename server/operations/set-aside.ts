/** Set aside: what cannot be read leaves its queue alone, with an alarm, until an operator puts it back or drops it. */
import { isMerchantMode } from '#contract/access.ts'
import type { AuditAction } from '#contract/console/audit.ts'
import type { SetAsideDecision, SetAsideOutcome } from '#contract/console/operator.ts'
import type { Instant } from '#contract/jst.ts'
import { readSaid } from '../gateways/adyen/parse-notification.ts'
import type { Dependencies } from '../dependencies.ts'
import { UnreadableRow } from '../store/engine/columns.ts'
import type { Sql, SqlValue } from '../store/engine/database.ts'
import { storeReadable } from '../store/merchant/acquirer-notifications.ts'
import {
  dropSetAside,
  findSetAside,
  idOfKey,
  mayBeDropped,
  putBack,
  setAside,
  type NamedSetAside,
  type NewSetAside,
  type Queue,
  type SetAside,
} from '../store/merchant/set-aside.ts'
import { noteAtShop, type Changer } from './people/change-people.ts'

type SetAsideDependencies = Pick<Dependencies, 'database' | 'clock' | 'log'>

/** Once for each. The ids of other queues hold that of a checkout, which is a link to pay it. */
export const alarmSetAside = ({ log }: Pick<Dependencies, 'log'>, row: NewSetAside): void => {
  const { merchantId: merchant, queue, id, why } = row
  const named = queue === 'notifications' ? { code: id } : {}
  log.alarm('something cannot be read and was set aside', { merchant, call: queue, why, ...named })
}

interface RowOfQueue {
  readonly merchantId: string
  readonly queue: Queue
  readonly key: readonly SqlValue[]
}

/** Sets aside the row whose reading threw this. False: it is another error, after which the row may be tried again. */
export const setAsideUnreadable = async (
  { database, clock, log }: SetAsideDependencies,
  { merchantId, queue, key }: RowOfQueue,
  error: unknown,
): Promise<boolean> => {
  if (!(error instanceof UnreadableRow)) return false
  const row = { merchantId, queue, id: idOfKey(key), why: error.message, said: null }
  if (await setAside(database, row, clock.now())) alarmSetAside({ log }, row)
  return true
}

const ACTIONS = {
  'looked at': 'set_aside_read',
  'put back': 'set_aside_retried',
  dropped: 'set_aside_dropped',
} as const satisfies Partial<Readonly<Record<SetAsideOutcome, AuditAction>>>

/** The queue reads the row again, and sets it aside again if it cannot. */
const retry = async (sql: Sql, found: SetAside, now: Instant): Promise<SetAsideOutcome> => {
  if (found.said !== null) {
    const [mode = ''] = found.id.split(' ')
    const scope = isMerchantMode(mode) ? { merchantId: found.merchantId, mode } : null
    const notification = scope === null ? null : readSaid(found.said, scope, found.at)
    if (notification === null) return 'still unreadable'
    await storeReadable(sql, [notification])
  }
  return (await putBack(sql, found, now)) ? 'put back' : 'gone'
}

const drop = async (sql: Sql, found: SetAside, now: Instant): Promise<SetAsideOutcome> => {
  if (!mayBeDropped(found.queue)) return 'never dropped'
  return (await dropSetAside(sql, found, now)) ? 'dropped' : 'gone'
}

/** Looks at it, has it tried again or drops it, with a line in the operator's audit list. */
export const decideSetAside = (
  { database, clock, random }: Pick<Dependencies, 'database' | 'clock' | 'random'>,
  named: NamedSetAside,
  decision: SetAsideDecision,
  by: Changer,
): Promise<{ readonly outcome: SetAsideOutcome; readonly said: string | null }> =>
  database.transact(async (sql) => {
    const now = clock.now()
    const found = await findSetAside(sql, named)
    if (found === null) return { outcome: 'gone', said: null }
    const outcome =
      decision === 'look'
        ? 'looked at'
        : decision === 'retry'
          ? await retry(sql, found, now)
          : await drop(sql, found, now)
    if (outcome === 'looked at' || outcome === 'put back' || outcome === 'dropped') {
      const { queue, id, shop, why } = found
      const details = shop === null ? why : `${shop}: ${why}`
      await noteAtShop(sql, random, null, { by, action: ACTIONS[outcome], subject: `${queue} ${id}`, details, at: now })
    }
    return { outcome, said: decision === 'look' ? found.said : null }
  })
