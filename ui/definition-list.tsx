/** Definition list: names and values with a line between the rows. */
import type { ReactNode } from 'react'
import styles from './definition-list.module.css'

export interface DefinitionListItem {
  readonly name: string
  /** The same name in the language of the law, where the page has another. */
  readonly original?: ReactNode
  readonly value: ReactNode
}

export const DefinitionList = ({ items }: { readonly items: readonly DefinitionListItem[] }) => (
  <dl className={styles['list']}>
    {items.map(({ name, original, value }, at) => (
      // A name may stand there twice, as that of a refund does.
      // oxlint-disable-next-line no-array-index-key
      <div key={at} className={styles['row']}>
        <dt>
          {name}
          {original}
        </dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
