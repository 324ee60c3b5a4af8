/** Card fields: which brands are accepted, and how strictly cards are authenticated. */
import { BrandField } from '../../forms/brand-field.tsx'
import { CheckBox } from '../../forms/check-box.tsx'
import { useWords } from '../../words/language.tsx'
import type { FieldSet } from './field-set.ts'
import { fieldWords } from './field-words.ts'

const BrandFields = ({ values, set, problemOf, isReadOnly }: FieldSet) => {
  const words = useWords(fieldWords)
  return (
    <BrandField
      label={words.fields.acceptedCardBrands}
      hint={words.hints.acceptedCardBrands}
      anyLabel={words.allBrands}
      accepted={values.acceptedCardBrands}
      onChange={(accepted) => set('acceptedCardBrands', accepted)}
      problem={problemOf('acceptedCardBrands')}
      isDisabled={isReadOnly}
    />
  )
}

export const CardFields = (fields: FieldSet) => {
  const words = useWords(fieldWords)
  return (
    <>
      <BrandFields {...fields} />
      {(['allowExemption', 'requireFullAuthentication'] as const).map((name) => (
        <CheckBox
          key={name}
          label={words.fields[name]}
          hint={words.hints[name]}
          isChecked={fields.values[name]}
          isDisabled={fields.isReadOnly}
          onChange={(isChecked) => fields.set(name, isChecked)}
        />
      ))}
    </>
  )
}
