/** Merchant API from outside: where a developer's commands find it, and the key they send. */
import { COMMAND_NAMES } from './release.ts'
import { API_KEY } from '#contract/access.ts'
import { isLoopback } from '#contract/loopback.ts'
import { MERCHANT_BASE } from '#contract/paths.ts'
import { given, type Environment } from './readers.ts'

export interface MerchantApi {
  /** Without a slash at its end. */
  readonly url: string
  readonly key: string
}

const EXAMPLE = `such as http://localhost:3000/merchant/v1, the line merchant-api of ${COMMAND_NAMES.start}`

/** Nothing of the key, and nothing of an address that may hold a password, is quoted. */
const urlProblem = (text: string | undefined): string | undefined => {
  if (text === undefined) return `KAIKEI_URL is not set: set it to the address of the merchant API, ${EXAMPLE}.`
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return `KAIKEI_URL is no address that can be used: set it to one that begins with https://, ${EXAMPLE}.`
  if (url.pathname.replace(/\/$/, '') !== MERCHANT_BASE || url.search !== '' || url.hash !== '')
    return `KAIKEI_URL does not end in ${MERCHANT_BASE}: set it to the address of the merchant API, ${EXAMPLE}.`
  // Whoever is on the way would read the key.
  return url.protocol === 'http:' && !isLoopback(url.hostname)
    ? `KAIKEI_URL begins with http:// and leads to another machine: a key travels there, so it must begin with https://.`
    : undefined
}

const keyProblem = (text: string | undefined): string | undefined => {
  if (text === undefined)
    return `KAIKEI_KEY is not set: set it to an API key, such as the line merchant-key of ${COMMAND_NAMES.start}, or one that ${COMMAND_NAMES.program} key create has printed.`
  return API_KEY.test(text)
    ? undefined
    : 'KAIKEI_KEY is no API key, which begins with sk_test_ or sk_live_ and goes on in letters and digits: set it to a whole one.'
}

/** The developer's settings, which no server reads. */
export const readMerchantApi = (env: Environment): MerchantApi | { readonly problem: string } => {
  const [url, key] = [given(env, 'KAIKEI_URL'), given(env, 'KAIKEI_KEY')]
  const problem = urlProblem(url) ?? keyProblem(key)
  if (problem !== undefined || url === undefined || key === undefined) return { problem: problem ?? '' }
  return { url: new URL(url).href.replace(/\/$/, ''), key }
}
