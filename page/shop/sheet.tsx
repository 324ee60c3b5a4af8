import type { ReactNode } from 'react'
import { Footer } from './footer.tsx'
import styles from './sheet.module.css'

interface PageShellProps {
  readonly fontType: 'serif' | 'sans-serif'
  /** The content takes all the height that the window has beside the footer. */
  readonly isFilled?: boolean
  readonly children: ReactNode
}

/** What every screen stands on: the shop's type, the content, the footer at the bottom. */
export const PageShell = ({ fontType, isFilled = false, children }: PageShellProps) => (
  <div className={`${styles['ground']} ${fontType === 'serif' ? styles['serif'] : ''}`}>
    <main className={`${styles['main']} ${isFilled ? styles['filled'] : ''}`}>{children}</main>
    <Footer />
  </div>
)

/** One centred card, for screens that tell rather than ask. */
export const Sheet = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles['sheet']}>{children}</div>
)
