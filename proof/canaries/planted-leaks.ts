import { fullWidth, grouped, type Canary } from './canary.ts'

type Write = (canary: Canary) => string

const encoded = (text: string, encoding: BufferEncoding): string => Buffer.from(text).toString(encoding)
const escapedBy = (text: string, escape: (code: string) => string): string =>
  Array.from(text, (sign) => escape(sign.charCodeAt(0).toString(16))).join('')
const wide = (text: string): string => Buffer.from(text, 'utf16le').toString('latin1')

const inTwo = (number: string, first: number): string =>
  JSON.stringify({ head: number.slice(0, first), holder: 'x', tail: number.slice(first) })

/** What a request or a debugger would print of a card. */
const body = ({ number, cvc, holderName }: Canary): string =>
  JSON.stringify({ card: { number, cvc, name: holderName } })

/** Every form in which a card number could be written down by mistake. */
export const NUMBER_LEAKS: Readonly<Record<string, Write>> = {
  plain: ({ number }) => number,
  'in a sentence': ({ number }) => `card ${number} was refused`,
  'next to letters': ({ number }) => `visa${number}charged`,
  'grouped by spaces': ({ number }) => grouped(number, ' '),
  'grouped by dashes': ({ number }) => grouped(number, '-'),
  'grouped by no-break spaces': ({ number }) => grouped(number, '\u00a0'),
  'digit by digit': ({ number }) => Array.from(number).join(' '),
  'as JSON': body,
  'as JSON in JSON': (canary) => JSON.stringify(body(canary)),
  'as a number in JSON': ({ number }) => `{"number":${number}}`,
  'in a query': ({ number }) => `/pay?number=${number}&x=1`,
  'in a query, grouped': ({ number }) => `/pay?number=${encodeURIComponent(grouped(number, ' '))}&x=1`,
  'in a query, grouped by plus': ({ number }) => `/pay?number=${grouped(number, '+')}`,
  'escaped for an address': ({ number }) => escapedBy(number, (code) => `%${code}`),
  'escaped for JSON': ({ number }) => escapedBy(number, (code) => `\\u00${code}`),
  'escaped for HTML': ({ number }) => escapedBy(number, (code) => `&#x${code};`),
  'in base64': ({ number }) => encoded(number, 'base64'),
  'in base64, one sign on': ({ number }) => encoded(`:${number}`, 'base64'),
  'in base64, two signs on': ({ number }) => encoded(`::${number}`, 'base64'),
  'in base64url, grouped': ({ number }) => encoded(`?>${grouped(number, ' ')}`, 'base64url'),
  'in base64 as JSON': (canary) => encoded(body(canary), 'base64'),
  'in base64url as JSON, one sign on': (canary) => encoded(` ${body(canary)}`, 'base64url'),
  'in base64 behind other signs': (canary) => `abc${encoded(body(canary), 'base64')}`,
  'in base64 twice': (canary) => encoded(encoded(body(canary), 'base64'), 'base64'),
  'in hex': ({ number }) => encoded(number, 'hex'),
  'in hex as JSON': (canary) => encoded(body(canary), 'hex').toUpperCase(),
  'as a printed buffer': ({ number }) => `<Buffer ${encoded(number, 'hex').replaceAll(/(..)(?=.)/g, '$1 ')}>`,
  'as the JSON of a buffer': ({ number }) => JSON.stringify(Buffer.from(number)),
  'as the JSON of a typed array': ({ number }) => JSON.stringify(Uint8Array.from(Buffer.from(number))),
  'in UTF-16': ({ number }) => wide(number),
  'in UTF-16, grouped': ({ number }) => wide(grouped(number, ' ')),
  'in full width': ({ number }) => fullWidth(number),
  'in two fields of one record, 8 first': ({ number }) => inTwo(number, 8),
  'in two fields of one record, 7 first': ({ number }) => inTwo(number, 7),
  'in two fields of one record, 9 first': ({ number }) => inTwo(number, 9),
  'in two fields of one record, 10 first': ({ number }) => inTwo(number, 10),
  'as a whole number in hex': ({ number }) => `0x${BigInt(number).toString(16)}`,
  'as a whole number in hex, eight bytes': ({ number }) => BigInt(number).toString(16).padStart(16, '0').toUpperCase(),
  backwards: ({ number }) => Array.from(number).toReversed().join(''),
  'all but the last four': ({ number }) => `${number.slice(0, -4)}****`.padEnd(16, '*'),
  'the first eleven': ({ number }) => `${number.slice(0, 11)}…`,
  'the last eleven': ({ number }) => `…${number.slice(-11)}`,
  'the first ten': ({ number }) => `${number.slice(0, 10)}…`,
  'the last ten': ({ number }) => `…${number.slice(-10)}`,
}

/** The same of a security code, beside what it belongs to, as a word of its own, or under its name. */
export const CVC_LEAKS: Readonly<Record<string, Write>> = {
  'as JSON': body,
  'as JSON in JSON': (canary) => JSON.stringify(body(canary)),
  'as a number under its name': ({ cvc, email }) => JSON.stringify({ email, cvc: Number(cvc) }),
  'as a number in a list of fields': ({ cvc }) => `cvc=${Number(cvc)}&x=1`,
  'under its name alone': ({ cvc }) => `cvc=${cvc}`,
  'under another name': ({ cvc }) => `"securityCode": "${cvc}"`,
  'in a sentence': ({ cvc }) => `cvc ${cvc} was wrong`,
  'as a word': ({ cvc, holderName }) => `${holderName} ${cvc}`,
  'behind the number': ({ number, cvc }) => `${number} 12/99 ${cvc}`,
  'in a query': ({ cvc }) => `/pay?cvc=${cvc}&x=1`,
  'escaped for an address': ({ cvc }) => `cvc%3D${escapedBy(cvc, (code) => `%${code}`)}`,
  'escaped for JSON': ({ cvc }) => `"cvc":"${escapedBy(cvc, (code) => `\\u00${code}`)}"`,
  'in base64 as JSON': (canary) => encoded(body(canary), 'base64'),
  'in base64url as JSON, one sign on': (canary) => encoded(` ${body(canary)}`, 'base64url'),
  'in base64 as JSON, two signs on': (canary) => encoded(`  ${body(canary)}`, 'base64'),
  'in hex as JSON': (canary) => encoded(body(canary), 'hex'),
  'in UTF-16 as JSON': (canary) => wide(body(canary)),
}
