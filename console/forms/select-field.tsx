/** Select field: one of a few choices, by mouse, finger or keyboard. */
import { Button, Label, ListBox, ListBoxItem, Popover, Select, SelectValue } from 'react-aria-components'
import fieldStyles from './field.module.css'
import { Icon } from './icon.tsx'
import styles from './overlay.module.css'
import { Problem } from './text-field.tsx'

export interface Choice<T extends string> {
  readonly value: T
  readonly label: string
  /** A line below it that says what it means. */
  readonly detail?: string
}

interface SelectFieldProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly choices: readonly Choice<T>[]
  onChange(value: T): void
  readonly problem?: string | undefined
  readonly isDisabled?: boolean
}

export const SelectField = <T extends string>({
  label,
  value,
  choices,
  onChange,
  problem,
  isDisabled = false,
}: SelectFieldProps<T>) => (
  <Select
    className={fieldStyles['field'] ?? ''}
    value={value}
    onChange={(key) => {
      const chosen = choices.find((choice) => choice.value === key)
      if (chosen !== undefined) onChange(chosen.value)
    }}
    isInvalid={problem !== undefined}
    isDisabled={isDisabled}
    validationBehavior="aria"
  >
    <Label className={fieldStyles['label'] ?? ''}>{label}</Label>
    <Button className={styles['opener'] ?? ''}>
      <SelectValue>{({ selectedText }) => selectedText}</SelectValue>
      <Icon name="caret" />
    </Button>
    <Problem text={problem} />
    <Popover className={styles['popover'] ?? ''}>
      <ListBox className={styles['list'] ?? ''}>
        {choices.map((choice) => (
          <ListBoxItem key={choice.value} id={choice.value} textValue={choice.label} className={styles['item'] ?? ''}>
            {({ isSelected }) => (
              <>
                <span className={styles['words']}>
                  {choice.label}
                  {choice.detail === undefined ? null : <span className={styles['detail']}>{choice.detail}</span>}
                </span>
                {isSelected ? (
                  <span className={styles['chosen']}>
                    <Icon name="check" />
                  </span>
                ) : null}
              </>
            )}
          </ListBoxItem>
        ))}
      </ListBox>
    </Popover>
  </Select>
)
