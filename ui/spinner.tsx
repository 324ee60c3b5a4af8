/** Loading spinner, for the whole page or small inside a panel. */
import styles from './spinner.module.css'

export const Spinner = ({ label, size = 'page' }: { readonly label: string; readonly size?: 'page' | 'small' }) => (
  <div className={`${styles['spinner']} ${size === 'small' ? styles['small'] : ''}`} role="status" aria-label={label}>
    <span className={styles['ring']} />
  </div>
)
