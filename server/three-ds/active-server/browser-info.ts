/** ActiveServer, browser info: browser facts within the limits of EMV 3-D Secure 2.2.0. */
import { isIPv4, isIP } from 'node:net'
import type { BrowserFacts } from '#payment/authentication-verdict.ts'

/** The limits of EMV 3-D Secure 2.2.0 on what an issuer is told about a browser; a field outside them fails the request. */
const LANGUAGE_MAX_LENGTH = 8
const HEADER_MAX_LENGTH = 2048
const IP_MAX_LENGTH = 45
const SCREEN_MAX = 999_999
const TIME_ZONE_MAX = 9999
const COLOR_DEPTHS = [1, 4, 8, 15, 16, 24, 32, 48] as const

const USUAL_LANGUAGE = 'ja'
const USUAL_DEPTH = 24

/** Cuts without leaving half a character behind. */
export const cut = (text: string, maxLength: number): string => text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '')

/** As many whole subtags as fit, without extensions: `zh-Hant-TW` is `zh-Hant`, `th-u-ca-iso8601` is `th`. */
export const browserLanguage = (tag: string): string => {
  const [language = '', ...rest] = tag.split('-')
  if (!/^[a-z]{2,8}$/i.test(language)) return USUAL_LANGUAGE
  let kept = language
  for (const subtag of rest) {
    const longer = `${kept}-${subtag}`
    if (!/^[a-z0-9]{2,8}$/i.test(subtag) || longer.length > LANGUAGE_MAX_LENGTH) break
    kept = longer
  }
  return kept
}

/** Displays of 30 bits exist, and are no depth of the list: the next one below is sent. */
export const browserColorDepth = (depth: number): string =>
  String(COLOR_DEPTHS.findLast((known) => known <= depth) ?? USUAL_DEPTH)

const within = (value: number, least: number, most: number): string =>
  Number.isNaN(value) ? '0' : String(Math.trunc(Math.min(Math.max(value, least), most)))

/** Half an address would be another one: what is none is left out. */
const browserIp = (ip: string): { browserIP?: string } => {
  const mapped = ip.replace(/^::ffff:/i, '')
  const plain = isIPv4(mapped) ? mapped : ip
  return isIP(plain) === 0 || plain.length > IP_MAX_LENGTH ? {} : { browserIP: plain }
}

/** `browserInfoCollected`: numbers travel as text, and what only a script can see is left out where none ran. */
export const browserInfo = ({ acceptHeader, userAgent, ip, language, screen }: BrowserFacts): object => ({
  browserAcceptHeader: acceptHeader === '' ? '*/*' : cut(acceptHeader, HEADER_MAX_LENGTH),
  browserUserAgent: userAgent === '' ? 'unknown' : cut(userAgent, HEADER_MAX_LENGTH),
  browserLanguage: browserLanguage(language),
  ...browserIp(ip),
  browserJavascriptEnabled: screen !== null,
  ...(screen === null
    ? {}
    : {
        browserJavaEnabled: screen.javaEnabled,
        browserColorDepth: browserColorDepth(screen.colorDepth),
        browserScreenHeight: within(screen.height, 0, SCREEN_MAX),
        browserScreenWidth: within(screen.width, 0, SCREEN_MAX),
        browserTZ: within(screen.timeZoneOffset, -TIME_ZONE_MAX, TIME_ZONE_MAX),
      }),
})
