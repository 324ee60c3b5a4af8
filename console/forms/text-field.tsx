/** Text field: label, input, what is wrong with it, and a hint. */
import { FieldError, Input, Label, Text, TextArea, TextField as AriaTextField } from 'react-aria-components'
import { Icon } from './icon.tsx'
import styles from './field.module.css'

interface TextFieldProps {
  readonly label: string
  readonly value: string
  onChange(value: string): void
  /** What is wrong with it; left out: nothing is. */
  readonly problem?: string | undefined
  readonly hint?: string
  readonly type?: 'text' | 'email' | 'url' | 'search'
  readonly name?: string
  readonly autoComplete?: string
  readonly inputMode?: 'numeric' | 'email' | 'url' | 'search'
  readonly maxLength?: number
  readonly placeholder?: string
  readonly isMultiline?: boolean
  readonly isRequired?: boolean
  readonly isDisabled?: boolean
}

export const Problem = ({ text }: { readonly text: string | undefined }) => (
  <FieldError className={styles['problem'] ?? ''}>
    <Icon name="warning" size={16} />
    <span>{text}</span>
  </FieldError>
)

export const TextField = ({
  label,
  problem,
  hint,
  isMultiline = false,
  placeholder = '',
  ...field
}: TextFieldProps) => (
  <AriaTextField
    {...field}
    className={styles['field'] ?? ''}
    isInvalid={problem !== undefined}
    validationBehavior="aria"
  >
    <Label className={styles['label'] ?? ''}>{label}</Label>
    {isMultiline ? (
      <TextArea className={styles['input'] ?? ''} placeholder={placeholder} />
    ) : (
      <Input className={styles['input'] ?? ''} placeholder={placeholder} />
    )}
    {hint === undefined ? null : (
      <Text slot="description" className={styles['hint'] ?? ''}>
        {hint}
      </Text>
    )}
    <Problem text={problem} />
  </AriaTextField>
)
