import type { ReactNode } from 'react'
import styles from './definition-list.module.css'

export interface DefinitionListItem {
  readonly name: string
  readonly value: ReactNode
}

/** Definition list: names and values with a line between the rows. */
export const DefinitionList = ({ items }: { readonly items: readonly DefinitionListItem[] }) => (
  <dl className={styles['list']}>
    {items.map(({ name, value }) => (
      <div key={name} className={styles['row']}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
