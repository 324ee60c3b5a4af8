/** Day field: one day in Japan, typed or chosen in a calendar, or none. */
import { parseDate } from '@internationalized/date'
import {
  Button,
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  DateInput,
  DatePicker,
  DateSegment,
  Dialog,
  Group,
  Heading,
  Label,
  Popover,
  Text,
} from 'react-aria-components'
import fieldStyles from './field.module.css'
import { Icon } from './icon.tsx'
import styles from './date-range-field.module.css'
import { Problem } from './text-field.tsx'

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
    <Group className={styles['group'] ?? ''}>
      <DateInput className={styles['date'] ?? ''}>
        {(segment) => <DateSegment segment={segment} className={styles['segment'] ?? ''} />}
      </DateInput>
      <Button className={styles['opener'] ?? ''}>
        <Icon name="calendar" />
      </Button>
    </Group>
    {hint === undefined ? null : (
      <Text slot="description" className={fieldStyles['hint'] ?? ''}>
        {hint}
      </Text>
    )}
    <Problem text={problem} />
    <Popover className={styles['popover'] ?? ''}>
      <Dialog className={styles['dialog'] ?? ''}>
        <Calendar>
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
        </Calendar>
      </Dialog>
    </Popover>
  </DatePicker>
)
