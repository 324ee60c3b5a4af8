/** Notification check: whether the shops that want mails about their payments can get them. */
import { NOTIFICATION_TOPICS } from '#contract/notification-settings.ts'
import { COMMAND_NAMES } from '../../config/release.ts'
import type { Sql } from '../../store/engine/database.ts'
import { registeredAmong } from '../../store/outbox/mail-addresses.ts'
import { listMerchants } from '../../store/merchant/merchants.ts'
import { recipientOf } from '../../store/outbox/notifications.ts'
import { firstThree, ok, warn, type Finding } from './finding.ts'

/** A merchant that is open, by its label. */
export interface NotifiedShop {
  readonly merchant: string
  /** It has chosen to be told of something. */
  readonly wantsMails: boolean
  readonly address: 'registered' | 'not registered' | 'none'
}

const named = (shops: readonly NotifiedShop[]): string => firstThree(shops.map(({ merchant }) => merchant))

export const judgeNotifications = (shops: readonly NotifiedShop[]): Finding => {
  const wanting = shops.filter(({ wantsMails }) => wantsMails)
  const without = wanting.filter(({ address }) => address === 'none')
  if (without.length > 0)
    return warn(
      `no address, though they want mails about their payments: ${named(without)}`,
      'the shop sets notifications.address or shopEmail in its settings.',
    )
  const unregistered = wanting.filter(({ address }) => address === 'not registered')
  if (unregistered.length > 0)
    return warn(
      `the address of these shops is not registered, so they are not told of their payments: ${named(unregistered)}`,
      `its owner confirms by the link that was mailed to it, or ${COMMAND_NAMES.program} mail-address add.`,
    )
  const registered = shops.filter(({ address }) => address === 'registered').length
  return ok(`${registered} of ${shops.length} shops have a registered address`)
}

export const readNotifiedShops = async (sql: Sql): Promise<NotifiedShop[]> => {
  // One whose settings cannot be read is named by the check of what is set aside.
  const open = (await listMerchants(sql, () => undefined)).filter(({ closedAt }) => closedAt === null)
  const shops = open.map(({ id, label, settings }) => {
    const address = recipientOf(settings)?.recipient ?? null
    const wantsMails = NOTIFICATION_TOPICS.some((topic) => settings.notifications[topic] === true)
    return { merchant: label, wantsMails, ref: address === null ? null : { merchantId: id, address } }
  })
  const isRegistered = await registeredAmong(
    sql,
    shops.flatMap(({ ref }) => ref ?? []),
  )
  return shops.map(({ merchant, wantsMails, ref }) => {
    const address = ref === null ? 'none' : isRegistered(ref) ? 'registered' : 'not registered'
    return { merchant, wantsMails, address }
  })
}
