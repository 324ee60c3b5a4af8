/** Fields of a new link: amount, subject, deadline and language in front, the rest folded. */
import { DAY_MS, jstDate } from '#contract/jst.ts'
import { localeLabel, PAGE_LOCALES, toWireLocale } from '#contract/locale.ts'
import { VALIDITY_DAYS_MAX } from '#contract/merchant/checkouts.ts'
import { LINK_VALIDITY_YEARS_MAX } from '#contract/merchant/reusable-links.ts'
import { SUBJECT_MAX_LENGTH } from '#contract/text-limits.ts'
import { ChoiceField } from '../../forms/choice-field.tsx'
import { HALF_TYPED } from '../../forms/date-range.ts'
import { DayField } from '../../forms/day-field.tsx'
import { SelectField } from '../../forms/select-field.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { YenField } from '../../forms/yen-field.tsx'
import { useWords } from '../../words/language.tsx'
import { isEntered, type DraftField, type DraftProblems, type LinkDraft, type LinkKind } from './draft.ts'
import { MoreFields } from './more-fields.tsx'
import styles from './new-link.module.css'
import { newLinkWords } from './words.ts'

const DAYS_AHEAD: Readonly<Record<LinkKind, number>> = {
  once: VALIDITY_DAYS_MAX,
  reusable: LINK_VALIDITY_YEARS_MAX * 365 - 1,
}

interface LinkFieldsProps {
  readonly draft: LinkDraft
  onChange(change: Partial<LinkDraft>): void
  readonly problems: DraftProblems
  /** When the screen was opened. */
  readonly now: number
}

export const LinkFields = ({ draft, onChange, problems, now }: LinkFieldsProps) => {
  const words = useWords(newLinkWords)
  const { kind } = draft
  const problemOf = (field: DraftField): string | undefined => {
    const problem = problems[field]
    return problem === undefined ? undefined : words.problems[problem]
  }
  return (
    <>
      <ChoiceField
        label={words.kind}
        value={kind}
        choices={(['once', 'reusable'] as const).map((value) => ({ value, ...words.kinds[value] }))}
        // The field of the day begins anew, with no part of a day.
        onChange={(value) => onChange({ kind: value, until: draft.until === HALF_TYPED ? null : draft.until })}
      />
      {kind === 'once' ? null : (
        <ChoiceField
          label={words.amountBy}
          value={draft.amountBy}
          choices={(['merchant', 'shopper'] as const).map((value) => ({ value, label: words.amountsBy[value] }))}
          onChange={(value) => onChange({ amountBy: value })}
        />
      )}
      {isEntered(draft) ? (
        <div className={styles['bounds']}>
          <YenField
            label={words.min}
            value={draft.min}
            onChange={(min) => onChange({ min })}
            problem={problemOf('min')}
          />
          <YenField
            label={words.max}
            value={draft.max}
            onChange={(max) => onChange({ max })}
            problem={problemOf('max')}
          />
        </div>
      ) : (
        <YenField
          label={words.amount}
          value={draft.amount}
          onChange={(amount) => onChange({ amount })}
          problem={problemOf('amount')}
        />
      )}
      <TextField
        label={words.subject}
        value={draft.subject}
        onChange={(subject) => onChange({ subject })}
        hint={words.subjectHint}
        maxLength={SUBJECT_MAX_LENGTH}
        problem={problemOf('subject')}
      />
      <DayField
        key={kind}
        label={words.until}
        value={draft.until}
        onChange={(until) => onChange({ until })}
        first={jstDate(now)}
        last={jstDate(now + DAYS_AHEAD[kind] * DAY_MS)}
        hint={words.untilHint[kind]}
        problem={problemOf('until')}
      />
      {kind === 'once' ? null : (
        <TextField
          label={words.maxPayments}
          value={draft.maxPayments}
          onChange={(maxPayments) => onChange({ maxPayments })}
          hint={words.maxPaymentsHint}
          inputMode="numeric"
          maxLength={10}
          problem={problemOf('maxPayments')}
        />
      )}
      <SelectField
        label={words.locale}
        value={draft.locale}
        choices={[
          { value: 'any', ...words.anyLocale },
          ...PAGE_LOCALES.map((each) => ({ value: toWireLocale(each), label: localeLabel(each) })),
        ]}
        onChange={(locale) => onChange({ locale })}
      />
      <MoreFields draft={draft} onChange={onChange} problemOf={problemOf} />
    </>
  )
}
