/** Set aside: what cannot be read leaves its queue alone, with an alarm, until an operator puts it back or drops it. */
import { isMerchantMode } from '#contract/access.ts'
import { readSaid } from '../gateways/adyen/parse-notification.ts'
import type { Dependencies } from '../dependencies.ts'
import { UnreadableRow } from '../store/engine/columns.ts'
import type { SqlValue } from '../store/engine/database.ts'
import { storeNotifications } from '../store/merchant/acquirer-notifications.ts'
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
} from '../store/merchant/set-aside.ts'

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

/** `still unreadable`: this release reads it no better. */
export type Retried = 'put back' | 'not set aside' | 'still unreadable'

/** The queue reads the row again, and sets it aside again if it cannot. */
export const retrySetAside = async (
  { database, clock }: Omit<SetAsideDependencies, 'log'>,
  named: NamedSetAside,
): Promise<Retried> => {
  const found = await findSetAside(database, named)
  if (found === null) return 'not set aside'
  if (found.said !== null) {
    const [mode = ''] = found.id.split(' ')
    const scope = isMerchantMode(mode) ? { merchantId: found.merchantId, mode } : null
    const notification = scope === null ? null : readSaid(found.said, scope, found.at)
    if (notification === null) return 'still unreadable'
    await storeNotifications(database, [notification])
  }
  return (await database.transact((sql) => putBack(sql, found, clock.now()))) ? 'put back' : 'not set aside'
}

export type Dropped = 'dropped' | 'not set aside' | 'never dropped'

export const dropNamed = async (
  { database, clock }: Omit<SetAsideDependencies, 'log'>,
  named: NamedSetAside,
): Promise<Dropped> => {
  const found = await findSetAside(database, named)
  if (found === null) return 'not set aside'
  if (!mayBeDropped(found.queue)) return 'never dropped'
  return (await dropSetAside(database, found, clock.now())) ? 'dropped' : 'not set aside'
}
