/** Page shell of every screen: the merchant's font, the content, the footer at the bottom. */
import type { ReactNode } from 'react'
import { Footer } from './footer.tsx'
import styles from './page-shell.module.css'

interface PageShellProps {
  readonly fontType: 'serif' | 'sans-serif'
  /** The content takes all the height that the window has beside the footer. */
  readonly isFilled?: boolean
  /** On a wide window the content stands in two panes of the whole height, and the footer at the end of the first one. */
  readonly isSplit?: boolean
  readonly children: ReactNode
}

export const PageShell = ({ fontType, isFilled = false, isSplit = false, children }: PageShellProps) => (
  <div
    className={`${styles['shell']} ${isSplit ? styles['split'] : ''} ${fontType === 'serif' ? styles['serif'] : ''}`}
  >
    <main className={`${styles['main']} ${isFilled ? styles['filled'] : ''}`}>{children}</main>
    <Footer />
  </div>
)

/** One centred panel, for screens that only show an outcome. */
export const CenteredPanel = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles['panel']}>{children}</div>
)
