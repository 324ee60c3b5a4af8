/** Date range field: from one day in Japan to another, typed or chosen in a calendar. */
import { parseDate } from '@internationalized/date'
import {
  Button,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  DateInput,
  DateRangePicker,
  DateSegment,
  Dialog,
  Group,
  Heading,
  Label,
  Popover,
  RangeCalendar,
} from 'react-aria-components'
import fieldStyles from './field.module.css'
import { Icon } from './icon.tsx'
import styles from './date-range-field.module.css'

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

const Days = ({ slot }: { readonly slot: 'start' | 'end' }) => (
  <DateInput slot={slot} className={styles['date'] ?? ''}>
    {(segment) => <DateSegment segment={segment} className={styles['segment'] ?? ''} />}
  </DateInput>
)

export const DateRangeField = ({ label, value, onChange, first, last }: DateRangeFieldProps) => (
  <DateRangePicker
    className={fieldStyles['field'] ?? ''}
    value={value === null ? null : { start: parseDate(value.from), end: parseDate(value.to) }}
    onChange={(range) => onChange(range === null ? null : { from: range.start.toString(), to: range.end.toString() })}
    {...(first === undefined ? {} : { minValue: parseDate(first) })}
    {...(last === undefined ? {} : { maxValue: parseDate(last) })}
  >
    <Label className={fieldStyles['label'] ?? ''}>{label}</Label>
    <Group className={styles['group'] ?? ''}>
      <Days slot="start" />
      <span aria-hidden="true">–</span>
      <Days slot="end" />
      <Button className={styles['opener'] ?? ''}>
        <Icon name="calendar" />
      </Button>
    </Group>
    <Popover className={styles['popover'] ?? ''}>
      <Dialog className={styles['dialog'] ?? ''}>
        <RangeCalendar>
          <header className={styles['head']}>
            <Button slot="previous" className={styles['step'] ?? ''}>
              <Icon name="before" />
            </Button>
            <Heading className={styles['month'] ?? ''} />
            <Button slot="next" className={styles['step'] ?? ''}>
              <Icon name="after" />
            </Button>
          </header>
          <CalendarGrid className={styles['grid'] ?? ''}>
            <CalendarGridHeader>
              {(day) => <CalendarHeaderCell className={styles['weekday'] ?? ''}>{day}</CalendarHeaderCell>}
            </CalendarGridHeader>
            <CalendarGridBody>
              {(date) => <CalendarCell date={date} className={styles['day'] ?? ''} />}
            </CalendarGridBody>
          </CalendarGrid>
        </RangeCalendar>
      </Dialog>
    </Popover>
  </DateRangePicker>
)
