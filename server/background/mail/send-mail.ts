/** Send mail: claim, ask for permission, draw, send, record. */
import { createHash } from 'node:crypto'
import { DEFAULT_PAGE_LOCALE, toPageLocale } from '#contract/locale.ts'
import { MERCHANT_BASE } from '#contract/paths.ts'
import type { MailState } from '#contract/mail-facts.ts'
import { UNREGISTERED } from '#payment/mail-permission.ts'
import { isNotificationKind } from '#payment/notification-mails.ts'
import { MAIL_LEASE_MS, MAIL_LIFETIME_MS } from '#payment/mail-retries.ts'
import { isMailAddress } from '../../config/mail.ts'
import { merchantOrigin } from '../../origins.ts'
import type { Dependencies } from '../../dependencies.ts'
import {
  claimMail,
  dropMail,
  recordTry,
  tryOf,
  type ClaimedConfirmation,
  type ClaimedMail,
  type ClaimedShopperMail,
  type MailOutcome,
} from '../../store/outbox/mail-claims.ts'
import type { MailRef } from '../../store/outbox/mails.ts'
import { readShop, type Shop } from '../../store/merchant/merchants.ts'
import { withNextVersion } from '../../store/checkout/changes.ts'
import { saveToken } from '../../store/outbox/mail-addresses.ts'
import { uncountMail } from '../../store/outbox/mail-counts.ts'
import { readCheckoutSnapshot } from '../../store/checkout/checkout-reads.ts'
import { drawConfirmation } from './draw-confirmation.ts'
import { drawEndpointMail } from './draw-endpoint-mail.ts'
import { drawMail } from './draw-mail.ts'
import { drawNotification } from './draw-notification.ts'
import type { OwnMail } from './draw-own-mail.ts'
import { askPermission } from './permission.ts'
import type { Letter, Mailer } from './mailer.ts'

type SendingDependencies = Pick<Dependencies, 'database' | 'clock' | 'log' | 'random' | 'publicBase' | 'gateways'>

/** From the row and of no other use: mail servers write it to logs, and a checkout's id would open its receipt. */
export const messageIdOf = ({ merchantId, mailId }: MailRef): string =>
  createHash('sha256').update(`mail\n${merchantId}\n${mailId}`).digest('hex').slice(0, 40)

type Content = Omit<Letter, 'messageId' | 'recipient' | 'sentAt'>

const letterToShopper = (mail: ClaimedShopperMail, { label, settings }: Shop, publicBase: URL): Content => {
  const { kind, locale, facts, checkoutId } = mail
  const { shopName, shopEmail } = settings.receipt
  const shop = { ...settings.receipt, colorCode: settings.setting.colorCode }
  const receiptUrl = `${merchantOrigin(publicBase, label)}/${checkoutId}`
  return {
    ...drawMail({ kind, locale, facts, shop, receiptUrl }),
    senderName: shopName,
    replyTo: isMailAddress(shopEmail) ? shopEmail : null,
    locale: toPageLocale(locale) ?? DEFAULT_PAGE_LOCALE,
  }
}

const drawToShopOrAddress = (
  mail: Exclude<ClaimedMail, ClaimedShopperMail>,
  { shop, publicBase, token }: Sending,
): OwnMail => {
  const { hostname: sender, origin } = publicBase
  const { locale } = mail
  // Nothing that a merchant wrote: its reader may be a stranger to it. Its label was given by the operator.
  if (mail.to === 'address')
    return drawConfirmation({ locale, origin: merchantOrigin(publicBase, shop.label), token, sender })
  const { shopName } = shop.settings.receipt
  if (mail.about === 'payments') return drawNotification({ locale, facts: mail.facts, shopName, sender })
  const { kind, facts } = mail
  return drawEndpointMail({ kind, locale, facts, shopName, sender, merchantApi: `${origin}${MERCHANT_BASE}` })
}

/** What a letter needs beside its mail; `token` is that of its link, where it asks an address to confirm. */
export interface Sending {
  readonly shop: Shop
  readonly publicBase: URL
  readonly sentAt: number
  readonly token: string
}

const contentOf = (mail: ClaimedMail, sending: Sending): Content => {
  if (mail.to === 'shopper') return letterToShopper(mail, sending.shop, sending.publicBase)
  const { drawn, languages } = drawToShopOrAddress(mail, sending)
  // Not in the name of the shop, which would write to itself, and with nobody who reads an answer.
  return { ...drawn, senderName: sending.publicBase.hostname, replyTo: null, locale: languages.join(', ') }
}

export const letterOf = (mail: ClaimedMail, sending: Sending): Letter => ({
  ...contentOf(mail, sending),
  messageId: messageIdOf(mail),
  recipient: mail.recipient,
  sentAt: sending.sentAt,
})

const asTest = <Mail extends Exclude<ClaimedMail, ClaimedConfirmation>>(mail: Mail): Mail => ({
  ...mail,
  facts: { ...mail.facts, mode: 'test' },
})

/**
 * A live shop that takes test cards alone: nothing was paid, so its mails say that they are of a test. They go where those of
 * tests go: its payments cost nothing either.
 */
const markedIfTest = async ({ gateways }: SendingDependencies, mail: ClaimedMail): Promise<ClaimedMail> => {
  if (mail.to === 'address' || mail.facts.mode === 'test') return mail
  const { merchantId, facts } = mail
  return (await gateways.takenCards({ merchantId, mode: facts.mode })) === 'test' ? asTest(mail) : mail
}

/** A server that was away for days does not surprise shoppers with old news. */
const isTooOld = ({ createdAt }: ClaimedMail, now: number): boolean =>
  now > createdAt + MAIL_LIFETIME_MS + MAIL_LEASE_MS

const TOO_OLD: MailOutcome = { outcome: 'later', answer: 'too old' }

/** Writes down how a try ended; an end is also a line in the timeline of the checkout, if it is about one. */
const record = async (
  { database, clock }: SendingDependencies,
  mail: ClaimedMail,
  outcome: MailOutcome,
): Promise<MailState> => {
  const now = clock.now()
  const tried = tryOf(mail, outcome, now)
  const { state, answer } = tried
  if (state === 'waiting' || mail.to !== 'shopper') await recordTry(database, mail, tried, now)
  else
    await database.transact((sql) =>
      withNextVersion(sql, mail, async (addLine) => {
        const change = { subject: `mail ${mail.kind}`, from: 'waiting', to: state }
        if (await recordTry(sql, mail, tried, now)) await addLine(change, { actor: 'worker', why: answer, now })
      }),
    )
  return state
}

const REGISTERED_MEANWHILE: MailOutcome = { outcome: 'refused', answer: 'the address needs to confirm nothing' }

const send = async (
  deps: SendingDependencies,
  mailer: Mailer,
  mail: ClaimedMail,
  sentAt: number,
): Promise<MailOutcome> => {
  const { database, publicBase } = deps
  const { merchantId, recipient } = mail
  const token = deps.random.id()
  if (mail.to === 'address' && !(await saveToken(database, { merchantId, address: recipient }, token, sentAt)))
    return REGISTERED_MEANWHILE
  return mailer.send(letterOf(mail, { shop: await readShop(database, merchantId), publicBase, sentAt, token }))
}

/** A mail that did not go out is not counted: it is tried again, and counted then. */
const sendIfPermitted = async (
  deps: SendingDependencies,
  mailer: Mailer,
  mail: ClaimedMail,
  now: number,
): Promise<MailOutcome> => {
  if (isTooOld(mail, now)) return TOO_OLD
  const permission = mailer.isSandbox ? { counted: null } : await askPermission(deps, mail, now)
  if ('instead' in permission) return permission.instead
  const outcome = await send(deps, mailer, mail, now)
  if (permission.counted !== null && outcome.outcome === 'later') await uncountMail(deps.database, permission.counted)
  return outcome
}

/** Whether there is nothing to tell any more: a doubt is told of only while it lasts. */
const isNoNews = async ({ database }: SendingDependencies, mail: ClaimedMail): Promise<boolean> => {
  if (mail.kind !== 'shop_payment_in_doubt' || mail.facts.kind !== 'shop_payment_in_doubt') return false
  const { merchantId, facts } = mail
  const reading = await readCheckoutSnapshot(database, { merchantId, checkoutId: facts.checkoutId })
  return reading?.inFlight?.state.name !== 'unknown'
}

/**
 * Sends a mail that is due, once for each claim. A process that dies between the mail server's answer and its record sends
 * the mail a second time, under the same Message-ID.
 */
export const sendMail = async (deps: SendingDependencies, mailer: Mailer, ref: MailRef): Promise<void> => {
  const { database, clock, log } = deps
  const now = clock.now()
  const claimed = await claimMail(database, ref, now)
  if (claimed === null) return
  const mail = await markedIfTest(deps, claimed)
  if (await isNoNews(deps, mail)) return dropMail(database, mail)
  const outcome = await sendIfPermitted(deps, mailer, mail, now)
  const state = await record(deps, mail, outcome)
  if (state === 'sent') return
  const facts = { merchant: mail.merchantId, why: outcome.answer }
  if (state === 'waiting') log.warn('a mail could not be sent, and is tried again', facts)
  // A test at the wrong address is its developer's matter; a shop that is not told of its endpoint is the operator's.
  else if (outcome.answer === UNREGISTERED && mail.to === 'shopper') log.warn('a mail of a test was not sent', facts)
  // One for each payment: `doctor` says it once.
  else if (outcome.answer === UNREGISTERED && isNotificationKind(mail.kind)) log.warn('a shop was not told', facts)
  else log.error(state === 'refused' ? 'a mail was refused' : 'a mail was given up', facts)
}
