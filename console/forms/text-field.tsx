/** Text field: label, input, what is wrong with it, and a hint. */
import { useState } from 'react'
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
  onBlur?(): void
}

/** Nothing without a text: React Aria finds a day wrong by itself, while it is typed. */
export const Problem = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <FieldError className={styles['problem'] ?? ''}>
      <Icon name="warning" size={16} />
      <span>{text}</span>
    </FieldError>
  )

export const Hint = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <Text slot="description" className={styles['hint'] ?? ''}>
      {text}
    </Text>
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
    <Hint text={hint} />
    <Problem text={problem} />
  </AriaTextField>
)

/**
 * A text field whose text is read as something else, which `value` is written from. While somebody types it shows the text as it
 * was typed: what an input method composes doubles in a field that is rewritten.
 */
export const ReadTextField = ({ value, onChange, ...field }: TextFieldProps) => {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <TextField
      {...field}
      value={typed ?? value}
      onChange={(text) => {
        setTyped(text)
        onChange(text)
      }}
      onBlur={() => setTyped(null)}
    />
  )
}
