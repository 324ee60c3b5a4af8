/** Facts of a reusable link, as its list and its own screen show them. */
import type { LinkStatus, ReusableLinkAnswer } from '#contract/merchant/reusable-links.ts'
import { useFormats, useWords } from '../../words/language.tsx'
import styles from './links.module.css'
import { linksWords } from './words.ts'

export const StatusBadge = ({ status }: { readonly status: LinkStatus }) => {
  const { statuses } = useWords(linksWords)
  return <span className={`${styles['badge']} ${styles[status]}`}>{statuses[status]}</span>
}

type AmountOfLink = Pick<ReusableLinkAnswer, 'amount' | 'amountRange'>

/** The amount of a link, or its bounds. */
export const useLinkAmount = (): ((link: AmountOfLink) => string) => {
  const { entered } = useWords(linksWords)
  const { yen } = useFormats()
  return ({ amount, amountRange }) =>
    amountRange === undefined ? yen(amount ?? 0) : entered(yen(amountRange.min), yen(amountRange.max))
}
