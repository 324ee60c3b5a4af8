/** Address of a new webhook: read, looked at, and refused where no event could ever be sent to it. */
import { refuse, type Refusal } from '#contract/errors.ts'
import type { AddressRules } from './address-guard.ts'
import type { ResolveName } from './resolve-name.ts'
import { findAddresses } from './send-webhook.ts'

/** The address as the URL parser writes it, so that everybody who reads it later reads the same. */
export type ReadWebhookAddress = (text: string) => Promise<string | Refusal>

const refuseAddress = (problem: string): Refusal =>
  refuse(
    'address_refused',
    {},
    `url ${problem}: register an https address that the world can reach, without a user name.`,
  )

/**
 * For whoever registers it, to learn of a mistake at once. It protects nothing: a name may lead elsewhere tomorrow, so every
 * connection is looked at again. A name that cannot be found now may be found later.
 */
export const createReadWebhookAddress =
  (rules: AddressRules, resolve?: ResolveName): ReadWebhookAddress =>
  async (text) => {
    // The parser passes over line breaks and zero bytes that a database or a header would not.
    if (!URL.canParse(text) || /\p{Cc}/u.test(text)) return refuseAddress('is no absolute address')
    const url = new URL(text)
    url.hash = ''
    const found = await findAddresses(url, rules, resolve).catch(() => [])
    return 'problem' in found ? refuseAddress(found.problem) : url.href
  }
