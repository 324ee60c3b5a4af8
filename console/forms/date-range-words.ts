/** Words of the date range field. */
import type { WordsOf } from '../words/language.tsx'
import type { RangeProblem } from './date-range.ts'

interface DateRangeWords {
  readonly problems: Readonly<Record<RangeProblem, string>>
}

export const dateRangeWords: WordsOf<DateRangeWords> = {
  ja: {
    problems: {
      'not whole': '開始日と終了日の両方を入力してください。',
      'too early': '年を4桁で入力してください（2000年以降）。',
      'too late': '今日までの日付を入力してください。',
      reversed: '終了日は、開始日以降の日付にしてください。',
    },
  },
  'en-US': {
    problems: {
      'not whole': 'Enter both days.',
      'too early': 'Enter years with four digits, from 2000 on.',
      'too late': 'Enter days up to today.',
      reversed: 'The last day is before the first one.',
    },
  },
}
