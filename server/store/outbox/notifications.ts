/** Notifications: mails that tell a shop of its events, stored when the events are fanned out. */
import { isEventType } from '#contract/merchant/events.ts'
import type { Instant } from '#contract/jst.ts'
import type { MerchantMode } from '#contract/access.ts'
import type { NotificationTopic } from '#contract/notification-settings.ts'
import {
  amountOf,
  isTold,
  mailsLeft,
  notificationDueAt,
  notificationFacts,
  topicOf,
} from '#payment/notification-mails.ts'
import { isMailAddress } from '../../config/mail.ts'
import { text } from '../engine/columns.ts'
import type { Sql, Write } from '../engine/database.ts'
import type { NewSetAside } from '../merchant/set-aside.ts'
import { readEvents } from './events.ts'
import { registeredAmong } from './mail-addresses.ts'
import { notificationsWrite, type NewNotification } from './mails.ts'
import { readShops, type MerchantSettings } from '../merchant/merchants.ts'
import { addToHour, nameOfTopic, NONE_TOLD, readMailsTold, type AddedToHour } from './notification-hours.ts'

/** An event that is fanned out now. */
export interface FannedOutEvent {
  readonly merchantId: string
  readonly id: string
  readonly mode: MerchantMode
  readonly type: string
  /** Whether an endpoint of this mode is enabled. */
  readonly hasWebhook: boolean
}

/** Address and language of the mails to a shop, from its settings. Null: it has no address. */
export const recipientOf = ({
  notifications,
  receipt,
  locale,
}: MerchantSettings): Pick<NewNotification, 'recipient' | 'locale'> | null => {
  const recipient = notifications.address ?? receipt.shopEmail
  return isMailAddress(recipient) ? { recipient, locale: notifications.locale ?? locale } : null
}

interface ToldEvent extends Pick<NewNotification, 'recipient' | 'locale'> {
  readonly event: FannedOutEvent
  readonly topic: NotificationTopic
}

type SetAsideShop = (row: NewSetAside) => Promise<void>

/** The events of which a shop wants a mail. Whether one whose settings cannot be read wants any, nobody knows: it gets none. */
const eventsTold = async (
  sql: Sql,
  events: readonly FannedOutEvent[],
  setAsideShop: SetAsideShop,
): Promise<ToldEvent[]> => {
  const known = events.flatMap((event) => {
    const topic = isEventType(event.type) ? topicOf(event.type) : null
    return topic === null ? [] : [{ event, topic }]
  })
  if (known.length === 0) return []
  const unreadable: NewSetAside[] = []
  const shops = await readShops(
    sql,
    known.map(({ event }) => event.merchantId),
    (row, { message: why }) =>
      void unreadable.push({ merchantId: text(row, 'id'), queue: 'shops', id: 'settings', why, said: null }),
  )
  for (const each of unreadable) await setAsideShop(each)
  const wanted = known.flatMap(({ event, topic }) => {
    const settings = shops.get(event.merchantId)?.settings
    const recipient = settings === undefined ? null : recipientOf(settings)
    const told = settings === undefined ? 'no' : isTold(settings.notifications[topic], event)
    return recipient === null || told === 'no' ? [] : [{ event, topic, told, ...recipient }]
  })
  const refOf = ({ event, recipient }: ToldEvent) => ({ merchantId: event.merchantId, address: recipient })
  const isRegistered = await registeredAmong(sql, wanted.filter(({ told }) => told === 'if registered').map(refOf))
  return wanted.filter((each) => each.told === 'yes' || isRegistered(refOf(each)))
}

/**
 * The mails about these events, for the transaction that fans them out: a crash loses none and doubles none. A shop gets so
 * many in an hour and a day one by one; those beyond are added up, for one mail after the hour. What is counted here is read
 * and written under the lock of the list of events. A payment is not made dearer by it; a batch of events is by one statement
 * where a shop might be told, and by five at most where one is.
 */
export const notificationsOf = async (
  sql: Sql,
  events: readonly FannedOutEvent[],
  now: Instant,
  setAsideShop: SetAsideShop,
): Promise<Write[]> => {
  const told = await eventsTold(sql, events, setAsideShop)
  if (told.length === 0) return []
  const counts = await readMailsTold(
    sql,
    told.map(({ event }) => event),
    now,
  )
  const stored = new Map(
    (
      await readEvents(
        sql,
        told.map(({ event }) => event),
      )
    ).map((event) => [event.id, event]),
  )
  const added = new Map<string, AddedToHour>()
  const mails: NewNotification[] = []
  for (const { event, topic, recipient, locale } of told) {
    const content = stored.get(event.id)
    if (content === undefined) continue
    const { merchantId, mode } = event
    const ref = { merchantId, mode, topic }
    const name = nameOfTopic(ref)
    const { ofHour, ofDay } = counts.get(name) ?? NONE_TOLD
    const sum = added.get(name) ?? { ...ref, mails: 0, held: 0, heldYen: 0 }
    const left = mailsLeft(mode, { ofHour: ofHour + sum.mails, ofDay: ofDay + sum.mails })
    const facts = notificationFacts(content, left === 1)
    if (facts === null) continue
    if (left === 0) {
      added.set(name, { ...sum, held: sum.held + 1, heldYen: sum.heldYen + amountOf(content) })
      continue
    }
    added.set(name, { ...sum, mails: sum.mails + 1 })
    const dueAt = notificationDueAt(facts, content.createdAt, now)
    mails.push({ merchantId, id: event.id, recipient, locale, facts, dueAt })
  }
  if (added.size > 0) await addToHour(sql, [...added.values()], now)
  return notificationsWrite(mails, now)
}
