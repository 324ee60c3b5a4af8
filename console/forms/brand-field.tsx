/** Brand field: which card brands are accepted; null: those of a rule that the first check box names. */
import { brandName } from '#contract/brand-name.ts'
import { CARD_BRANDS, type CardBrand } from '#contract/brands.ts'
import styles from './brand-field.module.css'
import { CheckBox } from './check-box.tsx'
import { Icon } from './icon.tsx'

interface BrandFieldProps {
  readonly label: string
  readonly hint: string | undefined
  /** What null means. */
  readonly anyLabel: string
  readonly accepted: readonly CardBrand[] | null
  onChange(accepted: CardBrand[] | null): void
  readonly problem: string | undefined
  readonly isDisabled?: boolean
}

export const BrandField = ({
  label,
  hint,
  anyLabel,
  accepted,
  onChange,
  problem,
  isDisabled = false,
}: BrandFieldProps) => (
  <fieldset className={styles['brands']}>
    <legend className={styles['legend']}>{label}</legend>
    <p className={styles['hint']}>{hint}</p>
    <CheckBox
      label={anyLabel}
      isChecked={accepted === null}
      isDisabled={isDisabled}
      onChange={(isAny) => onChange(isAny ? null : [...CARD_BRANDS])}
    />
    {accepted === null ? null : (
      <div className={styles['list']}>
        {CARD_BRANDS.map((brand) => (
          <CheckBox
            key={brand}
            label={brandName(brand)}
            isChecked={accepted.includes(brand)}
            isDisabled={isDisabled}
            onChange={(isAccepted) =>
              onChange(CARD_BRANDS.filter((each) => (each === brand ? isAccepted : accepted.includes(each))))
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
