/**
 * Line breaks: marks in a heading, button, label or error that say where its line may end. Japanese and Chinese write no spaces,
 * and a browser would break them between any two characters; Thai it breaks between words, also inside a compound. The style of
 * these texts is `word-break: keep-all`. The build marks the words of the page, the server those of a mail: no browser does.
 */
import type { PageLocale } from './locale.ts'

/** Zero width space: the line may end here. */
export const BREAK = '\u200b'
/** Word joiner: the line may not end here. */
export const NO_BREAK = '\u2060'

type Segments = readonly string[]

const segmentersByLocale = new Map<string, Intl.Segmenter>()

const wordsOf = (text: string, locale: PageLocale): Segments => {
  const segmenter = segmentersByLocale.get(locale) ?? new Intl.Segmenter(locale, { granularity: 'word' })
  segmentersByLocale.set(locale, segmenter)
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

const OPENS = /^[（「『【《]/
const HIRAGANA = /^[\p{Script=Hiragana}ー]+$/u
const LETTER_FIRST = /^[\p{L}\p{N}]/u
const LETTER_LAST = /[\p{L}\p{N}]$/u
const POLITE_PREFIX = /^[おご]$/

/** A phrase of Japanese ends with its particles and endings, which are written in hiragana alone: the next noun or verb begins one. */
const beginsJapanesePhrase = (before: string, word: string, after: string): boolean => {
  const isWord = POLITE_PREFIX.test(word) ? !HIRAGANA.test(after) : LETTER_FIRST.test(word) && !HIRAGANA.test(word)
  return isWord && HIRAGANA.test(before) && !POLITE_PREFIX.test(before)
}

/** Words of one sign that belong to the next word; all others, as in 服务器 or 持卡人, belong to the one before. */
const CHINESE_PREFIX = /^[请請不未已将將会會此向与與或您为為仅僅无無再经經以本在被改并並尚还還要我所若]$/u
const ONE_HAN = /^\p{Script=Han}$/u

const beginsChinesePhrase = (before: string, word: string): boolean =>
  LETTER_FIRST.test(word) &&
  LETTER_LAST.test(before) &&
  !CHINESE_PREFIX.test(before) &&
  (CHINESE_PREFIX.test(word) || !ONE_HAN.test(word))

/** Compounds that the segmenter takes apart. A browser breaks Thai by the same dictionary. */
const THAI_COMPOUNDS: readonly string[] = [
  'วันหมดอายุ',
  'หมดอายุ',
  'รูปแบบ',
  'ถูกต้อง',
  'บัตรเครดิต',
  'บัตรทดสอบ',
  'ผู้ออกบัตร',
  'ความปลอดภัย',
  'ความเป็นส่วนตัว',
  'ตรวจสอบ',
  'ชำระเงิน',
  'คืนเงิน',
  'ใบแจ้งหนี้',
  'ใบเสร็จ',
  'ใบกำกับภาษี',
  'ยืนยันตัวตน',
  'ทุกช่อง',
  'หน้านี้',
  'ร้านค้า',
  'ข้อผิดพลาด',
]
/** A negation stays beside its verb. A compound that was joined is not found again inside of a longer one. */
const joinThai = (text: string): string =>
  THAI_COMPOUNDS.reduce(
    (joined, compound) => joined.replaceAll(compound, wordsOf(compound, 'th').join(NO_BREAK)),
    text,
  ).replaceAll(/ไม่(?=\p{L})/gu, `ไม่${NO_BREAK}`)

type BeginsPhrase = (before: string, word: string, after: string) => boolean

const breakBefore = (words: Segments, begins: BeginsPhrase): string =>
  words
    .map((word, at) => {
      const before = words[at - 1]
      if (before === undefined) return word
      const isBreak = OPENS.test(word) ? LETTER_LAST.test(before) : begins(before, word, words[at + 1] ?? '')
      return isBreak ? BREAK + word : word
    })
    .join('')

/** The text with its marks. English and Korean have spaces, and need none. */
export const withLineBreaks = (text: string, locale: PageLocale): string => {
  switch (locale) {
    case 'ja':
      return breakBefore(wordsOf(text, locale), beginsJapanesePhrase)
    case 'zh-Hans':
    case 'zh-Hant':
      return breakBefore(wordsOf(text, locale), beginsChinesePhrase)
    case 'th':
      return joinThai(text)
    case 'en-US':
    case 'ko':
      return text
  }
}

/** The text as it is read. */
export const withoutLineBreaks = (text: string): string => text.replaceAll(/[\u200b\u2060]/g, '')
