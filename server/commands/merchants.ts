/** Merchant commands: create, list, show and close. */
import { domainToUnicode } from 'node:url'
import type { ReceiptFacts } from '#contract/checkout.ts'
import { isRefusal, type Refusal } from '#contract/errors.ts'
import { DEFAULT_NOTIFICATIONS } from '#contract/notifications.ts'
import { readShopFacts } from '#payment/shop-facts.ts'
import { isMailAddress } from '../config/mail.ts'
import {
  closeMerchant,
  reopenMerchant,
  insertMerchant,
  listMerchants,
  type ListedMerchant,
  type MerchantSettings,
} from '../store/merchant/merchants.ts'
import { keysOfMerchant } from '../store/merchant/keys.ts'
import { keyState } from '../operations/api-keys.ts'
import { registerMailAddress } from '../operations/mail-addresses.ts'
import { labelProblem, merchantOrigin } from '../origins.ts'
import { isProblem, PROGRAM, type Command } from './command.ts'
import { namedMerchant, withOperatorDependencies, type OperatorDependencies } from './operator-database.ts'
import { factLines, instantText, tableLines, timeText } from './table.ts'

const NO_FACTS: ReceiptFacts = { shopName: '', shopAddress: '', shopPhoneNumber: '', shopEmail: '', shopUrl: '' }

/** Careful until somebody decides otherwise: a card outside 3-D Secure is not charged. */
const newSettings = (receipt: MerchantSettings['receipt']): MerchantSettings => ({
  setting: { colorCode: '#29abe9', fontType: 'sans-serif' },
  receipt,
  allowExemption: false,
  requireFullAuthentication: false,
  registrationNumber: null,
  locale: null,
  acceptedCardBrands: null,
  linkHosts: [],
  notifications: DEFAULT_NOTIFICATIONS,
})

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
  places: [],
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
      const settings = newSettings({ ...NO_FACTS, ...receipt })
      const createdAt = deps.clock.now()
      const created = await insertMerchant(deps.database, { id: deps.random.id(), label, settings }, createdAt)
      if (created === null)
        return { problem: `There is a merchant "${label}" already: choose another label. Nothing was changed.` }
      const address = created.settings.receipt.shopEmail
      if (isMailAddress(address)) await registerMailAddress(deps, { merchantId: created.id, address })
      const facts = factsOf(deps, { ...created, createdAt })
      const next = `Next, a key: ${PROGRAM} key create --merchant ${label} --mode test --access full`
      return { value: facts, lines: [...linesOf(facts), next] }
    })
  },
}

export const merchantList: Command = {
  summary: 'lists all merchants',
  places: [],
  options: {},
  example: 'merchant list --json',
  run: (_given, env) =>
    withOperatorDependencies(env, async (deps) => {
      const all = (await listMerchants(deps.database)).map((merchant) => factsOf(deps, merchant))
      const rows = all.map(({ label, name, pages, createdAt, closedAt }) => [
        label,
        name,
        pages,
        timeText(createdAt),
        timeText(closedAt),
      ])
      return {
        value: { items: all },
        lines:
          rows.length === 0
            ? [`No merchant yet: ${PROGRAM} ${merchantCreate.example}`]
            : tableLines(['label', 'name', 'pages', 'created', 'closed'], rows, { shorten: ['name', 'pages'] }),
      }
    }),
}

export const merchantShow: Command = {
  summary: 'shows one merchant',
  places: ['label'],
  options: {},
  example: 'merchant show tea',
  run: (given, env) =>
    withOperatorDependencies(env, async (deps) => {
      const merchant = await namedMerchant(deps.database, given.text('label'))
      if (isProblem(merchant)) return merchant
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
  options: {},
  example: 'merchant close tea',
  run: (given, env) =>
    withOperatorDependencies(env, async (deps) => {
      const merchant = await namedMerchant(deps.database, given.text('label'))
      if (isProblem(merchant)) return merchant
      const closedAt = merchant.closedAt ?? deps.clock.now()
      await closeMerchant(deps.database, merchant.id, closedAt)
      const line = `${merchant.label} is closed since ${timeText(closedAt)}: its keys open nothing any more. To give money back, reopen it: ${PROGRAM} ${merchantReopen.example}`
      return { value: factsOf(deps, { ...merchant, closedAt }), lines: [line] }
    }),
}

export const merchantReopen: Command = {
  summary: 'opens a closed shop again: its keys and its links work as before',
  places: ['label'],
  options: {},
  example: 'merchant reopen tea',
  run: (given, env) =>
    withOperatorDependencies(env, async (deps) => {
      const merchant = await namedMerchant(deps.database, given.text('label'))
      if (isProblem(merchant)) return merchant
      await reopenMerchant(deps.database, merchant.id)
      return { value: factsOf(deps, { ...merchant, closedAt: null }), lines: [`${merchant.label} is open.`] }
    }),
}
