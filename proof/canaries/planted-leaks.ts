/** Planted leaks: every form in which a card number could be written by mistake. */
import { toFullWidth, groupInFours, type Canary } from './canary.ts'

type WriteLeak = (canary: Canary) => string

const encode = (text: string, encoding: BufferEncoding): string => Buffer.from(text).toString(encoding)
const escapeWith = (text: string, escape: (code: string) => string): string =>
  Array.from(text, (sign) => escape(sign.charCodeAt(0).toString(16))).join('')
const asUtf16 = (text: string): string => Buffer.from(text, 'utf16le').toString('latin1')

const inTwoFields = (number: string, first: number): string =>
  JSON.stringify({ head: number.slice(0, first), holder: 'x', tail: number.slice(first) })

/** What a request or a debugger would print of a card. */
const cardAsJson = ({ number, cvc, holderName }: Canary): string =>
  JSON.stringify({ card: { number, cvc, name: holderName } })

export const NUMBER_LEAKS: Readonly<Record<string, WriteLeak>> = {
  plain: ({ number }) => number,
  'in a sentence': ({ number }) => `card ${number} was refused`,
  'next to letters': ({ number }) => `visa${number}charged`,
  'grouped by spaces': ({ number }) => groupInFours(number, ' '),
  'grouped by dashes': ({ number }) => groupInFours(number, '-'),
  'grouped by no-break spaces': ({ number }) => groupInFours(number, '\u00a0'),
  'digit by digit': ({ number }) => Array.from(number).join(' '),
  'as JSON': cardAsJson,
  'as JSON in JSON': (canary) => JSON.stringify(cardAsJson(canary)),
  'as a number in JSON': ({ number }) => `{"number":${number}}`,
  'in a query': ({ number }) => `/pay?number=${number}&x=1`,
  'in a query, grouped': ({ number }) => `/pay?number=${encodeURIComponent(groupInFours(number, ' '))}&x=1`,
  'in a query, grouped by plus': ({ number }) => `/pay?number=${groupInFours(number, '+')}`,
  'escaped for an address': ({ number }) => escapeWith(number, (code) => `%${code}`),
  'escaped for JSON': ({ number }) => escapeWith(number, (code) => `\\u00${code}`),
  'escaped for HTML': ({ number }) => escapeWith(number, (code) => `&#x${code};`),
  'in base64': ({ number }) => encode(number, 'base64'),
  'in base64, one sign on': ({ number }) => encode(`:${number}`, 'base64'),
  'in base64, two signs on': ({ number }) => encode(`::${number}`, 'base64'),
  'in base64url, grouped': ({ number }) => encode(`?>${groupInFours(number, ' ')}`, 'base64url'),
  'in base64 as JSON': (canary) => encode(cardAsJson(canary), 'base64'),
  'in base64url as JSON, one sign on': (canary) => encode(` ${cardAsJson(canary)}`, 'base64url'),
  'in base64 behind other signs': (canary) => `abc${encode(cardAsJson(canary), 'base64')}`,
  'in base64 twice': (canary) => encode(encode(cardAsJson(canary), 'base64'), 'base64'),
  'in hex': ({ number }) => encode(number, 'hex'),
  'in hex as JSON': (canary) => encode(cardAsJson(canary), 'hex').toUpperCase(),
  'as a printed buffer': ({ number }) => `<Buffer ${encode(number, 'hex').replaceAll(/(..)(?=.)/g, '$1 ')}>`,
  'as the JSON of a buffer': ({ number }) => JSON.stringify(Buffer.from(number)),
  'as the JSON of a typed array': ({ number }) => JSON.stringify(Uint8Array.from(Buffer.from(number))),
  'in UTF-16': ({ number }) => asUtf16(number),
  'in UTF-16, grouped': ({ number }) => asUtf16(groupInFours(number, ' ')),
  'in full width': ({ number }) => toFullWidth(number),
  'in two fields of one record, 8 first': ({ number }) => inTwoFields(number, 8),
  'in two fields of one record, 7 first': ({ number }) => inTwoFields(number, 7),
  'in two fields of one record, 9 first': ({ number }) => inTwoFields(number, 9),
  'in two fields of one record, 10 first': ({ number }) => inTwoFields(number, 10),
  'as a whole number in hex': ({ number }) => `0x${BigInt(number).toString(16)}`,
  'as a whole number in hex, eight bytes': ({ number }) => BigInt(number).toString(16).padStart(16, '0').toUpperCase(),
  backwards: ({ number }) => Array.from(number).toReversed().join(''),
  'all but the last four': ({ number }) => `${number.slice(0, -4)}****`.padEnd(16, '*'),
  'the first eleven': ({ number }) => `${number.slice(0, 11)}…`,
  'the last eleven': ({ number }) => `…${number.slice(-11)}`,
  'the first ten': ({ number }) => `${number.slice(0, 10)}…`,
  'the last ten': ({ number }) => `…${number.slice(-10)}`,
}

/** The same for a security code: beside what it belongs to, as a word of its own, or after its name. */
export const CVC_LEAKS: Readonly<Record<string, WriteLeak>> = {
  'as JSON': cardAsJson,
  'as JSON in JSON': (canary) => JSON.stringify(cardAsJson(canary)),
  'as a number under its name': ({ cvc, email }) => JSON.stringify({ email, cvc: Number(cvc) }),
  'as a number in a list of fields': ({ cvc }) => `cvc=${Number(cvc)}&x=1`,
  'under its name alone': ({ cvc }) => `cvc=${cvc}`,
  'under another name': ({ cvc }) => `"securityCode": "${cvc}"`,
  'in a sentence': ({ cvc }) => `cvc ${cvc} was wrong`,
  'as a word': ({ cvc, holderName }) => `${holderName} ${cvc}`,
  'behind the number': ({ number, cvc }) => `${number} 12/99 ${cvc}`,
  'in a query': ({ cvc }) => `/pay?cvc=${cvc}&x=1`,
  'escaped for an address': ({ cvc }) => `cvc%3D${escapeWith(cvc, (code) => `%${code}`)}`,
  'escaped for JSON': ({ cvc }) => `"cvc":"${escapeWith(cvc, (code) => `\\u00${code}`)}"`,
  'in base64 as JSON': (canary) => encode(cardAsJson(canary), 'base64'),
  'in base64url as JSON, one sign on': (canary) => encode(` ${cardAsJson(canary)}`, 'base64url'),
  'in base64 as JSON, two signs on': (canary) => encode(`  ${cardAsJson(canary)}`, 'base64'),
  'in hex as JSON': (canary) => encode(cardAsJson(canary), 'hex'),
  'in UTF-16 as JSON': (canary) => asUtf16(cardAsJson(canary)),
}
