/** More fields of a new link, folded: taxes, brands, the address after paying, remarks and reference. */
import { useState } from 'react'
import { REFERENCE_MAX_LENGTH, REMARKS_MAX_LENGTH, URL_MAX_LENGTH } from '#contract/text-limits.ts'
import { TAX_RATES } from '#contract/tax-rates.ts'
import { BrandField } from '../../forms/brand-field.tsx'
import { SelectField } from '../../forms/select-field.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { YenField } from '../../forms/yen-field.tsx'
import { useWords } from '../../words/language.tsx'
import { isEntered, TAXED_BY, taxedField, type DraftField, type LinkDraft } from './draft.ts'
import styles from './new-link.module.css'
import { newLinkWords } from './words.ts'

const FOLDED: readonly DraftField[] = [
  'taxes',
  ...TAX_RATES.map(taxedField),
  'brands',
  'redirectUrl',
  'remarks',
  'reference',
]

interface MoreFieldsProps {
  readonly draft: LinkDraft
  onChange(change: Partial<LinkDraft>): void
  problemOf(field: DraftField): string | undefined
}

const TaxFields = ({ draft, onChange, problemOf }: MoreFieldsProps) => {
  const words = useWords(newLinkWords)
  return (
    <>
      <SelectField
        label={words.taxes}
        value={draft.taxedBy}
        choices={TAXED_BY.map((value) => ({ value, ...words.taxedBy[value] }))}
        onChange={(taxedBy) => onChange({ taxedBy })}
        problem={problemOf('taxes')}
      />
      {draft.taxedBy === 'mixed'
        ? TAX_RATES.map((rate) => (
            <YenField
              key={rate}
              label={words.taxedAt[rate]}
              value={draft[taxedField(rate)]}
              onChange={(amount) => onChange({ [taxedField(rate)]: amount })}
              problem={problemOf(taxedField(rate))}
            />
          ))
        : null}
    </>
  )
}

export const MoreFields = (fields: MoreFieldsProps) => {
  const { draft, onChange, problemOf } = fields
  const words = useWords(newLinkWords)
  // It stays open when a problem in it is mended.
  const [isOpen, setIsOpen] = useState(false)
  const hasProblem = FOLDED.some((field) => problemOf(field) !== undefined)
  return (
    <details
      className={styles['more']}
      open={isOpen || hasProblem}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary className={styles['summary']}>{words.more}</summary>
      <div className={styles['folded']}>
        <TextField
          label={words.remarks}
          value={draft.remarks}
          onChange={(remarks) => onChange({ remarks })}
          hint={words.remarksHint}
          isMultiline
          maxLength={REMARKS_MAX_LENGTH}
          problem={problemOf('remarks')}
        />
        <TextField
          label={words.reference}
          value={draft.reference}
          onChange={(reference) => onChange({ reference })}
          hint={words.referenceHint}
          maxLength={REFERENCE_MAX_LENGTH}
          problem={problemOf('reference')}
        />
        {isEntered(draft) ? null : <TaxFields {...fields} />}
        <BrandField
          label={words.brands}
          hint={words.brandsHint}
          anyLabel={words.brandsOfShop}
          accepted={draft.brands}
          onChange={(brands) => onChange({ brands })}
          problem={problemOf('brands')}
        />
        <TextField
          label={words.redirectUrl}
          value={draft.redirectUrl}
          onChange={(redirectUrl) => onChange({ redirectUrl })}
          hint={words.redirectUrlHint}
          type="url"
          inputMode="url"
          placeholder="https://"
          maxLength={URL_MAX_LENGTH}
          problem={problemOf('redirectUrl')}
        />
      </div>
    </details>
  )
}
