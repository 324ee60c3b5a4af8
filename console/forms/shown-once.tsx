/** Shown once: a key, a secret or a link that nobody can read again, with a button that copies it. */
import { CopyButton } from './copy-button.tsx'
import { Notice } from './notice.tsx'
import styles from './shown-once.module.css'

interface ShownOnceProps {
  readonly label: string
  readonly text: string
  /** That it is shown this once, and where it belongs. */
  readonly warning: string
}

export const ShownOnce = ({ label, text, warning }: ShownOnceProps) => (
  <div className={styles['shown']}>
    <Notice kind="warning">
      <p>{warning}</p>
    </Notice>
    <span className={styles['label']}>{label}</span>
    <code className={styles['text']}>{text}</code>
    <CopyButton text={text} />
  </div>
)
