/** Date range field: from one day in Japan to another, typed or chosen in a calendar. */
import { parseDate } from '@internationalized/date'
import { useRef, useState, type FocusEvent } from 'react'
import { DateRangePicker, Label, RangeCalendar, type DateRangePickerProps, type DateValue } from 'react-aria-components'
import { useWords } from '../words/language.tsx'
import { CalendarMonth, CalendarPopover, isHalfTyped, TypedDay, TypedDays } from './calendar-parts.tsx'
import { FIRST_DAY, rangeProblem, type DateRange, type RangeProblem } from './date-range.ts'
import { dateRangeWords } from './date-range-words.ts'
import fieldStyles from './field.module.css'
import { Problem } from './text-field.tsx'

interface DateRangeFieldProps {
  readonly label: string
  readonly value: DateRange | null
  /** Not for each digit: a half typed year is a year too. Once the field is left, or by a choice in the calendar. */
  onChange(value: DateRange | null): void
  /** The last day that can be chosen; left out: any. */
  readonly last?: string
  readonly isRequired?: boolean
}

type Days = NonNullable<DateRangePickerProps<DateValue>['value']>
type TypedEnds = { readonly [End in keyof Days]: Days[End] | null }

const daysOf = (range: DateRange | null): Days | null =>
  range === null ? null : { start: parseDate(range.from), end: parseDate(range.to) }

const rangeOf = ({ start, end }: Days): DateRange => ({ from: start.toString(), to: end.toString() })

const isSame = (one: DateRange | null, other: DateRange | null): boolean =>
  one?.from === other?.from && one?.to === other?.to

export const DateRangeField = ({ label, value, onChange, last, isRequired = false }: DateRangeFieldProps) => {
  const words = useWords(dateRangeWords)
  const [days, setDays] = useState(() => daysOf(value))
  const [problem, setProblem] = useState<RangeProblem>()
  // Going back in the browser changes it too.
  const [applied, setApplied] = useState(value)
  if (!isSame(applied, value)) {
    setApplied(value)
    setDays(daysOf(value))
    setProblem(undefined)
  }
  /** Undefined: nothing was since the field was left. A day that does not exist is changed in the moment of leaving. */
  const typed = useRef<Days | null>(undefined)

  const apply = (next: DateRange | null): void => {
    setProblem(undefined)
    if (!isSame(next, value)) onChange(next)
  }
  const leave = (ends: TypedEnds, isHalf: boolean): void => {
    const next = typed.current
    typed.current = undefined
    if (isHalf) {
      setProblem('not whole')
      return
    }
    if (next === undefined) {
      // A part that was erased and typed again is no change.
      if (problem === 'not whole' && ends.start !== null) setProblem(undefined)
      return
    }
    if (next === null) {
      const isEmpty = ends.start === null && ends.end === null
      if (isEmpty && !isRequired) apply(null)
      else setProblem('not whole')
      return
    }
    const why = rangeProblem(rangeOf(next), last)
    if (why === undefined) apply(rangeOf(next))
    else setProblem(why)
  }

  return (
    <DateRangePicker
      className={fieldStyles['field'] ?? ''}
      value={days}
      onChange={(next) => {
        typed.current = next
        setDays(next)
      }}
      isInvalid={problem !== undefined}
    >
      {({ state }) => (
        <>
          <Label className={fieldStyles['label'] ?? ''}>{label}</Label>
          <div
            onBlur={({ currentTarget, relatedTarget }: FocusEvent) => {
              if (!currentTarget.contains(relatedTarget)) leave(state.value, isHalfTyped(currentTarget))
            }}
          >
            <TypedDays>
              <TypedDay slot="start" />
              <span aria-hidden="true">–</span>
              <TypedDay slot="end" />
            </TypedDays>
          </div>
          <Problem text={problem === undefined ? undefined : words.problems[problem]} />
          <CalendarPopover>
            <RangeCalendar
              onChange={(chosen) => {
                // Applied here: it would be applied again when the field is left, over a range that came from going back meanwhile.
                typed.current = undefined
                apply(rangeOf(chosen))
              }}
              minValue={parseDate(FIRST_DAY)}
              {...(last === undefined ? {} : { maxValue: parseDate(last) })}
            >
              <CalendarMonth />
            </RangeCalendar>
          </CalendarPopover>
        </>
      )}
    </DateRangePicker>
  )
}
