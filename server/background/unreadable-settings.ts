/** Unreadable settings: shops, accounts and endpoints that no queue reads one by one, named until they can be read again. */
import type { Dependencies } from '../dependencies.ts'
import { errorFacts } from '../log.ts'
import { alarmSetAside } from '../operations/set-aside.ts'
import { inBackground } from '../store/engine/urgency.ts'
import { forgetSetAside, insertSetAside, nextSetAside, type SetAside } from '../store/merchant/set-aside.ts'
import { isSettingReadable, nextUnreadableSettings, SETTINGS_QUEUES } from '../store/merchant/unreadable-settings.ts'
import { makeUpFor } from '../store/outbox/missed-events.ts'

type SettingsDependencies = Pick<Dependencies, 'database' | 'clock' | 'log'>

/** Names each row that cannot be read, once. It stays where it is, and is read as ever. */
export const setAsideUnreadableSettings = async (
  deps: SettingsDependencies,
  isStopped: () => boolean = () => false,
): Promise<void> => {
  const { database, clock, log } = deps
  try {
    for (let after: string | null = ''; after !== null && !isStopped();) {
      const from: string = after
      const page = await inBackground(() => nextUnreadableSettings(database, from))
      for (const row of page.unreadable) if (await insertSetAside(database, row, clock.now())) alarmSetAside(deps, row)
      after = page.next
    }
  } catch (error) {
    log.error('a round of the worker failed', errorFacts(error))
  }
}

const AT_ONCE = 100

/** Those that can be read are named no more, and an endpoint gets the events that it has missed. */
export const putBackReadableSettings = async (
  { database, clock, log }: SettingsDependencies,
  isStopped: () => boolean = () => false,
): Promise<void> => {
  const putBackIfReadable = async (found: SetAside): Promise<void> => {
    if (!(await isSettingReadable(database, found))) return
    await makeUpFor(database, found, clock.now())
    await forgetSetAside(database, found)
  }
  try {
    for (const queue of SETTINGS_QUEUES) {
      const next = (after: SetAside | null) =>
        nextSetAside(database, { shop: null, queue, until: clock.now() }, after, AT_ONCE)
      for (let batch = await next(null); batch.length > 0 && !isStopped(); batch = await next(batch.at(-1) ?? null))
        for (const found of batch) await inBackground(() => putBackIfReadable(found))
    }
  } catch (error) {
    log.error('a round of the worker failed', errorFacts(error))
  }
}
