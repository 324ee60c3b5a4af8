/** Decodings: one way of decoded bytes as text. A leak is searched for in every one of them. */
export interface DecodedText {
  readonly encoding: string
  readonly text: string
}

const charFromHex = (_: string, code: string): string => String.fromCharCode(Number.parseInt(code, 16))

const ESCAPED = /%[2-7]|\\["unrtx]|&#|\u00ef\u00bc/i

/** Undoes the escapes of addresses, JSON and HTML, and the full width of a Japanese keyboard. Bytes are read as Latin-1. */
const unescape = (text: string): string =>
  text
    .replaceAll(/%([2-7][0-9a-f])/gi, charFromHex)
    .replaceAll(/\\+u00([0-7][0-9a-f])/gi, charFromHex)
    .replaceAll(/\\+x([2-7][0-9a-f])/gi, charFromHex)
    .replaceAll(/&#x([2-7][0-9a-f]);/gi, charFromHex)
    .replaceAll(/&#(\d{2,3});/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/\\+uff1(\d)/gi, '$1')
    .replaceAll(/\u00ef\u00bc([\u0090-\u0099])/g, (_, last: string) => String(last.charCodeAt(0) - 0x90))
    .replaceAll(/\\+[nrt]/g, ' ')
    .replaceAll(/\\+"/g, '"')

/** The printable parts of decoded bytes. Random bytes hardly ever have eight printable characters in a row. */
const printableRuns = (bytes: Buffer): string[] =>
  (bytes.toString('latin1').match(/[\x20-\x7e\n\r\t\0]{8,}/g) ?? []).filter((run) => /\d\D{0,3}\d/.test(run))

const fromHex = (run: string): Buffer => Buffer.from(run.replaceAll(/[^0-9a-f]/gi, ''), 'hex')

/** 10 digits take 14 characters; a run may begin anywhere inside what was encoded, so all four offsets are tried. */
const decodeBase64 = (text: string): string[] =>
  (text.match(/[A-Za-z0-9+/_-]{14,}/g) ?? []).flatMap((run) =>
    [0, 1, 2, 3].flatMap((from) => printableRuns(Buffer.from(run.slice(from), 'base64'))),
  )

const decodeHex = (text: string): string[] =>
  (text.match(/(?:[2-7][0-9a-f][ :,-]?){6,}/gi) ?? []).flatMap((run) =>
    [run, run.slice(1)].flatMap((from) => printableRuns(fromHex(from))),
  )

/** How a Buffer or typed array is printed as JSON: the codes of its digits, with or without their places. */
const decodeCharacterCodes = (text: string): string[] =>
  (text.match(/(?:(?:"\d{1,2}":)?(?:4[89]|5[0-7])[,\s]{1,3}){2,}(?:"\d{1,2}":)?(?:4[89]|5[0-7])(?!\d)/g) ?? []).map(
    (run) =>
      run
        .replaceAll(/"\d+":/g, '')
        .split(/[,\s]+/)
        .map((code) => String.fromCharCode(Number(code)))
        .join(''),
  )

const fromUtf16LE = (text: string): string => text.replaceAll(/([\x20-\x7e])\0/g, '$1')
const fromUtf16BE = (text: string): string => text.replaceAll(/\0([\x20-\x7e])/g, '$1')

const joinParts = (parts: readonly string[]): string => parts.join('\n|\n')

const withUtf16 = (decoded: DecodedText): DecodedText[] => [
  decoded,
  ...(/\d\0[^\0]\0/.test(decoded.text)
    ? [{ encoding: `${decoded.encoding}, UTF-16`, text: fromUtf16LE(decoded.text) }]
    : []),
  ...(/\0[^\0]\0\d/.test(decoded.text)
    ? [{ encoding: `${decoded.encoding}, UTF-16 BE`, text: fromUtf16BE(decoded.text) }]
    : []),
]

const plainAndUnescaped = (text: string): DecodedText[] => [
  ...withUtf16({ encoding: 'plain', text }),
  ...(ESCAPED.test(text) ? withUtf16({ encoding: 'escaped', text: unescape(text) }) : []),
]

const decodeOnce = (text: string): DecodedText[] => {
  const decoders = { base64: decodeBase64, hex: decodeHex, codes: decodeCharacterCodes }
  return Object.entries(decoders).flatMap(([encoding, decode]) => {
    const parts = decode(text)
    return parts.length === 0 ? [] : [{ encoding, text: joinParts(parts) }]
  })
}

/** These bytes as they are, unescaped and as UTF-16, and each of them decoded once and once more. */
export const decodeEveryWay = (bytes: Buffer): DecodedText[] => {
  const first = plainAndUnescaped(bytes.toString('latin1'))
  const decoded = first.flatMap(({ encoding, text }) =>
    decodeOnce(text).map((inner) => ({
      ...inner,
      encoding: encoding === 'plain' ? inner.encoding : `${encoding}, ${inner.encoding}`,
    })),
  )
  const decodedTwice = decoded.flatMap(({ encoding, text }) =>
    [...plainAndUnescaped(text).slice(1), ...decodeOnce(text)].map((inner) => ({
      ...inner,
      encoding: `${encoding}, ${inner.encoding}`,
    })),
  )
  return [...first, ...decoded, ...decodedTwice]
}
