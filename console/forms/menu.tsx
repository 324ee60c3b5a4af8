/** Menu: a button that opens a list of actions and links. */
import type { ReactNode } from 'react'
import { Button, Menu as AriaMenu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { Icon, type IconName } from './icon.tsx'
import styles from './overlay.module.css'

export interface MenuEntry {
  readonly id: string
  readonly label: string
  readonly detail?: string
  readonly icon?: IconName
  /** A link; left out: `onAction` acts. */
  readonly href?: string
  readonly isChosen?: boolean
  onAction?(): void
}

interface MenuProps {
  readonly label: string
  readonly className: string
  readonly entries: readonly MenuEntry[]
  /** What the button shows. */
  readonly children: ReactNode
}

export const Menu = ({ label, className, entries, children }: MenuProps) => (
  <MenuTrigger>
    <Button className={className} aria-label={label}>
      {children}
    </Button>
    <Popover className={styles['popover'] ?? ''}>
      <AriaMenu className={styles['list'] ?? ''} aria-label={label}>
        {entries.map(({ id, label: text, detail, icon, href, isChosen = false, onAction }) => (
          <MenuItem
            key={id}
            id={id}
            textValue={text}
            className={styles['item'] ?? ''}
            {...(href === undefined ? {} : { href })}
            {...(onAction === undefined ? {} : { onAction })}
          >
            {icon === undefined ? null : <Icon name={icon} />}
            <span className={styles['words']}>
              {text}
              {detail === undefined ? null : <span className={styles['detail']}>{detail}</span>}
            </span>
            {isChosen ? (
              <span className={styles['chosen']}>
                <Icon name="check" />
              </span>
            ) : null}
          </MenuItem>
        ))}
      </AriaMenu>
    </Popover>
  </MenuTrigger>
)
