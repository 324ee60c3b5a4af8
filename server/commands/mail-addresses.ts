/** Mail address commands: register, list and remove the addresses that mails of tests and mails to a shop may go to. */
import { isMailAddress } from '../config/mail.ts'
import { registerMailAddress } from '../operations/mail-addresses.ts'
import type { Sql } from '../store/engine/database.ts'
import {
  isRegistered,
  listMailAddresses,
  removeRegistration,
  type ListedMailAddress,
} from '../store/outbox/mail-addresses.ts'
import type { ListedMerchant } from '../store/merchant/merchants.ts'
import { recipientOf } from '../store/outbox/notifications.ts'
import { isProblem, PROGRAM, type Command, type CommandAnswer, type CommandProblem, type Given } from './command.ts'
import { namedMerchant, withOperatorDependencies, type OperatorDependencies } from './operator-database.ts'
import { instantText, tableLines, timeText } from './table.ts'
import type { Environment } from '../config/readers.ts'

const MERCHANT = { value: '<label>', help: 'the merchant whose mails they are', isRequired: true } as const
const ADDRESS = { value: '<address>', help: 'an address alone, such as dev@example.com', isRequired: true } as const

const withAddress = (
  given: Given,
  env: Environment,
  work: (
    deps: OperatorDependencies,
    merchant: ListedMerchant,
    address: string,
  ) => Promise<CommandAnswer | CommandProblem>,
): Promise<CommandAnswer | CommandProblem> => {
  const address = given.text('address').trim()
  if (!isMailAddress(address))
    return Promise.resolve({ problem: '--address is no address: give one alone, such as dev@example.com.' })
  return withOperatorDependencies(env, async (deps) => {
    const merchant = await namedMerchant(deps.database, given.text('merchant'))
    return isProblem(merchant) ? merchant : work(deps, merchant, address)
  })
}

export const mailAddressAdd: Command = {
  summary: 'registers an address: mails of a merchant’s tests, and mails to the shop, may go there',
  places: [],
  options: { merchant: MERCHANT, address: ADDRESS },
  example: 'mail-address add --merchant tea --address dev@example.com',
  run: (given, env) =>
    withAddress(given, env, async (deps, { id: merchantId, label }, address) => {
      const { isNew, mails } = await registerMailAddress(deps, { merchantId, address })
      return {
        value: { merchant: label, address, isNew, mails },
        lines: [
          isNew ? `The address is registered with ${label}.` : `The address was registered with ${label} already.`,
          ...(mails === 0
            ? []
            : [`${mails} ${mails === 1 ? 'mail that was' : 'mails that were'} held back will be sent now.`]),
        ],
      }
    }),
}

export const mailAddressRemove: Command = {
  summary: 'takes an address off the list; no mail asks it to confirm for 90 days',
  places: [],
  options: { merchant: MERCHANT, address: ADDRESS },
  example: 'mail-address remove --merchant tea --address dev@example.com',
  run: (given, env) =>
    withAddress(given, env, async ({ database, clock }, { id: merchantId, label }, address) => {
      if (!(await removeRegistration(database, { merchantId, address }, clock.now())))
        return {
          problem: `This address is not registered with ${label}: ${PROGRAM} mail-address list --merchant ${label} shows those that are.`,
        }
      return { value: { merchant: label, address }, lines: [`The address is not registered with ${label} any more.`] }
    }),
}

const presentAddress = ({ address, registered, askedAt }: ListedMailAddress) => ({
  address,
  registeredBy: registered?.by ?? null,
  registeredAt: instantText(registered?.at ?? null),
  askedAt: instantText(askedAt),
})

/** Where mails about its payments go, and whether they may; null: it has no address. */
const notifiedAddress = async (sql: Sql, { id: merchantId, settings }: ListedMerchant) => {
  const address = recipientOf(settings)?.recipient
  return address === undefined ? null : { address, isRegistered: await isRegistered(sql, { merchantId, address }) }
}

export const mailAddressList: Command = {
  summary: 'lists the registered addresses of a merchant, and those that were asked and have not confirmed',
  places: [],
  options: { merchant: MERCHANT },
  example: 'mail-address list --merchant tea',
  run: (given, env) =>
    withOperatorDependencies(env, async ({ database }) => {
      const merchant = await namedMerchant(database, given.text('merchant'))
      if (isProblem(merchant)) return merchant
      const items = (await listMailAddresses(database, merchant.id)).map(presentAddress)
      const notifications = await notifiedAddress(database, merchant)
      const rows = items.map(({ address, registeredBy, registeredAt, askedAt }) => [
        address,
        registeredBy ?? 'no',
        timeText(registeredAt),
        timeText(askedAt),
      ])
      const table =
        rows.length === 0
          ? [`No address yet: ${PROGRAM} ${mailAddressAdd.example}`]
          : tableLines(['address', 'registered', 'since', 'asked'], rows, { wrap: ['address'] })
      const unregistered =
        notifications?.isRegistered === false
          ? [`Mails about its payments would go to ${notifications.address}, which is not registered: none is sent.`]
          : []
      return { value: { items, notifications }, lines: [...table, ...unregistered] }
    }),
}
