/** One way of reading bytes. A leak is looked for in every one of them. */
export interface Reading {
  readonly form: string
  readonly text: string
}

const charOf = (_: string, code: string): string => String.fromCharCode(Number.parseInt(code, 16))

const ESCAPED = /%[2-7]|\\["unrtx]|&#|\u00ef\u00bc/i

/** Undoes the escapes of addresses, JSON and HTML, and the full width of a Japanese keyboard. Bytes are read as Latin-1. */
const unescaped = (text: string): string =>
  text
    .replaceAll(/%([2-7][0-9a-f])/gi, charOf)
    .replaceAll(/\\+u00([0-7][0-9a-f])/gi, charOf)
    .replaceAll(/\\+x([2-7][0-9a-f])/gi, charOf)
    .replaceAll(/&#x([2-7][0-9a-f]);/gi, charOf)
    .replaceAll(/&#(\d{2,3});/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/\\+uff1(\d)/gi, '$1')
    .replaceAll(/\u00ef\u00bc([\u0090-\u0099])/g, (_, last: string) => String(last.charCodeAt(0) - 0x90))
    .replaceAll(/\\+[nrt]/g, ' ')
    .replaceAll(/\\+"/g, '"')

/** What is readable of decoded bytes. Random bytes hold hardly ever eight signs in a row that can be printed. */
const stretchesOf = (bytes: Buffer): string[] =>
  (bytes.toString('latin1').match(/[\x20-\x7e\n\r\t\0]{8,}/g) ?? []).filter((stretch) => /\d\D{0,3}\d/.test(stretch))

const fromHex = (run: string): Buffer => Buffer.from(run.replaceAll(/[^0-9a-f]/gi, ''), 'hex')

/** 10 digits take 14 signs; a run may begin anywhere inside what was encoded, so all four beginnings are tried. */
const base64Readings = (text: string): string[] =>
  (text.match(/[A-Za-z0-9+/_-]{14,}/g) ?? []).flatMap((run) =>
    [0, 1, 2, 3].flatMap((from) => stretchesOf(Buffer.from(run.slice(from), 'base64'))),
  )

const hexReadings = (text: string): string[] =>
  (text.match(/(?:[2-7][0-9a-f][ :,-]?){6,}/gi) ?? []).flatMap((run) =>
    [run, run.slice(1)].flatMap((from) => stretchesOf(fromHex(from))),
  )

/** How a Buffer or typed array is printed as JSON: the codes of its digits, with or without their places. */
const codeReadings = (text: string): string[] =>
  (text.match(/(?:(?:"\d{1,2}":)?(?:4[89]|5[0-7])[,\s]{1,3}){2,}(?:"\d{1,2}":)?(?:4[89]|5[0-7])(?!\d)/g) ?? []).map(
    (run) =>
      run
        .replaceAll(/"\d+":/g, '')
        .split(/[,\s]+/)
        .map((code) => String.fromCharCode(Number(code)))
        .join(''),
  )

const wide = (text: string): string => text.replaceAll(/([\x20-\x7e])\0/g, '$1')
const wideFromFirst = (text: string): string => text.replaceAll(/\0([\x20-\x7e])/g, '$1')

const joined = (parts: readonly string[]): string => parts.join('\n|\n')

const withWide = (reading: Reading): Reading[] => [
  reading,
  ...(/\d\0[^\0]\0/.test(reading.text) ? [{ form: `${reading.form}, UTF-16`, text: wide(reading.text) }] : []),
  ...(/\0[^\0]\0\d/.test(reading.text)
    ? [{ form: `${reading.form}, UTF-16 BE`, text: wideFromFirst(reading.text) }]
    : []),
]

const simpleReadings = (text: string): Reading[] => [
  ...withWide({ form: 'plain', text }),
  ...(ESCAPED.test(text) ? withWide({ form: 'escaped', text: unescaped(text) }) : []),
]

const decodedReadings = (text: string): Reading[] => {
  const decoders = { base64: base64Readings, hex: hexReadings, codes: codeReadings }
  return Object.entries(decoders).flatMap(([form, decode]) => {
    const parts = decode(text)
    return parts.length === 0 ? [] : [{ form, text: joined(parts) }]
  })
}

/** All readings of these bytes: as they are, unescaped, wide, and each decoded once and once more. */
export const readingsOf = (bytes: Buffer): Reading[] => {
  const first = simpleReadings(bytes.toString('latin1'))
  const decoded = first.flatMap(({ form, text }) =>
    decodedReadings(text).map((reading) => ({
      ...reading,
      form: form === 'plain' ? reading.form : `${form}, ${reading.form}`,
    })),
  )
  const again = decoded.flatMap(({ form, text }) =>
    [...simpleReadings(text).slice(1), ...decodedReadings(text)].map((reading) => ({
      ...reading,
      form: `${form}, ${reading.form}`,
    })),
  )
  return [...first, ...decoded, ...again]
}
