/** Merchant commands: create, list, show and close. */
import { domainToUnicode } from 'node:url'
import type { ReceiptFacts } from '#contract/checkout.ts'
import { isRefusal, type Refusal } from '#contract/errors.ts'
import { readShopFacts } from '#payment/shop-facts.ts'
import { listMerchants, type ListedMerchant } from '../store/merchant/merchants.ts'
import { keysOfMerchant } from '../store/merchant/keys.ts'
import { keyState } from '../operations/api-keys.ts'
import { closeShop, openShop, reopenShop } from '../operations/shops.ts'
import { labelProblem, merchantOrigin } from '../origins.ts'
import { PROGRAM, type Command } from './command.ts'
import {
  unreadableShop,
  withMerchant,
  withOperatorDependencies,
  type OperatorDependencies,
} from './operator-database.ts'
import { factLines, instantText, tableLines, timeText } from './table.ts'

const factsOf = ({ config }: OperatorDependencies, { label, settings, createdAt, closedAt }: ListedMerchant) => ({
  label,
  name: settings.receipt.shopName,
  pages: merchantOrigin(config.publicBase, label),
  createdAt: instantText(createdAt),
  closedAt: instantText(closedAt),
})

/** The same for people. */
const linesOf = (facts: ReturnType<typeof factsOf>): string[] =>
  factLines({ ...facts, createdAt: timeText(facts.createdAt), closedAt: timeText(facts.closedAt) })

const OPTIONAL_FACTS = {
  address: { value: '<text>', help: 'the shop’s address, on its page and its receipts' },
  phone: { value: '<number>', help: 'its phone number' },
  email: {
    value: '<address>',
    help: 'its e-mail address, which is registered for mails to the shop',
  },
  site: { value: '<address>', help: 'its own site' },
} as const

const OPTIONS: Readonly<Record<keyof ReceiptFacts, string>> = {
  shopName: 'name',
  shopAddress: 'address',
  shopPhoneNumber: 'phone',
  shopEmail: 'email',
  shopUrl: 'site',
}

/** The sentence of a refusal, about the option instead of the field. */
const problemOf = ({ params, message = '' }: Refusal): string => {
  const [field, option] = Object.entries(OPTIONS).find(([fact]) => fact === params?.['field']) ?? ['', '']
  return `--${option}${message.slice(field.length)}`
}

export const merchantCreate: Command = {
  summary: 'opens a shop, whose pages are at its label below the base',
  options: {
    label: { value: '<label>', help: 'the first label of the host of its pages, such as tea', isRequired: true },
    name: { value: '<text>', help: 'the shop’s name, as shoppers read it', isRequired: true },
    ...OPTIONAL_FACTS,
  },
  example: 'merchant create --label tea --name "Aoyama Tea"',
  run: (given, env) => {
    const [label, name] = [given.text('label'), given.text('name')]
    const wrong = labelProblem(label)
    if (wrong !== undefined) return Promise.resolve({ problem: `--label "${label}" ${wrong}` })
    const receipt = readShopFacts(
      {
        shopName: name,
        shopAddress: given.textOrNull('address'),
        shopPhoneNumber: given.textOrNull('phone'),
        shopEmail: given.textOrNull('email'),
        shopUrl: given.textOrNull('site'),
      },
      domainToUnicode,
    )
    if (isRefusal(receipt)) return Promise.resolve({ problem: problemOf(receipt) })
    return withOperatorDependencies(env, async (deps) => {
      const created = await openShop(deps, label, receipt)
      if (created === null)
        return { problem: `There is a merchant "${label}" already: choose another label. Nothing was changed.` }
      const facts = factsOf(deps, created)
      const next = `Next, a key: ${PROGRAM} key create --merchant ${label} --mode test --access full`
      return { value: facts, lines: [...linesOf(facts), next] }
    })
  },
}

export const merchantList: Command = {
  summary: 'lists all merchants',
  example: 'merchant list --json',
  run: (_given, env) =>
    withOperatorDependencies(env, async (deps) => {
      const unreadable: string[] = []
      const listed = await listMerchants(deps.database, (row) => void unreadable.push(unreadableShop(row)))
      const all = listed.map((merchant) => factsOf(deps, merchant))
      const rows = all.map(({ label, name, pages, createdAt, closedAt }) => [
        label,
        name,
        pages,
        timeText(createdAt),
        timeText(closedAt),
      ])
      return {
        value: { items: all, ...(unreadable.length === 0 ? {} : { unreadable }) },
        lines:
          rows.length === 0 && unreadable.length === 0
            ? [`No merchant yet: ${PROGRAM} ${merchantCreate.example}`]
            : [
                ...tableLines(['label', 'name', 'pages', 'created', 'closed'], rows, { shorten: ['name', 'pages'] }),
                ...unreadable,
              ],
      }
    }),
}

export const merchantShow: Command = {
  summary: 'shows one merchant',
  places: ['label'],
  example: 'merchant show tea',
  run: (given, env) =>
    withMerchant(env, given.text('label'), async (deps, merchant) => {
      const facts = factsOf(deps, merchant)
      const now = deps.clock.now()
      const keys = await keysOfMerchant(deps.database, merchant.id)
      const activeKeys = keys.filter((key) => keyState(key, merchant, now) === 'active').length
      return {
        value: { ...facts, activeKeys, receipt: merchant.settings.receipt },
        lines: [...linesOf(facts), `active keys: ${activeKeys}`],
      }
    }),
}

export const merchantClose: Command = {
  summary: 'closes a shop: its keys open nothing, no payment is started; refunds and doubts are still resolved',
  places: ['label'],
  example: 'merchant close tea',
  run: (given, env) =>
    withMerchant(env, given.text('label'), async (deps, merchant) => {
      const closed = await closeShop(deps, merchant)
      const line = `${merchant.label} is closed since ${timeText(closed.closedAt)}: its keys open nothing any more. To give money back, reopen it: ${PROGRAM} ${merchantReopen.example}`
      return { value: factsOf(deps, closed), lines: [line] }
    }),
}

export const merchantReopen: Command = {
  summary: 'opens a closed shop again: its keys and its links work as before',
  places: ['label'],
  example: 'merchant reopen tea',
  run: (given, env) =>
    withMerchant(env, given.text('label'), async (deps, merchant) => {
      const opened = await reopenShop(deps, merchant)
      return { value: factsOf(deps, opened), lines: [`${merchant.label} is open.`] }
    }),
}
