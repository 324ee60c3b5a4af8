/** Screen: its heading, which gets the focus when one screen takes the place of another, the document's title, and cards. */
import { createContext, useContext, useEffect, useRef, type ReactNode, type RefObject } from 'react'
import { Link, useLocation } from 'wouter'
import { useWords } from '../words/language.tsx'
import { sharedWords } from '../words/shared-words.ts'
import styles from './screen.module.css'

/** What the document's title says behind the screen's own: the shop and its mode, where there is one. */
export const TitleContext = createContext<{ readonly shop: string; readonly mode: 'test' | 'live' } | null>(null)

/** The shop and its mode in words; null: the screen is of no shop. */
const useShopTitle = (): string | null => {
  const of = useContext(TitleContext)
  const { modes } = useWords(sharedWords)
  return of === null ? null : `${of.shop} (${modes[of.mode]})`
}

const useTitle = (title: string): void => {
  const shop = useShopTitle()
  const text = [title, ...(shop === null ? [] : [shop]), 'Kaikei'].join(' | ')
  useEffect(() => {
    document.title = text
  }, [text])
}

/**
 * For the heading of a screen: names the document, and takes the focus when the screen takes the place of another one. The
 * screen that the document was opened with leaves the focus where the browser has it.
 */
export const useScreenHeading = (title: string): RefObject<HTMLHeadingElement | null> => {
  const heading = useRef<HTMLHeadingElement>(null)
  const [address] = useLocation()
  useTitle(title)

  useEffect(() => {
    const { dataset } = document.documentElement
    const isFirst = dataset['screen'] === undefined
    dataset['screen'] = address
    if (isFirst) return
    window.scrollTo(0, 0)
    heading.current?.focus({ preventScroll: true })
  }, [address])

  return heading
}

interface ScreenProps {
  readonly title: string
  /** Buttons and links beside the heading. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

export const Screen = ({ title, actions, children }: ScreenProps) => {
  const [heading, shop] = [useScreenHeading(title), useShopTitle()]
  return (
    <div className={styles['screen']}>
      {shop === null ? null : <p className={styles['printedShop']}>{shop}</p>}
      <header className={styles['head']}>
        <h1 ref={heading} tabIndex={-1} className={styles['title']}>
          {title}
        </h1>
        {actions === undefined ? null : <div className={styles['actions']}>{actions}</div>}
      </header>
      {children}
    </div>
  )
}

/** Beside a heading: to the list that the screen is a part of. */
export const BackLink = ({ href, children }: { readonly href: string; readonly children: string }) => (
  <Link className={styles['back']} href={href}>
    {children}
  </Link>
)

interface CardProps {
  /** Left out: the card has no heading. */
  readonly title?: string
  /** Buttons and links beside its heading. */
  readonly actions?: ReactNode
  /** Rows that reach its edges: a table or a list. */
  readonly isFlush?: boolean
  readonly children: ReactNode
}

export const Card = ({ title, actions, isFlush = false, children }: CardProps) => (
  <section className={`${styles['card']} ${isFlush ? styles['flush'] : ''}`}>
    {title === undefined ? null : (
      <div className={styles['cardHead']}>
        <h2 className={styles['cardTitle']}>{title}</h2>
        {actions}
      </div>
    )}
    {children}
  </section>
)

/** Words that explain, below a heading or beside a field. */
export const Explanation = ({ children }: { readonly children: ReactNode }) => (
  <p className={styles['text']}>{children}</p>
)
