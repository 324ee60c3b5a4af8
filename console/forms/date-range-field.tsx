/** Date range field: from one day in Japan to another, typed or chosen in a calendar. */
import { parseDate } from '@internationalized/date'
import { DateRangePicker, Label, RangeCalendar } from 'react-aria-components'
import { CalendarMonth, CalendarPopover, TypedDay, TypedDays } from './calendar-parts.tsx'
import fieldStyles from './field.module.css'

/** Days in Japan such as 2026-11-22, the last one included. */
export interface DateRange {
  readonly from: string
  readonly to: string
}

interface DateRangeFieldProps {
  readonly label: string
  readonly value: DateRange | null
  onChange(value: DateRange | null): void
  /** The first and the last day that can be chosen. */
  readonly first?: string
  readonly last?: string
}

export const DateRangeField = ({ label, value, onChange, first, last }: DateRangeFieldProps) => (
  <DateRangePicker
    className={fieldStyles['field'] ?? ''}
    value={value === null ? null : { start: parseDate(value.from), end: parseDate(value.to) }}
    onChange={(range) => onChange(range === null ? null : { from: range.start.toString(), to: range.end.toString() })}
    {...(first === undefined ? {} : { minValue: parseDate(first) })}
    {...(last === undefined ? {} : { maxValue: parseDate(last) })}
  >
    <Label className={fieldStyles['label'] ?? ''}>{label}</Label>
    <TypedDays>
      <TypedDay slot="start" />
      <span aria-hidden="true">–</span>
      <TypedDay slot="end" />
    </TypedDays>
    <CalendarPopover>
      <RangeCalendar>
        <CalendarMonth />
      </RangeCalendar>
    </CalendarPopover>
  </DateRangePicker>
)
