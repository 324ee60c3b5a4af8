/** Settings of a shop: what its merchant reads, and changes field by field. */
import { domainToUnicode } from 'node:url'
import { isRefusal, refuse, type Refusal } from '#contract/errors.ts'
import type { ChangeSettingsBody, SettingsFields } from '#contract/merchant/settings.ts'
import { readLinkHosts } from '#payment/link-address.ts'
import { readShopFacts, refuseMailAddress } from '#payment/shop-facts.ts'
import { isMailAddress } from '../config/mail.ts'
import type { Log } from '../log.ts'
import type { Dependencies } from '../dependencies.ts'
import { changeSettings, type MerchantSettings } from '../store/merchant/merchants.ts'
import type { Caller } from './caller.ts'

const orNull = (text: string): string | null => (text === '' ? null : text)

/** The current values of the fields that a merchant may change. */
export const settingsFields = ({ receipt, setting, ...settings }: MerchantSettings): SettingsFields => ({
  shopName: receipt.shopName,
  shopAddress: orNull(receipt.shopAddress),
  shopPhoneNumber: orNull(receipt.shopPhoneNumber),
  shopEmail: orNull(receipt.shopEmail),
  shopUrl: orNull(receipt.shopUrl),
  colorCode: setting.colorCode,
  fontType: setting.fontType,
  locale: settings.locale,
  acceptedCardBrands: settings.acceptedCardBrands,
  allowExemption: settings.allowExemption,
  requireFullAuthentication: settings.requireFullAuthentication,
  linkHosts: settings.linkHosts,
  registrationNumber: settings.registrationNumber,
  notifications: settings.notifications,
})

type Change = (settings: MerchantSettings) => MerchantSettings

/** The change that a body asks for, or what is wrong with it. It does not depend on the current settings. */
const readChange = (body: ChangeSettingsBody): Change | Refusal => {
  const { shopName, shopAddress, shopPhoneNumber, shopEmail, shopUrl, colorCode, fontType, ...others } = body
  const { linkHosts, notifications = {}, ...rest } = others
  const facts = readShopFacts({ shopName, shopAddress, shopPhoneNumber, shopEmail, shopUrl }, domainToUnicode)
  if (isRefusal(facts)) return facts
  const hosts = linkHosts === undefined ? undefined : readLinkHosts(linkHosts, domainToUnicode)
  if (hosts !== undefined && isRefusal(hosts)) return hosts
  const { address = null } = notifications
  const wrong = address === null ? undefined : refuseMailAddress('notifications.address', address, isMailAddress)
  if (wrong !== undefined) return wrong
  return (settings) => ({
    ...settings,
    ...rest,
    linkHosts: hosts ?? settings.linkHosts,
    notifications: { ...settings.notifications, ...notifications },
    receipt: { ...settings.receipt, ...facts },
    setting: {
      ...settings.setting,
      colorCode: colorCode ?? settings.setting.colorCode,
      fontType: fontType ?? settings.setting.fontType,
    },
  })
}

const changedFields = (before: MerchantSettings, after: MerchantSettings): string[] => {
  const earlier = new Map(Object.entries(settingsFields(before)))
  return Object.entries(settingsFields(after))
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(earlier.get(name)))
    .map(([name]) => name)
}

/** Logs who changed which settings: their names, never a value. */
export const logSettingsChange = (log: Log, { merchant, by }: Caller, fields: readonly string[]): void => {
  if (fields.length === 0) return
  const hint = by.kind === 'key' ? by.key.hint : null
  const who = by.kind === 'person' ? { person: by.person.id } : hint === null ? {} : { key: hint }
  log.info('settings were changed', { merchant: merchant.label, ...who, fields })
}

/** Changes the fields that the body names, if the settings are still those that the caller has read. */
export const changeShopSettings = async (
  { database, log }: Pick<Dependencies, 'database' | 'log'>,
  caller: Caller,
  body: ChangeSettingsBody,
  isExpected: (settings: MerchantSettings) => boolean,
): Promise<MerchantSettings | Refusal> => {
  const change = readChange(body)
  if (isRefusal(change)) return change
  let fields: string[] = []
  const changed = await database.transact((sql) =>
    changeSettings(sql, caller.merchant.id, (before) => {
      if (!isExpected(before)) return refuse('settings_changed')
      const after = change(before)
      fields = changedFields(before, after)
      return after
    }),
  )
  if (!isRefusal(changed)) logSettingsChange(log, caller, fields)
  return changed
}
