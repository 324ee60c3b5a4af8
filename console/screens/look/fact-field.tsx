/** Fact field: one line of text of the settings; what is left empty is not shown to shoppers. */
import { ReadTextField } from '../../forms/text-field.tsx'
import { useWords } from '../../words/language.tsx'
import type { FieldSet } from './field-set.ts'
import { fieldWords } from './field-words.ts'

type FactName = 'shopName' | 'shopAddress' | 'shopPhoneNumber' | 'shopEmail' | 'shopUrl' | 'registrationNumber'

interface FactFieldProps {
  readonly fields: FieldSet
  readonly name: FactName
  readonly type?: 'text' | 'email' | 'url'
  readonly autoComplete?: string
  readonly placeholder?: string
  /** How what was typed is saved. */
  format?(text: string): string
}

const asTyped = (text: string): string => text

export const FactField = ({ fields, name, format = asTyped, ...field }: FactFieldProps) => {
  const words = useWords(fieldWords)
  const hint = words.hints[name]
  const setText = (text: string): void => {
    if (name === 'shopName') fields.set(name, text)
    else fields.set(name, text === '' ? null : text)
  }
  return (
    <ReadTextField
      {...field}
      {...(hint === undefined ? {} : { hint })}
      label={words.fields[name]}
      value={fields.values[name] ?? ''}
      onChange={(text) => setText(format(text))}
      problem={fields.problemOf(name)}
      isRequired={name === 'shopName'}
      isDisabled={fields.isReadOnly}
    />
  )
}
