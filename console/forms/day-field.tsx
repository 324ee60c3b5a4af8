/** Day field: one day in Japan, typed or chosen in a calendar, or none. */
import { parseDate } from '@internationalized/date'
import { Calendar, DatePicker, Label } from 'react-aria-components'
import { CalendarMonth, CalendarPopover, TypedDay, TypedDays } from './calendar-parts.tsx'
import fieldStyles from './field.module.css'
import { Hint, Problem } from './text-field.tsx'

interface DayFieldProps {
  readonly label: string
  /** A day in Japan such as 2026-11-22. */
  readonly value: string | null
  onChange(value: string | null): void
  /** The first and the last day that can be chosen. */
  readonly first: string
  readonly last: string
  readonly hint?: string
  readonly problem?: string | undefined
}

export const DayField = ({ label, value, onChange, first, last, hint, problem }: DayFieldProps) => (
  <DatePicker
    className={fieldStyles['field'] ?? ''}
    value={value === null ? null : parseDate(value)}
    onChange={(day) => onChange(day === null ? null : day.toString())}
    minValue={parseDate(first)}
    maxValue={parseDate(last)}
    isInvalid={problem !== undefined}
    validationBehavior="aria"
  >
    <Label className={fieldStyles['label'] ?? ''}>{label}</Label>
    <TypedDays>
      <TypedDay />
    </TypedDays>
    <Hint text={hint} />
    <Problem text={problem} />
    <CalendarPopover>
      <Calendar>
        <CalendarMonth />
      </Calendar>
    </CalendarPopover>
  </DatePicker>
)
