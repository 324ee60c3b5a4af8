/** Day field: one day in Japan, typed or chosen in a calendar, or none. */
import { parseDate } from '@internationalized/date'
import { useState, type FocusEvent } from 'react'
import { Calendar, DatePicker, Label } from 'react-aria-components'
import { useWords } from '../words/language.tsx'
import { CalendarMonth, CalendarPopover, isHalfTyped, TypedDay, TypedDays } from './calendar-parts.tsx'
import { HALF_TYPED } from './date-range.ts'
import { dateRangeWords } from './date-range-words.ts'
import fieldStyles from './field.module.css'
import { Hint, Problem } from './text-field.tsx'

interface DayFieldProps {
  readonly label: string
  /** A day in Japan such as 2026-11-22; null: none. */
  readonly value: string | null
  /** Also with `HALF_TYPED`, which must not be sent: as none, a key or a link would never end. */
  onChange(value: string | null): void
  /** The first and the last day that can be chosen. */
  readonly first: string
  readonly last: string
  readonly hint?: string
  readonly problem?: string | undefined
}

export const DayField = ({ label, value, onChange, first, last, hint, problem }: DayFieldProps) => {
  const words = useWords(dateRangeWords)
  // What stands in the field beneath a part that is missing.
  const [whole, setWhole] = useState(value === HALF_TYPED ? null : value)
  if (value !== HALF_TYPED && value !== whole) setWhole(value)
  const isHalf = value === HALF_TYPED
  const mend = (field: Element): void => {
    if (isHalf && !isHalfTyped(field)) onChange(whole)
  }
  const shownProblem = isHalf ? words.halfDay : problem
  return (
    <DatePicker
      className={fieldStyles['field'] ?? ''}
      value={whole === null ? null : parseDate(whole)}
      onChange={(day) => onChange(day === null ? null : day.toString())}
      minValue={parseDate(first)}
      maxValue={parseDate(last)}
      isInvalid={shownProblem !== undefined}
      validationBehavior="aria"
    >
      <Label className={fieldStyles['label'] ?? ''}>{label}</Label>
      <div
        role="presentation"
        onBlur={({ currentTarget, relatedTarget }: FocusEvent) => {
          if (!currentTarget.contains(relatedTarget) && isHalfTyped(currentTarget)) onChange(HALF_TYPED)
          else mend(currentTarget)
        }}
        // Not only when it is left: what says the problem would go while the button below is pressed, and take it from under the pointer.
        onKeyUp={({ currentTarget }) => mend(currentTarget)}
      >
        <TypedDays>
          <TypedDay />
        </TypedDays>
      </div>
      <Hint text={hint} />
      <Problem text={shownProblem} />
      <CalendarPopover>
        <Calendar>
          <CalendarMonth />
        </Calendar>
      </CalendarPopover>
    </DatePicker>
  )
}
