/** Calendar parts: what a field of one day and a field of two share. */
import type { ReactNode } from 'react'
import {
  Button,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  DateInput,
  DateSegment,
  Dialog,
  Group,
  Heading,
  Popover,
} from 'react-aria-components'
import styles from './calendar.module.css'
import { Icon } from './icon.tsx'

/** A day to be typed; `slot`: which of two. */
export const TypedDay = ({ slot }: { readonly slot?: 'start' | 'end' }) => (
  <DateInput className={styles['date'] ?? ''} {...(slot === undefined ? {} : { slot })}>
    {(segment) => <DateSegment segment={segment} className={styles['segment'] ?? ''} />}
  </DateInput>
)

/** Whether a part of the days in `field` is typed and a part is missing. React Aria keeps that to itself: its value stays the last whole one. */
export const isHalfTyped = (field: Element): boolean => {
  const parts = [...field.querySelectorAll('[data-type]:not([data-type="literal"])')]
  const missing = parts.filter((part) => part.hasAttribute('data-placeholder')).length
  return missing > 0 && missing < parts.length
}

/** The typed days, and the button that opens the calendar. */
export const TypedDays = ({ children }: { readonly children: ReactNode }) => (
  <Group className={styles['group'] ?? ''}>
    {children}
    <Button className={styles['opener'] ?? ''}>
      <Icon name="calendar" />
    </Button>
  </Group>
)

export const CalendarPopover = ({ children }: { readonly children: ReactNode }) => (
  <Popover className={styles['popover'] ?? ''}>
    <Dialog className={styles['dialog'] ?? ''}>{children}</Dialog>
  </Popover>
)

/** The days of one month, and the way to the months beside it. */
export const CalendarMonth = () => (
  <>
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
      <CalendarGridBody>{(date) => <CalendarCell date={date} className={styles['day'] ?? ''} />}</CalendarGridBody>
    </CalendarGrid>
  </>
)
