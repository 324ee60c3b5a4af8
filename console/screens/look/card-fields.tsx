/** Card fields: which brands are accepted, and how strictly cards are authenticated. */
import { brandName } from '#contract/brand-name.ts'
import { CARD_BRANDS } from '#contract/brands.ts'
import { Icon } from '../../forms/icon.tsx'
import { useWords } from '../../words/language.tsx'
import styles from './card-fields.module.css'
import { CheckBox } from './check-box.tsx'
import type { FieldSet } from './field-set.ts'
import { fieldWords } from './field-words.ts'

const BrandFields = ({ values, set, problemOf, isReadOnly }: FieldSet) => {
  const words = useWords(fieldWords)
  const accepted = values.acceptedCardBrands
  const problem = problemOf('acceptedCardBrands')
  return (
    <fieldset className={styles['brands']}>
      <legend className={styles['legend']}>{words.fields.acceptedCardBrands}</legend>
      <p className={styles['hint']}>{words.hints.acceptedCardBrands}</p>
      <CheckBox
        label={words.allBrands}
        isChecked={accepted === null}
        isDisabled={isReadOnly}
        onChange={(isAll) => set('acceptedCardBrands', isAll ? null : [...CARD_BRANDS])}
      />
      {accepted === null ? null : (
        <div className={styles['list']}>
          {CARD_BRANDS.map((brand) => (
            <CheckBox
              key={brand}
              label={brandName(brand)}
              isChecked={accepted.includes(brand)}
              isDisabled={isReadOnly}
              onChange={(isAccepted) =>
                set(
                  'acceptedCardBrands',
                  CARD_BRANDS.filter((each) => (each === brand ? isAccepted : accepted.includes(each))),
                )
              }
            />
          ))}
        </div>
      )}
      {problem === undefined ? null : (
        <p className={styles['problem']} role="alert">
          <Icon name="warning" size={16} />
          {problem}
        </p>
      )}
    </fieldset>
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
