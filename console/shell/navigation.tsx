/** Navigation of a shop: at the lower edge of a phone the first four and the rest in a menu, on a wide window all in a column. */
import { Link, useLocation } from 'wouter'
import { Icon } from '../forms/icon.tsx'
import { Menu } from '../forms/menu.tsx'
import { useWords } from '../words/language.tsx'
import type { NavigationItem } from './navigation-names.ts'
import { shellWords } from './words.ts'
import styles from './frame.module.css'

/** How many stand at the lower edge of a phone, with the menu as the last one where there are more. */
const ON_A_PHONE = 5

interface NavigationProps {
  /** The address of the shop and its mode, such as /shops/tea/test. */
  readonly base: string
  readonly items: readonly NavigationItem[]
}

export const Navigation = ({ base, items }: NavigationProps) => {
  const words = useWords(shellWords)
  const [address] = useLocation()
  const addressOf = ({ path }: NavigationItem): string => base + (path === '/' ? '' : path)
  // The longest one that fits: a screen below another one belongs to it.
  const [current] = items
    .filter((item) => address === addressOf(item) || (item.path !== '/' && address.startsWith(`${addressOf(item)}/`)))
    .toSorted((a, b) => b.path.length - a.path.length)
  const first = items.length > ON_A_PHONE ? ON_A_PHONE - 1 : ON_A_PHONE
  const later = items.slice(first)
  const isLater = current !== undefined && later.includes(current)
  return (
    <nav className={styles['navigation']} aria-label={words.menu}>
      {items.map((item, at) => (
        <Link
          key={item.name}
          href={addressOf(item)}
          className={`${styles['item']} ${at < first ? '' : styles['later']}`}
          aria-current={item === current ? 'page' : undefined}
        >
          <Icon name={item.name} />
          <span>{words.navigation[item.name]}</span>
        </Link>
      ))}
      {later.length === 0 ? null : (
        <Menu
          // What is seen of it is part of its name.
          label={isLater ? `${words.navigation[current.name]} (${words.moreMenu})` : words.moreMenu}
          className={`${styles['item']} ${styles['moreItem']} ${isLater ? styles['current'] : ''}`}
          entries={later.map((item) => ({
            id: item.name,
            label: words.navigation[item.name],
            icon: item.name,
            href: addressOf(item),
            isChosen: item === current,
          }))}
        >
          <Icon name={isLater ? current.name : 'more'} />
          <span>{isLater ? words.navigation[current.name] : words.moreMenu}</span>
        </Menu>
      )}
    </nav>
  )
}
