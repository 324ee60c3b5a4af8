/** Set aside: what cannot be read leaves its queue alone, with an alarm, until an operator puts it back or drops it. */
import { isMerchantMode } from '#contract/access.ts'
import type { AuditAction } from '#contract/console/audit.ts'
import type { SetAsideDecision, SetAsideOutcome } from '#contract/console/operator.ts'
import { readSaid } from '../gateways/adyen/parse-notification.ts'
import type { Dependencies } from '../dependencies.ts'
import { withoutCardNumbers } from '../log.ts'
import { UnreadableRow } from '../store/engine/columns.ts'
import type { Sql, SqlValue } from '../store/engine/database.ts'
import { storeReadable } from '../store/merchant/acquirer-notifications.ts'
import {
  clearIfSetAside,
  dropSetAside,
  findSetAside,
  forgetSetAside,
  idOfKey,
  mayBeDropped,
  nextSetAside,
  putBack,
  setAside,
  type NamedSetAside,
  type NewSetAside,
  type Queue,
  type SetAside,
} from '../store/merchant/set-aside.ts'
import { openSaid } from '../store/merchant/set-aside-said.ts'
import { isSettingReadable } from '../store/merchant/unreadable-settings.ts'
import { makeUpFor } from '../store/outbox/missed-events.ts'
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

/** Of a row that stays in its queue: what was worked on can be read again. */
export const clearIfRead = ({ database }: Pick<Dependencies, 'database'>, row: RowOfQueue): Promise<void> =>
  mayBeDropped(row.queue) ? Promise.resolve() : clearIfSetAside(database, { ...row, id: idOfKey(row.key) })

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

const ACTIONS: Partial<Readonly<Record<SetAsideOutcome, AuditAction>>> = {
  'looked at': 'set_aside_read',
  'put back': 'set_aside_retried',
  'left its queue': 'set_aside_retried',
  dropped: 'set_aside_dropped',
}

/** Null: nothing was changed, and nothing shown. */
const actionOf = (outcome: SetAsideOutcome): AuditAction | null => ACTIONS[outcome] ?? null

type DecideDependencies = Pick<Dependencies, 'database' | 'clock' | 'random' | 'sealing'>

/** What an acquirer has said and stands in no row: stored by the rules of this release. */
const storeSaid = async (
  sql: Sql,
  { sealing }: DecideDependencies,
  found: SetAside,
  sealed: string,
): Promise<SetAsideOutcome> => {
  const [mode = ''] = found.id.split(' ')
  const said = openSaid(sealing, found, sealed)
  if (said === null || !isMerchantMode(mode)) return 'not whole'
  const read = readSaid(said, { merchantId: found.merchantId, mode }, found.at)
  if (read === 'cut') return 'not whole'
  if (read === 'unreadable') return 'still unreadable'
  await storeReadable(sql, [read])
  return (await forgetSetAside(sql, found)) ? 'put back' : 'gone'
}

/** The queue reads the row again, and sets it aside again if it cannot. */
const retry = async (sql: Sql, deps: DecideDependencies, found: SetAside): Promise<SetAsideOutcome> => {
  if (found.said !== null) return storeSaid(sql, deps, found, found.said)
  if (!(await isSettingReadable(sql, found))) return 'still unreadable'
  return putBack(sql, found, deps.clock.now())
}

const drop = async (sql: Sql, { clock }: DecideDependencies, found: SetAside): Promise<SetAsideOutcome> => {
  if (!mayBeDropped(found.queue)) return 'never dropped'
  return (await dropSetAside(sql, found, clock.now())) ? 'dropped' : 'gone'
}

const DECIDE = { retry, drop } as const

/** Masked: only an acquirer knows what it holds. */
const shownSaid = ({ sealing }: DecideDependencies, found: SetAside): string | null => {
  const said = found.said === null ? null : openSaid(sealing, found, found.said)
  return said === null ? null : withoutCardNumbers(said)
}

/** Looks at it, has it tried again or drops it, with a line in the operator's audit list. */
export const decideSetAside = async (
  deps: DecideDependencies,
  named: NamedSetAside,
  decision: SetAsideDecision,
  by: Changer,
): Promise<{ readonly outcome: SetAsideOutcome; readonly said: string | null }> => {
  const { database, clock, random } = deps
  const asked = decision === 'retry' ? await findSetAside(database, named) : null
  if (asked !== null) await makeUpFor(database, asked, clock.now())
  return database.transact(async (sql) => {
    const found = await findSetAside(sql, named)
    if (found === null) return { outcome: 'gone', said: null }
    const outcome = decision === 'look' ? 'looked at' : await DECIDE[decision](sql, deps, found)
    const action = actionOf(outcome)
    if (action !== null) {
      const { queue, id, shop, why } = found
      const details = shop === null ? why : `${shop}: ${why}`
      await noteAtShop(sql, random, null, { by, action, subject: `${queue} ${id}`, details, at: clock.now() })
    }
    return { outcome, said: decision === 'look' ? shownSaid(deps, found) : null }
  })
}

/** One transaction of short changes: payments come between two of them. */
const DECIDED_AT_ONCE = 100

/**
 * Decides about all of a queue that are set aside now, each as if it were named. Answers how many had which outcome. Of each
 * hundred one line in the operator's audit list.
 */
export const decideAllSetAside = async (
  deps: DecideDependencies,
  { shop, queue }: { readonly shop: string | null; readonly queue: string },
  decision: Exclude<SetAsideDecision, 'look'>,
  by: Changer,
): Promise<ReadonlyMap<SetAsideOutcome, number>> => {
  const { database, clock, random } = deps
  const all = new Map<SetAsideOutcome, number>()
  const which = { shop, queue, until: clock.now() }
  const next = (after: SetAside | null) => nextSetAside(database, which, after, DECIDED_AT_ONCE)
  for (let batch = await next(null); batch.length > 0; batch = await next(batch.at(-1) ?? null)) {
    if (decision === 'retry') for (const each of batch) await makeUpFor(database, each, clock.now())
    const outcomes = await database.transact(async (sql) => {
      const decided: SetAsideOutcome[] = []
      for (const each of batch) decided.push(await DECIDE[decision](sql, deps, each))
      const details = shop === null ? 'of every shop' : `of ${shop}`
      for (const [outcome, { length }] of Map.groupBy(decided, (one) => one)) {
        const action = actionOf(outcome)
        const noted = { by, subject: `${queue}: ${length}`, details: `${details}: ${outcome}`, at: clock.now() }
        if (action !== null) await noteAtShop(sql, random, null, { ...noted, action })
      }
      return decided
    })
    for (const outcome of outcomes) all.set(outcome, (all.get(outcome) ?? 0) + 1)
  }
  return all
}
