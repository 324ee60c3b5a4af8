/** Mail words: all languages. */
import type { PageLocale } from '#contract/locale.ts'
import { words as english, type MailWords } from './en-US.ts'
import { words as japanese } from './ja.ts'
import { words as korean } from './ko.ts'
import { words as thai } from './th.ts'
import { words as simplifiedChinese } from './zh-Hans.ts'
import { words as traditionalChinese } from './zh-Hant.ts'

export const mailWords: Readonly<Record<PageLocale, MailWords>> = {
  ja: japanese,
  'en-US': english,
  ko: korean,
  'zh-Hans': simplifiedChinese,
  'zh-Hant': traditionalChinese,
  th: thai,
}

/** A language that a mail is drawn in. */
export interface Language {
  readonly locale: PageLocale
  readonly words: MailWords
}
