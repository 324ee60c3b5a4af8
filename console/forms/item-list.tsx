/** Item list: rows of a heading, details and buttons, for lists that are short and have something to press in each row. */
import type { ReactNode } from 'react'
import styles from './item-list.module.css'

export const ItemList = ({ children }: { readonly children: ReactNode }) => (
  <ul className={styles['items']}>{children}</ul>
)

interface ItemProps {
  readonly title: ReactNode
  /** Beside the title: a state, a role. */
  readonly badge?: ReactNode
  /** Lines below the title. */
  readonly details: readonly string[]
  readonly warning?: string | undefined
  /** Buttons. */
  readonly actions?: ReactNode
  /** Below all of it. */
  readonly children?: ReactNode
}

export const Item = ({ title, badge, details, warning, actions, children }: ItemProps) => (
  <li className={styles['item']}>
    <div className={styles['words']}>
      <span className={styles['title']}>
        <strong>{title}</strong>
        {badge}
      </span>
      {details.map((detail) => (
        <span key={detail} className={styles['detail']}>
          {detail}
        </span>
      ))}
      {warning === undefined ? null : <span className={styles['warning']}>{warning}</span>}
    </div>
    {actions === undefined ? null : <div className={styles['actions']}>{actions}</div>}
    {children === undefined ? null : <div className={styles['below']}>{children}</div>}
  </li>
)

/** A word about the state of something. */
export const Badge = ({
  kind,
  children,
}: {
  readonly kind: 'good' | 'bad' | 'warning' | 'plain'
  readonly children: string
}) => <span className={`${styles['badge']} ${styles[kind]}`}>{children}</span>
