/** Faults of measured lines: a short text that is broken inside a word, and a paragraph that leaves a third of its room empty. */
import { withoutLineBreaks } from '#contract/line-breaks.ts'
import type { MeasuredText } from './measure-texts.ts'

const LETTER_FIRST = /^[\p{L}\p{N}\p{M}]/u
const LETTER_LAST = /[\p{L}\p{N}\p{M}]$/u
/** A line of these may end at a space, a mark or a sign of punctuation alone: the segmenter takes endings for words. */
const NEEDS_MARKS = /^(ja|zh|ko)/

const segmenters = new Map<string, Intl.Segmenter>()

const isInsideWord = (text: string, at: number, language: string): boolean => {
  const segmenter = segmenters.get(language) ?? new Intl.Segmenter(language, { granularity: 'word' })
  segmenters.set(language, segmenter)
  const found = segmenter.segment(text).containing(at)
  return found !== undefined && found.isWordLike === true && found.index < at
}

const isBrokenBetween = (line: string, next: string, language: string): boolean => {
  if (/[\s\u200b]$/.test(line) || /^[\s\u200b]/.test(next)) return false
  if (line.endsWith('\u2060') || next.startsWith('\u2060')) return true
  return NEEDS_MARKS.test(language) && LETTER_LAST.test(line) && LETTER_FIRST.test(next)
}

const isBroken = ({ lines, language }: MeasuredText): boolean => {
  const plain = lines.map(({ text }) => withoutLineBreaks(text))
  const whole = plain.join('')
  return lines.slice(0, -1).some(({ text }, at) => {
    const end = plain.slice(0, at + 1).join('').length
    return isBrokenBetween(text, lines[at + 1]?.text ?? '', language) || isInsideWord(whole, end, language)
  })
}

/** What all lines but the last leave empty of their room. */
const emptyPart = ({ lines, room }: MeasuredText): number => {
  const full = lines.slice(0, -1)
  return full.reduce((sum, { width }) => sum + 1 - width / room, 0) / full.length
}

const EMPTY_MOST = 1 / 3

/** Texts that may leave a third of their room empty, by the reason. */
const MAY_BE_NARROW: Readonly<Record<string, (text: MeasuredText, whole: string) => boolean>> = {
  'centred: two lines of one length look better than a full one over a short one': ({ isCentred }) => isCentred,
  'a value at the right edge of a mail is broken into lines of one length': ({ isMailValue }) => isMailValue,
  'a code is broken into lines of one length, so that no letter is left alone': (_, whole) => /[!-~]{20}$/.test(whole),
  'a Japanese word beside its translation goes to the next line as a whole': ({ language, lines }) =>
    language !== 'ja' && /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+$/u.test(lines.at(-1)?.text ?? ''),
  'a shop’s Japanese on a Korean page, which breaks at spaces and punctuation': ({ language }, whole) =>
    language === 'ko' && /\p{Script=Hiragana}/u.test(whole),
}

const mayBeNarrow = (text: MeasuredText): boolean => {
  const whole = text.lines.map((line) => line.text).join('')
  return Object.values(MAY_BE_NARROW).some((holdsFor) => holdsFor(text, whole))
}

/** A sentence about the fault of a text; undefined where its lines are good. */
export const lineFault = (text: MeasuredText): string | undefined => {
  const shown = text.lines.map((line) => withoutLineBreaks(line.text).trim()).join(' ／ ')
  if (text.isShort) return isBroken(text) ? `${text.screen}: a line ends inside a word: ${shown}` : undefined
  const empty = emptyPart(text)
  return empty > EMPTY_MOST && !mayBeNarrow(text)
    ? `${text.screen}: ${Math.round(empty * 100)} % of the lines are empty: ${shown}`
    : undefined
}
