import type { Canary } from './canary.ts'
import { readingsOf } from './readings.ts'

/** Something that the server wrote or sent. Texts hold words, bytes are files in whatever order a database keeps them. */
export interface Output {
  readonly place: string
  readonly kind: 'text' | 'bytes'
  readonly bytes: Buffer
}

export interface Hit {
  readonly place: string
  readonly what: 'card number' | 'cvc'
  readonly form: string
  readonly canary: Canary
}

/** BIN and last four may be shown; eleven digits in a row are more than that. A lone run of the first or last ten is, too. */
const TOO_MANY = 11
const ALONE = 10

const reversed = (text: string): string => Array.from(text).toReversed().join('')

const isTelling = (fragment: string): boolean => fragment.replaceAll('0', '').length >= 2

const fragmentsOf = (number: string): string[] =>
  Array.from({ length: number.length - TOO_MANY + 1 }, (_, from) => number.slice(from, from + TOO_MANY)).filter(
    isTelling,
  )

/** The byte behind a text may be a digit by chance: PostgreSQL's log has the number of a row there. */
const withoutLast = (run: string): string => run.slice(0, -1)

/** Digits however they are set apart: by up to three signs of any kind, but not by letters. */
const DIGITS = /\d(?:[^0-9A-Za-z]{0,3}\d){9,}/g

const integerForms = (number: string): Buffer[] => {
  const whole = Buffer.alloc(8)
  whole.writeBigUInt64BE(BigInt(number))
  const significant = whole.subarray(whole.findIndex((byte) => byte !== 0))
  const real = Buffer.alloc(8)
  real.writeDoubleBE(Number(number))
  return [significant, real].flatMap((form) => [form, Buffer.from(form.toReversed())])
}

/** Random ids and milliseconds are no leak, and are blanked out: a CVC stands by chance in one of some thousands. */
const withoutChance = (text: string): string =>
  text
    .replaceAll(/T\d\d:\d\d:\d\d\.\d{3}Z/g, '(time)')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '(uuid)')
    .replaceAll(/"authenticationValue":"[A-Za-z0-9+/]{27}="/g, '(value)')

const NEAR = 400
const NAME = '(?:cvc|cvv2?|cvn|csc|security.?code|verification.?value)[^A-Za-z0-9]{0,12}'
const NAMED = new RegExp(`${NAME}$`, 'i')
/** A number has lost the zero that a code begins with. */
const NAMED_NUMBER = new RegExp(`${NAME}(?<value>[1-9]\\d{0,2})(?!\\d)`, 'gi')

/** Where a number may be cut in two; a longer first part is too much by itself, and so is a longer second one. */
const CUTS = [7, 8, 9]

const hexOf = (number: string): string => BigInt(number).toString(16)
/** The least that a number of 14 digits takes. */
const HEX_FIRST = 12
const HEX = /[0-9a-f]{12,}/gi

export interface Scanner {
  scan(output: Output): Hit[]
}

/**
 * Finds the card numbers and security codes of these canaries.
 *
 * A CVC is three or four digits, which stand by chance in any large file, so it is a hit where it means something: in a
 * text as a word of its own (canaries begin with a zero, which no number that the server prints does), and in the bytes
 * of a database, where words have no ends, behind a name for it or near the name, address, checkout, order or card that
 * it belongs to. Four digits beside nothing that they belong to are of no use to anybody.
 *
 * Not found: a number in three and more fields with letters between them, or in two that are further apart than a record
 * is long; fewer than ten digits alone; a code that is a bare number (207 for 0207) and not behind a name for it; whatever
 * is compressed, encrypted, hashed, or written in another base than 10, 16 or 64.
 */
export const createScanner = (canaries: readonly Canary[]): Scanner => {
  const byFragment = new Map<string, Canary>()
  const byTen = new Map<string, Canary>()
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
    for (const ten of [number.slice(0, ALONE), number.slice(-ALONE)].filter(isTelling)) byTen.set(ten, canary)
    for (const cut of CUTS) {
      const first = number.slice(0, cut)
      byFirstPart.set(first, [...(byFirstPart.get(first) ?? []), { rest: number.slice(cut), canary }])
    }
    const hex = hexOf(number)
    byHex.set(hex.slice(0, HEX_FIRST), [...(byHex.get(hex.slice(0, HEX_FIRST)) ?? []), { hex, canary }])
    byCvc.set(cvc, [...(byCvc.get(cvc) ?? []), canary])
    for (const encoding of ['hex', 'base64url'] as const) byWord.set(Buffer.from(cvc).toString(encoding), canary)
    for (const form of integerForms(number)) {
      const first = form.readUInt16BE(0)
      integers.set(first, [...(integers.get(first) ?? []), { form, canary }])
    }
  }
  const mayBegin = new Uint8Array(65_536)
  for (const first of integers.keys()) mayBegin[first] = 1

  const numbersIn = (text: string): Set<Canary> => {
    const found = new Set<Canary>()
    for (const [run] of text.matchAll(DIGITS)) {
      const digits = run.replaceAll(/\D/g, '')
      for (let from = 0; from + TOO_MANY <= digits.length; from += 1) {
        const canary = byFragment.get(digits.slice(from, from + TOO_MANY))
        if (canary !== undefined) found.add(canary)
      }
    }
    for (const [run] of text.matchAll(/(?<!\d)\d{10,11}(?!\d)/g)) {
      const canary = byTen.get(run.slice(0, ALONE))
      if (canary !== undefined) found.add(canary)
    }
    for (const { 0: run, index } of text.matchAll(/(?<!\d)\d{7,9}(?!\d)/g)) {
      for (const { rest, canary } of byFirstPart.get(run) ?? []) {
        const around = text.slice(Math.max(0, index - NEAR), index + NEAR)
        if (new RegExp(`(?<!\\d)${rest}(?!\\d\\d)`).test(around)) found.add(canary)
      }
    }
    for (const [run] of text.matchAll(HEX)) {
      const digits = run.toLowerCase()
      for (let from = 0; from + HEX_FIRST <= digits.length; from += 1) {
        for (const { hex, canary } of byHex.get(digits.slice(from, from + HEX_FIRST)) ?? [])
          if (digits.startsWith(hex, from)) found.add(canary)
      }
    }
    return found
  }

  const integersIn = (bytes: Buffer): Set<Canary> => {
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

  const belongsHere = ({ belongings, number }: Canary, around: string): boolean =>
    around.includes(number) || [...belongings].some((belonging) => around.includes(belonging))

  const codesIn = (text: string, kind: Output['kind']): Set<Canary> => {
    const found = new Set<Canary>()
    const readable = withoutChance(text)
    for (const { 0: run, index } of readable.matchAll(/(?<!\d)0\d{2,4}(?!\d)/g)) {
      const before = readable.slice(Math.max(0, index - NEAR), index)
      const after = readable.slice(index + run.length, index + run.length + NEAR)
      const isWord = !/[A-Za-z]$/.test(before) && !/^[A-Za-z]/.test(after)
      const codes = kind === 'text' ? [run] : [run, withoutLast(run)]
      for (const owner of codes.flatMap((code) => byCvc.get(code) ?? [])) {
        const isMeant = kind === 'text' ? isWord : belongsHere(owner, before + after)
        if (isMeant || NAMED.test(before)) found.add(owner)
      }
    }
    for (const { groups } of readable.matchAll(NAMED_NUMBER)) {
      for (const length of [3, 4])
        for (const owner of byCvc.get((groups?.['value'] ?? '').padStart(length, '0')) ?? []) found.add(owner)
    }
    if (kind === 'text') {
      for (const [word] of readable.matchAll(/(?<![0-9A-Za-z])[0-9A-Za-z]{4,8}(?![0-9A-Za-z])/g)) {
        const canary = byWord.get(word)
        if (canary !== undefined) found.add(canary)
      }
    }
    return found
  }

  return {
    scan: ({ place, kind, bytes }) => {
      const readings = readingsOf(bytes)
      return [
        ...readings.flatMap(({ form, text }) => [
          ...[...numbersIn(text)].map((canary): Hit => ({ place, what: 'card number', form, canary })),
          ...[...codesIn(text, kind)].map((canary): Hit => ({ place, what: 'cvc', form, canary })),
        ]),
        ...[...integersIn(bytes)].map((canary): Hit => ({ place, what: 'card number', form: 'integer', canary })),
      ]
    },
  }
}
