/** Filter form: one search box, and the filters that a phone shows on demand. What is chosen counts at once, a typed text with Enter. */
import { useState } from 'react'
import { Button } from '../../forms/button.tsx'
import { brandName } from '#contract/brand-name.ts'
import { DateRangeField } from '../../forms/date-range-field.tsx'
import { SelectField } from '../../forms/select-field.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { YenField } from '../../forms/yen-field.tsx'
import { useWords } from '../../words/language.tsx'
import {
  BRAND_CHOICES,
  countSet,
  isWrongAmount,
  NO_FILTERS,
  STATUS_CHOICES,
  type Filters,
  type StatusChoice,
} from './filters.ts'
import { statusWords } from './status-words.ts'
import { checkoutsWords } from './words.ts'
import styles from './checkouts.module.css'

interface FilterFormProps {
  readonly filters: Filters
  onChange(filters: Filters): void
}

const useStatusName = (): ((status: StatusChoice) => string) => {
  const [words, names] = [useWords(checkoutsWords), useWords(statusWords)]
  return (status) => {
    if (status === '') return words.anyStatus
    return status === 'pending' ? words.moving : names[status]
  }
}

export const FilterForm = ({ filters, onChange }: FilterFormProps) => {
  const words = useWords(checkoutsWords)
  const statusName = useStatusName()
  const [typed, setTyped] = useState(filters)
  // Days that were typed and never counted are in no filter: they go with their field.
  const [timesCleared, setTimesCleared] = useState(0)
  // Going back in the browser changes the address: the fields follow it.
  const [applied, setApplied] = useState(filters)
  if (JSON.stringify(applied) !== JSON.stringify(filters)) {
    setApplied(filters)
    setTyped(filters)
  }
  const apply = (next: Filters): void => {
    setTyped(next)
    onChange(next)
  }
  const amountProblem = (text: string): string | undefined => (isWrongAmount(text) ? words.wrongAmount : undefined)
  const set = countSet(filters)
  return (
    <form
      className={styles['form']}
      role="search"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        apply(typed)
      }}
    >
      <div className={styles['search']}>
        <TextField
          label={words.search}
          hint={words.searchHint}
          type="search"
          name="search"
          autoComplete="off"
          maxLength={300}
          value={typed.search}
          onChange={(search) => setTyped({ ...typed, search })}
        />
        <Button kind="secondary" type="submit">
          {words.find}
        </Button>
      </div>
      <details>
        <summary className={styles['summary']}>{words.filters(set)}</summary>
        <div className={styles['fields']}>
          <SelectField
            label={words.status}
            value={typed.status}
            choices={STATUS_CHOICES.map((value) => ({ value, label: statusName(value) }))}
            onChange={(status) => apply({ ...typed, status })}
          />
          <SelectField
            label={words.brand}
            value={typed.brand}
            choices={BRAND_CHOICES.map((value) => ({ value, label: value === '' ? words.anyBrand : brandName(value) }))}
            onChange={(brand) => apply({ ...typed, brand })}
          />
          <DateRangeField
            key={timesCleared}
            label={words.created}
            value={typed.created}
            onChange={(created) => apply({ ...typed, created })}
          />
          <YenField
            label={words.amountFrom}
            value={typed.amountFrom}
            onChange={(amountFrom) => setTyped({ ...typed, amountFrom })}
            problem={amountProblem(typed.amountFrom)}
          />
          <YenField
            label={words.amountTo}
            value={typed.amountTo}
            onChange={(amountTo) => setTyped({ ...typed, amountTo })}
            problem={amountProblem(typed.amountTo)}
          />
        </div>
        <div className={styles['buttons']}>
          <Button kind="secondary" type="submit">
            {words.find}
          </Button>
          <Button
            kind="secondary"
            type="button"
            onClick={() => {
              setTimesCleared(timesCleared + 1)
              apply(NO_FILTERS)
            }}
          >
            {words.clear}
          </Button>
        </div>
      </details>
    </form>
  )
}
