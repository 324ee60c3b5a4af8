/** Words of the fields of days. */
import type { WordsOf } from '../words/language.tsx'
import type { RangeProblem } from './date-range.ts'

interface DateRangeWords {
  readonly problems: Readonly<Record<RangeProblem, string>>
  /** Of a field of one day. */
  readonly halfDay: string
}

export const dateRangeWords: WordsOf<DateRangeWords> = {
  ja: {
    problems: {
      'not whole': '開始日と終了日の両方を、年・月・日まで入力してください。',
      'too early': '年を4桁で入力してください（2000年以降）。',
      'too late': '今日までの日付を入力してください。',
      reversed: '終了日は、開始日以降の日付にしてください。',
    },
    halfDay: '年・月・日をすべて入力するか、すべて空欄にしてください。',
  },
  'en-US': {
    problems: {
      'not whole': 'Enter both days, each with year, month and day.',
      'too early': 'Enter years with four digits, from 2000 on.',
      'too late': 'Enter days up to today.',
      reversed: 'The last day is before the first one.',
    },
    halfDay: 'Enter year, month and day, or leave all of them empty.',
  },
}
