/** Scanner: finds card numbers and security codes of canaries in what the server wrote or sent, however they are encoded. */
import type { Canary } from './canary.ts'
import { createSecretSearch, type NamedSecret } from './canary-credentials.ts'
import { decodeEveryWay } from './decodings.ts'

/** Something that the server wrote or sent: a text, or the bytes of a database file, in which words have no ends. */
export interface ServerOutput {
  readonly place: string
  readonly kind: 'text' | 'bytes'
  readonly bytes: Buffer
}

export interface Hit {
  readonly place: string
  readonly what: 'card number' | 'cvc' | 'credential'
  readonly encoding: string
  /** Null: the hit is a credential, which `around` names. */
  readonly canary: Canary | null
  /** What stands around a security code: three digits also come up by chance, and only a reader can tell. */
  readonly around?: string
}

/** First six and last four digits may be shown. Eleven in a row are a leak, and so are the first or last ten alone. */
const LEAKED_DIGITS_MIN = 11
const LONE_RUN_DIGITS = 10

const reversed = (text: string): string => Array.from(text).toReversed().join('')

const isDistinctive = (fragment: string): boolean => fragment.replaceAll('0', '').length >= 2

const fragmentsOf = (number: string): string[] =>
  Array.from({ length: number.length - LEAKED_DIGITS_MIN + 1 }, (_, from) =>
    number.slice(from, from + LEAKED_DIGITS_MIN),
  ).filter(isDistinctive)

/** The byte after a text may be a digit by chance: PostgreSQL's log has the number of a row there. */
const withoutLast = (run: string): string => run.slice(0, -1)

/** Digits with up to three characters between them, but no letters. */
const DIGIT_RUN = /\d(?:[^0-9A-Za-z]{0,3}\d){9,}/g

const integerForms = (number: string): Buffer[] => {
  const whole = Buffer.alloc(8)
  whole.writeBigUInt64BE(BigInt(number))
  const significant = whole.subarray(whole.findIndex((byte) => byte !== 0))
  const real = Buffer.alloc(8)
  real.writeDoubleBE(Number(number))
  return [significant, real].flatMap((form) => [form, Buffer.from(form.toReversed())])
}

/** Random ids and milliseconds are no leak, and are blanked out: one in some thousands contains a CVC by chance. */
const withoutRandomDigits = (text: string): string =>
  text
    .replaceAll(/T\d\d:\d\d:\d\d\.\d{3}Z/g, '(time)')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '(uuid)')
    .replaceAll(/"authenticationValue":"[A-Za-z0-9+/]{27}="/g, '(value)')

const NEAR_CHARACTERS = 400
const SHOWN_CHARACTERS = 30
const CVC_NAME = '(?:cvc|cvv2?|cvn|csc|security.?code|verification.?value)'
/** In a script that is stored in base64, `dCVN035` stands by chance: the name begins a word, or something stands behind it. */
const AFTER_CVC_NAME = new RegExp(`(?:(?<![A-Za-z0-9])${CVC_NAME}|${CVC_NAME}[^A-Za-z0-9])[^A-Za-z0-9]{0,11}$`, 'i')
/** A CVC as a JSON number has lost its leading zero. Something stands before it: a random id may contain `cvn324`. */
const NAMED_CVC_NUMBER = new RegExp(`${CVC_NAME}[^A-Za-z0-9]{1,12}(?<value>[1-9]\\d{0,2})(?!\\d)`, 'gi')

/** Where a number may be split in two; a longer first or second part is a leak by itself. */
const SPLIT_POSITIONS = [7, 8, 9]

const hexOf = (number: string): string => BigInt(number).toString(16)
/** The fewest hex digits of a number of 14 digits. */
const HEX_PREFIX_LENGTH = 12
const HEX_RUN = /[0-9a-f]{12,}/gi

export interface Scanner {
  scan(output: ServerOutput): Hit[]
}

/**
 * Leak scanner: finds the card numbers and security codes of these canaries, and these secrets.
 *
 * A CVC is three or four digits, which any large file contains by chance. It is a hit in a text as a word of its own
 * (canaries' codes begin with a zero, which no number that the server prints does), and in the bytes of a database, where
 * words have no ends, after a name for it or near the holder name, email, checkout, order or card that it belongs to. Four
 * digits near nothing that they belong to are of no use to anybody.
 *
 * Not found: a number in three and more fields with letters between them, or in two that are further apart than a record
 * is long; fewer than ten digits alone; a code that is a bare number (207 for 0207) and not after a name for it; whatever
 * is compressed, encrypted, hashed, or written in another base than 10, 16 or 64.
 */
export const createScanner = (canaries: readonly Canary[], secrets: readonly NamedSecret[] = []): Scanner => {
  const findSecrets = createSecretSearch(secrets)
  const byFragment = new Map<string, Canary>()
  const byLoneRun = new Map<string, Canary>()
  const byFirstPart = new Map<string, { readonly rest: string; readonly canary: Canary }[]>()
  const byHex = new Map<string, { readonly hex: string; readonly canary: Canary }[]>()
  const byCvc = new Map<string, Canary[]>()
  const byWord = new Map<string, Canary>()
  const integers = new Map<number, { readonly form: Buffer; readonly canary: Canary }[]>()
  for (const canary of canaries) {
    const { number, cvc } = canary
    for (const fragment of fragmentsOf(number)) {
      byFragment.set(fragment, canary)
      byFragment.set(reversed(fragment), canary)
    }
    for (const run of [number.slice(0, LONE_RUN_DIGITS), number.slice(-LONE_RUN_DIGITS)].filter(isDistinctive))
      byLoneRun.set(run, canary)
    for (const cut of SPLIT_POSITIONS) {
      const first = number.slice(0, cut)
      byFirstPart.set(first, [...(byFirstPart.get(first) ?? []), { rest: number.slice(cut), canary }])
    }
    const hex = hexOf(number)
    byHex.set(hex.slice(0, HEX_PREFIX_LENGTH), [...(byHex.get(hex.slice(0, HEX_PREFIX_LENGTH)) ?? []), { hex, canary }])
    byCvc.set(cvc, [...(byCvc.get(cvc) ?? []), canary])
    for (const encoding of ['hex', 'base64url'] as const) byWord.set(Buffer.from(cvc).toString(encoding), canary)
    for (const form of integerForms(number)) {
      const first = form.readUInt16BE(0)
      integers.set(first, [...(integers.get(first) ?? []), { form, canary }])
    }
  }
  const mayBegin = new Uint8Array(65_536)
  for (const first of integers.keys()) mayBegin[first] = 1

  const findNumbers = (text: string): Set<Canary> => {
    const found = new Set<Canary>()
    for (const [run] of text.matchAll(DIGIT_RUN)) {
      const digits = run.replaceAll(/\D/g, '')
      for (let from = 0; from + LEAKED_DIGITS_MIN <= digits.length; from += 1) {
        const canary = byFragment.get(digits.slice(from, from + LEAKED_DIGITS_MIN))
        if (canary !== undefined) found.add(canary)
      }
    }
    for (const [run] of text.matchAll(/(?<!\d)\d{10,11}(?!\d)/g)) {
      const canary = byLoneRun.get(run.slice(0, LONE_RUN_DIGITS))
      if (canary !== undefined) found.add(canary)
    }
    for (const { 0: run, index } of text.matchAll(/(?<!\d)\d{7,9}(?!\d)/g)) {
      for (const { rest, canary } of byFirstPart.get(run) ?? []) {
        const around = text.slice(Math.max(0, index - NEAR_CHARACTERS), index + NEAR_CHARACTERS)
        if (new RegExp(`(?<!\\d)${rest}(?!\\d\\d)`).test(around)) found.add(canary)
      }
    }
    for (const [run] of text.matchAll(HEX_RUN)) {
      const digits = run.toLowerCase()
      for (let from = 0; from + HEX_PREFIX_LENGTH <= digits.length; from += 1) {
        for (const { hex, canary } of byHex.get(digits.slice(from, from + HEX_PREFIX_LENGTH)) ?? [])
          if (digits.startsWith(hex, from)) found.add(canary)
      }
    }
    return found
  }

  const findIntegers = (bytes: Buffer): Set<Canary> => {
    const found = new Set<Canary>()
    for (let at = 0; at + 6 <= bytes.length; at += 1) {
      const first = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
      if (mayBegin[first] === 0) continue
      for (const { form, canary } of integers.get(first) ?? []) {
        if (bytes.subarray(at, at + form.length).equals(form)) found.add(canary)
      }
    }
    return found
  }

  const isNearItsOwner = ({ identifiers, number }: Canary, around: string): boolean =>
    around.includes(number) || [...identifiers].some((identifier) => around.includes(identifier))

  /** Each with what stands around its code. */
  const findCodes = (text: string, kind: ServerOutput['kind']): Map<Canary, string> => {
    const found = new Map<Canary, string>()
    const readable = withoutRandomDigits(text)
    const aroundOf = (at: number, length: number): string =>
      readable.slice(Math.max(0, at - SHOWN_CHARACTERS), at + length + SHOWN_CHARACTERS)
    for (const { 0: run, index } of readable.matchAll(/(?<!\d)0\d{2,4}(?!\d)/g)) {
      const before = readable.slice(Math.max(0, index - NEAR_CHARACTERS), index)
      const after = readable.slice(index + run.length, index + run.length + NEAR_CHARACTERS)
      const isWord = !/[A-Za-z]$/.test(before) && !/^[A-Za-z]/.test(after)
      const codes = kind === 'text' ? [run] : [run, withoutLast(run)]
      for (const owner of codes.flatMap((code) => byCvc.get(code) ?? [])) {
        const isMeant = kind === 'text' ? isWord : isNearItsOwner(owner, before + after)
        if (isMeant || AFTER_CVC_NAME.test(before)) found.set(owner, aroundOf(index, run.length))
      }
    }
    for (const { 0: run, groups, index } of readable.matchAll(NAMED_CVC_NUMBER)) {
      for (const length of [3, 4])
        for (const owner of byCvc.get((groups?.['value'] ?? '').padStart(length, '0')) ?? [])
          found.set(owner, aroundOf(index, run.length))
    }
    if (kind === 'text') {
      for (const { 0: word, index } of readable.matchAll(/(?<![0-9A-Za-z])[0-9A-Za-z]{4,8}(?![0-9A-Za-z])/g)) {
        const canary = byWord.get(word)
        if (canary !== undefined) found.set(canary, aroundOf(index, word.length))
      }
    }
    return found
  }

  return {
    scan: ({ place, kind, bytes }) => {
      return [
        ...decodeEveryWay(bytes).flatMap(({ encoding, text }) => [
          ...findSecrets(place, text).map((around): Hit => ({
            place,
            what: 'credential',
            encoding,
            canary: null,
            around,
          })),
          ...[...findNumbers(text)].map((canary): Hit => ({ place, what: 'card number', encoding, canary })),
          ...[...findCodes(text, kind)].map(([canary, around]): Hit => ({
            place,
            what: 'cvc',
            encoding,
            canary,
            around,
          })),
        ]),
        ...[...findIntegers(bytes)].map((canary): Hit => ({ place, what: 'card number', encoding: 'integer', canary })),
      ]
    },
  }
}
