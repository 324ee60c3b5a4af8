/** Shown-once dialog: a form, and in its place what its call made: a key, a secret or a link that nobody can read again. */
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { useWords } from '../words/language.tsx'
import { sharedWords } from '../words/shared-words.ts'
import { CopyButton } from './copy-button.tsx'
import { Dialog } from './dialog.tsx'
import { Notice } from './notice.tsx'
import styles from './shown-once-dialog.module.css'

interface ShownOnce {
  /** What it is. */
  readonly name: string
  readonly text: string
  /** That it is shown this once, and where it belongs. */
  readonly warning: string
  readonly note?: string | null
}

interface ShownOnceDialogProps {
  /** Null: not made yet. */
  readonly shown: ShownOnce | null
  onClose(): void
  /** Of the form. */
  readonly title?: string
  /** The form. */
  readonly children?: ReactNode
}

export const ShownOnceDialog = ({ shown, onClose, title = '', children }: ShownOnceDialogProps) => {
  const { close } = useWords(sharedWords)
  // One dialog for both: a second one would not know where the focus goes back to.
  return (
    <Dialog
      title={shown?.name ?? title}
      isOpen
      onClose={onClose}
      isDismissable={shown === null}
      actions={
        shown === null ? undefined : (
          <Button kind="primary" type="button" onClick={onClose}>
            {close}
          </Button>
        )
      }
    >
      {shown === null ? (
        children
      ) : (
        <div className={styles['shown']}>
          <Notice kind="warning">
            <p>{shown.warning}</p>
          </Notice>
          <span className={styles['label']}>{shown.name}</span>
          <code className={styles['text']}>{shown.text}</code>
          <CopyButton text={shown.text} />
          {shown.note === undefined || shown.note === null ? null : <p className={styles['note']}>{shown.note}</p>}
        </div>
      )}
    </Dialog>
  )
}
