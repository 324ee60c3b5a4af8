/** Sub-navigation: screens that belong together, as links below the heading. */
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import styles from './sub-navigation.module.css'

export interface SubNavigationItem {
  readonly href: string
  readonly label: string
}

interface SubNavigationProps {
  readonly label: string
  readonly items: readonly SubNavigationItem[]
  /** Links that lead out of the console. */
  readonly children?: ReactNode
}

export const SubNavigation = ({ label, items, children }: SubNavigationProps) => {
  const [address] = useLocation()
  // The longest one that fits: a screen below another one belongs to it.
  const [current] = items
    .filter(({ href }) => address === href || address.startsWith(`${href}/`))
    .toSorted((a, b) => b.href.length - a.href.length)
  return (
    <nav className={styles['navigation']} aria-label={label}>
      {items.map((item) => (
        <Link
          key={item.href}
          href={item.href}
          className={styles['item'] ?? ''}
          aria-current={item === current ? 'page' : undefined}
        >
          {item.label}
        </Link>
      ))}
      {children}
    </nav>
  )
}

/** A link of the same kind to another site. */
export const OutsideLink = ({ href, children }: { readonly href: string; readonly children: string }) => (
  <a className={styles['item']} href={href} target="_blank" rel="noreferrer">
    {children}
  </a>
)
